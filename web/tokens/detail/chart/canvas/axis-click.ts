import type { IChartApi, ISeriesApi } from 'lightweight-charts';

/** Distance that a pointer may move, px: more is a drag, which scales the axis. */
const MOVED = 4;
/** Time within which a second click makes a double click, which resets the axis, ms. */
export const DOUBLE_CLICK_MS = 300;

interface AxisClickDeps {
  box: HTMLElement;
  /** Width of the axis, px. */
  axisWidth(): number;
  /** Returns the shown value at a height, px below the top of the box; null outside of the prices. */
  valueAt(y: number): number | null;
  /** Receives the shown value at the height of a single click on the axis of prices. */
  onClick(value: number): void;
}

/** Finds single clicks on the axis of prices. Returns the function that ends it. */
export function watchAxisClicks({ box, axisWidth, valueAt, onClick }: AxisClickDeps): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let start: { x: number; y: number } | null = null;
  let isSecond = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopWaiting = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const down = ({ button, clientX: x, clientY: y }: PointerEvent) => {
    isSecond = timer !== undefined;
    stopWaiting();
    const isOnAxis = x > box.getBoundingClientRect().right - axisWidth();
    start = button === 0 && isOnAxis ? { x, y } : null;
  };
  const up = ({ clientX, clientY }: PointerEvent) => {
    if (start === null || isSecond || Math.hypot(clientX - start.x, clientY - start.y) > MOVED) return;
    start = null;
    const value = valueAt(clientY - box.getBoundingClientRect().top);
    if (value === null || value <= 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      onClick(value);
    }, DOUBLE_CLICK_MS);
  };
  box.addEventListener('pointerdown', down, { capture: true, signal });
  box.addEventListener('pointerup', up, { capture: true, signal });
  signal.addEventListener('abort', stopWaiting);
  return () => ending.abort();
}

/** Returns the shown value at a height of the chart, px; null below its pane of prices. */
export function priceAt(chart: IChartApi, series: ISeriesApi<'Candlestick'>, y: number): number | null {
  return y <= (chart.panes()[0]?.getHeight() ?? 0) ? series.coordinateToPrice(y) : null;
}
