import {
  CandlestickSeries,
  type CandlestickSeriesPartialOptions,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { markLetters, type PlacedMark } from '../marks.ts';
import { type ChartItem, isRise } from './chart-items.ts';
import type { ChartColors } from './colors.ts';

/**
 * Places at the end of the time axis whose candles still change, and the number of them above which they become past ones. The
 * library prepares all candles of a series again after each change, so the past ones have series of their own.
 */
const LIVE = 60;
const LIVE_MAX = 240;

/** Candles, volume and the bought part of it, which is drawn over. */
interface Layer {
  price: ISeriesApi<'Candlestick'>;
  volume: ISeriesApi<'Histogram'>;
  bought: ISeriesApi<'Histogram'>;
}

/** Draws candles and volume in a chart. */
export function createLayers(chart: IChartApi) {
  const past = addLayer(chart, { priceLineVisible: false, lastValueVisible: false });
  const live = addLayer(chart, {});
  const markers = { past: createSeriesMarkers<Time>(past.price, []), live: createSeriesMarkers<Time>(live.price, []) };
  /** Begin of the first live span, epoch s, and number of the live places. */
  let liveFrom = 0;
  let liveCount = 0;

  return {
    /** The series of the newest candles. */
    price: live.price,
    applyPrice(options: CandlestickSeriesPartialOptions) {
      past.price.applyOptions(options);
      live.price.applyOptions(options);
    },
    draw(items: readonly ChartItem[], factor: number, colors: ChartColors) {
      const split = Math.max(0, items.length - LIVE);
      liveFrom = items[split]?.at ?? 0;
      liveCount = items.length - split;
      drawLayer(past, items.slice(0, split), factor, colors);
      drawLayer(live, items.slice(split), factor, colors);
    },
    /** Draws the last place again, or a new one. Returns false when there are so many live ones that all should be drawn. */
    update(item: ChartItem, isNew: boolean, factor: number, colors: ChartColors): boolean {
      if (isNew) liveCount += 1;
      if (liveCount > LIVE_MAX) return false;
      live.price.update(priceItem(item, factor, colors));
      for (const bar of volumeItem(item, colors)) live.volume.update(bar);
      for (const bar of boughtItem(item, colors)) live.bought.update(bar);
      return true;
    },
    setMarks(marks: readonly PlacedMark[], colors: ChartColors) {
      markers.past.setMarkers(marks.filter(({ at }) => at < liveFrom).map((mark) => markerOf(mark, colors)));
      markers.live.setMarkers(marks.filter(({ at }) => at >= liveFrom).map((mark) => markerOf(mark, colors)));
    },
  };
}

function addLayer(chart: IChartApi, options: CandlestickSeriesPartialOptions): Layer {
  const price = chart.addSeries(CandlestickSeries, { borderVisible: false, ...options });
  const bar = { priceLineVisible: false, lastValueVisible: false, priceFormat: { type: 'volume' as const } };
  const volume = chart.addSeries(HistogramSeries, bar, 1);
  const bought = chart.addSeries(HistogramSeries, bar, 1);
  price.priceScale().applyOptions({ scaleMargins: { top: 0.16, bottom: 0.08 } });
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0 } });
  return { price, volume, bought };
}

function drawLayer(layer: Layer, items: readonly ChartItem[], factor: number, colors: ChartColors): void {
  layer.price.setData(items.map((item) => priceItem(item, factor, colors)));
  layer.volume.setData(items.flatMap((item) => volumeItem(item, colors)));
  layer.bought.setData(items.flatMap((item) => boughtItem(item, colors)));
}

function priceItem(item: ChartItem, factor: number, { up, down }: ChartColors) {
  const time = chartTime(item.at);
  const { candle } = item;
  if (candle === null) return { time };
  const color = isRise(item) ? up : down;
  const { open, high, low, close } = candle;
  const prices = { open: open * factor, high: high * factor, low: low * factor, close: close * factor };
  return { time, ...prices, color, wickColor: color };
}

/** Returns the bar of the whole volume, of which the bought part is drawn over; none while it is unknown. */
function volumeItem({ at, candle }: ChartItem, { downBar, muted }: ChartColors) {
  if (candle === null || candle.volume === null) return [];
  return [{ time: chartTime(at), value: candle.volume, color: candle.bought === null ? muted : downBar }];
}

function boughtItem({ at, candle }: ChartItem, { upBar }: ChartColors) {
  if (candle === null || candle.bought === null) return [];
  return [{ time: chartTime(at), value: candle.bought, color: upBar }];
}

function markerOf({ id, at, kind, side }: PlacedMark, colors: ChartColors): SeriesMarker<Time> {
  const base = { id, time: chartTime(at), text: markLetters[kind] };
  if (side === null) return { ...base, position: 'aboveBar', shape: 'square', color: colors.accent };
  const color = side === 'buy' ? colors.up : colors.down;
  const isOwn = kind === 'own';
  return side === 'buy'
    ? { ...base, position: 'belowBar', shape: isOwn ? 'arrowUp' : 'circle', color }
    : { ...base, position: 'aboveBar', shape: isOwn ? 'arrowDown' : 'circle', color };
}

/** Returns a time as the library takes it. */
function chartTime(at: number): UTCTimestamp {
  if (!isChartTime(at)) throw new Error('a time of the chart is a whole number of seconds');
  return at;
}

function isChartTime(at: number): at is UTCTimestamp {
  return Number.isInteger(at);
}
