import type { IChartApi, ISeriesApi } from 'lightweight-charts';

/** Distance that a pointer may move, px: more is a drag, which scales the axis. */
const MOVED = 4;

interface AxisClickDeps {
  box: HTMLElement;
  chart: IChartApi;
  series: ISeriesApi<'Candlestick'>;
  /** Receives the shown value at the height of a click on the axis of prices. */
  onClick(value: number): void;
}

/** Finds clicks on the axis of prices. Returns the function that ends it. */
export function watchAxisClicks({ box, chart, series, onClick }: AxisClickDeps): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let start: { x: number; y: number } | null = null;
  const down = ({ button, clientX: x, clientY: y }: PointerEvent) => {
    const isOnAxis = x > box.getBoundingClientRect().right - chart.priceScale('right').width();
    start = button === 0 && isOnAxis ? { x, y } : null;
  };
  const up = ({ clientX, clientY }: PointerEvent) => {
    if (start === null || Math.hypot(clientX - start.x, clientY - start.y) > MOVED) return;
    start = null;
    const y = clientY - box.getBoundingClientRect().top;
    const value = y <= (chart.panes()[0]?.getHeight() ?? 0) ? series.coordinateToPrice(y) : null;
    if (value !== null && value > 0) onClick(value);
  };
  box.addEventListener('pointerdown', down, { capture: true, signal });
  box.addEventListener('pointerup', up, { capture: true, signal });
  return () => ending.abort();
}
