import {
  type AutoscaleInfo,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type MouseEventParams,
  PriceScaleMode,
  type Time,
} from 'lightweight-charts';
import type { Candle } from '../../../../../common/tokens/candles/model.ts';
import { utcTime } from '../../../../ui/format.ts';
import type { PlacedMark } from '../marks.ts';
import { priceAt, watchAxisClicks } from './axis-click.ts';
import { chartItems, itemsAfter } from './chart-items.ts';
import { type ChartColors, readColors, watchTheme } from './colors.ts';
import { createLayers } from './layers.ts';
import { createLines, type LineHandlers, type PriceLine } from './lines.ts';

/** Part of the height that the volume takes, and the height of the price in the same unit. */
const STRETCH = { price: 4, volume: 1 };
/** Candles left of the view below which older ones are fetched. */
const OLDER_WITHIN = 20;
/** Candles that the view shows at first, at most. */
const SHOWN_FIRST = 120;
/** Smallest step of a price, as its inverse: prices have up to 15 decimals. */
const PRICE_BASE = 1e15;

/** Distance from the tag of a price within which a label of the axis would be covered, px. */
const TAG_HEIGHT = 16;

/** How prices are drawn. */
export interface PriceView {
  /** Shown value of a price of 1 SOL. */
  factor: number;
  format(value: number): string;
  isLog: boolean;
}

export interface ChartHandlers extends LineHandlers {
  /** Called with the begin of the span under the pointer, epoch s; null when it leaves. */
  onHover(at: number | null): void;
  /** Called when the view comes near the first candle. */
  onOlder(): void;
  /** Called with the shown value at a single click on the axis of prices. */
  onAxisClick(value: number): void;
}

/** A drawn chart of candles. Prices are in SOL, times epoch s. */
export interface CandleChart {
  setView(view: PriceView): void;
  /** Draws all candles, an array that grows with `setLast`. `seconds`: length of a span. */
  setCandles(candles: readonly Candle[], seconds: number): void;
  /** Draws the last candle again, or a new one. */
  setLast(before: Candle | undefined, last: Candle): void;
  setMarks(marks: readonly PlacedMark[]): void;
  setLines(lines: readonly PriceLine[]): void;
  remove(): void;
}

/** Draws a chart in a box that has a size. */
export function createCandleChart(box: HTMLElement, handlers: ChartHandlers): CandleChart {
  const chart = createChart(box, { autoSize: true, ...staticOptions() });
  const layers = createLayers(chart);
  const { price: series } = layers;
  const [upper, lower] = chart.panes();
  upper?.setStretchFactor(STRETCH.price);
  lower?.setStretchFactor(STRETCH.volume);
  let colors = readColors(box);
  let view: PriceView = { factor: 1, format: String, isLog: false };
  let candles: readonly Candle[] = [];
  let marks: readonly PlacedMark[] = [];
  let seconds = 1;
  const lines = createLines({ box, chart, series, factor: () => view.factor, handlers });
  series.applyOptions({ autoscaleInfoProvider: (base: () => AutoscaleInfo | null) => lines.widened(base()) });

  const drawAll = () => {
    layers.draw(chartItems(candles, seconds), view.factor, colors);
    layers.setMarks(marks, colors);
  };
  const paint = () => {
    colors = readColors(box);
    chart.applyOptions(themeOptions(colors));
    layers.applyPrice(candleColors(colors));
    lines.setColors(colors);
    drawAll();
  };
  const unwatch = watchTheme(paint);
  const endClicks = watchAxisClicks({
    box,
    axisWidth: () => chart.priceScale('right').width(),
    valueAt: (y) => priceAt(chart, series, y),
    onClick: handlers.onAxisClick,
  });
  paint();

  const onMove = ({ time }: MouseEventParams<Time>) => handlers.onHover(typeof time === 'number' ? time : null);
  chart.subscribeCrosshairMove(onMove);
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < OLDER_WITHIN && candles.length > 0) handlers.onOlder();
  });

  return {
    setView(next) {
      view = next;
      const tagged = () => [(candles.at(-1)?.close ?? 0) * next.factor, ...lines.values()];
      layers.applyPrice({ priceFormat: priceFormatOf(series, next.format, tagged) });
      const mode = next.isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
      series.priceScale().applyOptions({ mode, autoScale: true });
      drawAll();
      lines.draw();
    },
    setCandles(next, length) {
      const isFirst = candles.length === 0;
      seconds = length;
      candles = next;
      chart.timeScale().applyOptions({ secondsVisible: length < 60 });
      drawAll();
      if (isFirst && next.length > 0) showNewest(chart, chartItems(next, length).length);
    },
    setLast(before, last) {
      for (const item of itemsAfter(before, last, { seconds })) {
        if (layers.update(item, item.at !== before?.at, view.factor, colors)) continue;
        drawAll();
        return;
      }
    },
    setMarks(next) {
      marks = next;
      layers.setMarks(marks, colors);
    },
    setLines: (next) => lines.set(next),
    remove() {
      unwatch();
      endClicks();
      lines.remove();
      chart.remove();
    },
  };
}

/** Shows the newest candles, and fewer places than fit when there are few. */
function showNewest(chart: IChartApi, places: number): void {
  const shown = Math.min(SHOWN_FIRST, Math.max(places, 40));
  chart.timeScale().setVisibleLogicalRange({ from: places - shown, to: places + 4 });
}

function staticOptions() {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    layout: { attributionLogo: true, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 11 },
    crosshair: { mode: CrosshairMode.Normal },
    timeScale: { timeVisible: true, rightOffset: 4, minBarSpacing: 0.2 },
    // A finger that moves up or down scrolls the page.
    handleScroll: { vertTouchDrag: false },
    kineticScroll: { touch: !isCalm, mouse: false },
    localization: { locale: 'en-GB', timeFormatter: (time: Time) => utcTime(Number(time) * 1_000) },
  };
}

function themeOptions({ text, line, muted, surface, raised }: ChartColors) {
  const label = { color: muted, labelBackgroundColor: raised };
  return {
    layout: {
      background: { color: surface },
      textColor: muted,
      panes: { separatorColor: line, separatorHoverColor: line, enableResize: false },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: { borderVisible: false },
    crosshair: { vertLine: label, horzLine: { ...label, labelTextColor: text } },
  };
}

/** Returns how prices are written. A label of the axis stays empty where the tag of one of the `tagged` values would cover it. */
function priceFormatOf(
  series: ISeriesApi<'Candlestick'>,
  format: PriceView['format'],
  tagged: () => readonly number[],
) {
  const tickmarksFormatter = (prices: readonly number[]) => {
    const tags = tagged().flatMap((value) => series.priceToCoordinate(value) ?? []);
    return prices.map((price) => {
      const at = series.priceToCoordinate(price);
      return at !== null && tags.some((tag) => Math.abs(at - tag) < TAG_HEIGHT) ? '' : format(price);
    });
  };
  return { type: 'custom' as const, formatter: format, tickmarksFormatter, minMove: 0.01, base: PRICE_BASE };
}

function candleColors({ up, down }: ChartColors) {
  return { upColor: up, downColor: down, wickUpColor: up, wickDownColor: down };
}
