import { type AutoscaleInfo, type IChartApi, type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import type { ChartColors } from './colors.ts';

/** Kinds of lines at a price. The last two can be dragged. */
export type LineKind = 'launch' | 'curve-end' | 'alert' | 'entry' | 'stop-loss' | 'take-profit';

/** A line at a price. */
export interface PriceLine {
  id: string;
  kind: LineKind;
  /** SOL for one whole token. */
  price: number;
  title: string;
  /** Position that an entry or an exit belongs to; null for a line of the coin. */
  positionId: string | null;
}

export interface LineHandlers {
  /** Called once when a dragged line is released at another price, SOL. The line stays where it was until it is set again. */
  onDrop(line: PriceLine, price: number): void;
}

/** Distance from a line within which a pointer takes it, px; a finger is less exact than a mouse. */
const GRIP = { touch: 14, other: 6 };
/** Distance that a pointer moves before the line that it took follows, px: a click or a tap moves nothing. */
const LEAST_MOVE = { touch: 10, other: 4 };
/** Own lines farther from the candles than this do not widen the scale: they would flatten the candles. */
const FARTHEST = 3;
/** Least height of the scale as a share of its middle: labels of a flat price would be missing, or all the same. */
const LEAST_HEIGHT = 0.03;

interface LineDeps {
  box: HTMLElement;
  chart: IChartApi;
  series: ISeriesApi<'Candlestick'>;
  /** Returns the shown value of a price of 1 SOL. */
  factor(): number;
  handlers: LineHandlers;
}

/** Draws lines at prices, and moves those of exits with the pointer. */
export function createLines({ box, chart, series, factor, handlers }: LineDeps) {
  const drawn = new Map<string, { line: PriceLine; api: IPriceLine }>();
  let colors: ChartColors | null = null;
  let dragged: PriceLine | null = null;
  /** Distance from the pointer down to the line when it was taken, px; negative for a line above it. */
  let offset = 0;

  const styleOf = ({ kind, price, title }: PriceLine) => {
    const isExit = isDraggable(kind);
    return {
      price: price * factor(),
      title,
      color: colors === null ? '#808080' : colorOf(kind, colors),
      lineWidth: 1 as const,
      lineStyle: isExit ? LineStyle.Solid : LineStyle.Dashed,
      axisLabelVisible: true,
    };
  };
  const draw = () => {
    for (const { line, api } of drawn.values()) if (line.id !== dragged?.id) api.applyOptions(styleOf(line));
  };

  const lineAt = (y: number, grip: number) => exitLineAt(drawn.values(), { chart, series, factor }, y, grip);

  const drag = createDrag(box, {
    take(y, isTouch) {
      const taken = lineAt(y, isTouch ? GRIP.touch : GRIP.other);
      if (taken === null) return false;
      dragged = taken.line;
      offset = taken.at - y;
      chart.applyOptions({ handleScroll: false, handleScale: false });
      return true;
    },
    isOver: (y) => lineAt(y, GRIP.other) !== null,
    move(y) {
      const price = series.coordinateToPrice(y + offset);
      if (dragged !== null && price !== null && price > 0) drawn.get(dragged.id)?.api.applyOptions({ price });
    },
    end(y) {
      const line = dragged;
      const price = y === null ? null : series.coordinateToPrice(y + offset);
      dragged = null;
      chart.applyOptions({ handleScroll: { vertTouchDrag: false }, handleScale: true });
      // The server decides: until it has, the line is where it was.
      draw();
      if (line !== null && price !== null && price > 0) handlers.onDrop(line, price / factor());
    },
  });

  return {
    draw,
    /** Returns the shown values of all lines. */
    values: () => [...drawn.values()].map(({ line: { price } }) => price * factor()),
    setColors(next: ChartColors) {
      colors = next;
      draw();
    },
    set(lines: readonly PriceLine[]) {
      const ids = new Set(lines.map(({ id }) => id));
      for (const [id, { api }] of drawn) {
        if (ids.has(id)) continue;
        series.removePriceLine(api);
        drawn.delete(id);
      }
      for (const line of lines) {
        const known = drawn.get(line.id);
        const isSame = known?.line.price === line.price && known.line.title === line.title;
        const api = known?.api ?? series.createPriceLine(styleOf(line));
        drawn.set(line.id, { line, api });
        if (!isSame && line.id !== dragged?.id) api.applyOptions(styleOf(line));
      }
    },
    /** Returns the range of the scale with the user's own lines that are near it. */
    widened: (info: AutoscaleInfo | null) => withLines(info, [...drawn.values()], factor()),
    remove: drag.remove,
  };
}

/** Returns the line of an exit at a height, and its own height, px. A line outside of the pane of the prices is not seen. */
function exitLineAt(
  drawn: Iterable<{ line: PriceLine }>,
  { chart, series, factor }: Pick<LineDeps, 'chart' | 'series' | 'factor'>,
  y: number,
  grip: number,
): { line: PriceLine; at: number } | null {
  const height = chart.panes()[0]?.getHeight() ?? 0;
  for (const { line } of drawn) {
    const at = isDraggable(line.kind) ? series.priceToCoordinate(line.price * factor()) : null;
    if (at !== null && at >= 0 && at <= height && Math.abs(at - y) <= grip) return { line, at };
  }
  return null;
}

/** Returns a range of the scale with the user's own lines that are near it, at least `LEAST_HEIGHT` high. */
export function withLines(
  info: AutoscaleInfo | null,
  drawn: readonly { line: PriceLine }[],
  factor: number,
): AutoscaleInfo | null {
  const range = info?.priceRange;
  if (info === null || range == null) return info;
  const near = drawn
    .filter(({ line: { kind, positionId } }) => positionId !== null || kind === 'alert')
    .map(({ line: { price } }) => price * factor)
    .filter((value) => value > range.minValue / FARTHEST && value < range.maxValue * FARTHEST);
  const minValue = Math.min(range.minValue, ...near);
  const maxValue = Math.max(range.maxValue, ...near);
  const lacking = Math.max(0, ((minValue + maxValue) / 2) * LEAST_HEIGHT - (maxValue - minValue)) / 2;
  return { ...info, priceRange: { minValue: minValue - lacking, maxValue: maxValue + lacking } };
}

function isDraggable(kind: LineKind): boolean {
  return kind === 'stop-loss' || kind === 'take-profit';
}

function colorOf(kind: LineKind, { muted, text, down, up, warning, accent }: ChartColors): string {
  const colors = {
    launch: muted,
    'curve-end': warning,
    alert: accent,
    entry: text,
    'stop-loss': down,
    'take-profit': up,
  };
  return colors[kind];
}

interface DragHandlers {
  /** Returns whether a drag begins at a height, px. */
  take(y: number, isTouch: boolean): boolean;
  isOver(y: number): boolean;
  move(y: number): void;
  /** `y`: height of the release; null when the drag was cancelled, or nothing was dragged. */
  end(y: number | null): void;
}

/** Follows the pointer while it drags within a box, once it has moved far enough. Escape, a second finger and a lost pointer cancel. */
function createDrag(box: HTMLElement, handlers: DragHandlers) {
  const leaving = new AbortController();
  const { signal } = leaving;
  let pointer: number | null = null;
  let start = { y: 0, least: 0, isMoved: false };
  const heightOf = ({ clientY }: PointerEvent) => clientY - box.getBoundingClientRect().top;
  const follow = (y: number) => {
    start.isMoved ||= Math.abs(y - start.y) >= start.least;
    if (start.isMoved) handlers.move(y);
  };
  const end = (y: number | null) => {
    if (pointer === null) return;
    pointer = null;
    handlers.end(y);
  };
  const down = (event: PointerEvent) => {
    if (pointer !== null) return end(null);
    const isTouch = event.pointerType === 'touch';
    const y = heightOf(event);
    if (event.button !== 0 || !handlers.take(y, isTouch)) return;
    pointer = event.pointerId;
    start = { y, least: isTouch ? LEAST_MOVE.touch : LEAST_MOVE.other, isMoved: false };
    // Without the mouse events that would follow, which scroll the chart.
    event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId === pointer) follow(heightOf(event));
    else if (pointer === null && event.target instanceof Node && box.contains(event.target))
      box.style.cursor = handlers.isOver(heightOf(event)) ? 'ns-resize' : '';
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== pointer) return;
    const y = heightOf(event);
    follow(y);
    end(start.isMoved ? y : null);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || pointer === null) return;
    event.preventDefault();
    end(null);
  };
  // In the capture phase: the chart, which would scroll, is below. The pointer may leave the box while it drags.
  box.addEventListener('pointerdown', down, { capture: true, signal });
  document.addEventListener('pointermove', move, { capture: true, signal });
  document.addEventListener('pointerup', up, { capture: true, signal });
  document.addEventListener('pointercancel', () => end(null), { signal });
  // Without it the browser would scroll the page and cancel the drag.
  const hold = (event: TouchEvent) => {
    if (pointer !== null) event.preventDefault();
  };
  box.addEventListener('touchmove', hold, { capture: true, passive: false, signal });
  document.addEventListener('keydown', key, { capture: true, signal });
  return { remove: () => leaving.abort() };
}
