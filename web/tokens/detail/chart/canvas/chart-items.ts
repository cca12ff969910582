import type { Candle } from '../../../../../common/tokens/candles/model.ts';

/** Empty spans drawn for one gap, and for all gaps of a chart, at most: the time axis has a place for each of them. */
const GAP_MAX = 30;
const GAPS_TOTAL = 4_000;

/** A place on the time axis: a candle, or an empty span (null). `at`: epoch s. */
export interface ChartItem {
  at: number;
  candle: Candle | null;
  /** Close of the candle before; null for the first one. */
  previous: number | null;
}

/** Returns the places of a chart, oldest first: gaps stay empty, a long one is shortened. `seconds`: length of a span. */
export function chartItems(candles: readonly Candle[], seconds: number): ChartItem[] {
  const gaps = candles.filter((candle, index) => {
    const before = candles[index - 1];
    return before !== undefined && candle.at - before.at > seconds;
  }).length;
  const widest = Math.max(1, Math.min(GAP_MAX, Math.floor(GAPS_TOTAL / Math.max(1, gaps))));
  return candles.flatMap((candle, index) => itemsAfter(candles[index - 1], candle, { seconds, widest }));
}

/** Returns the places that a candle adds after another one: those of the gap between them, and its own. */
export function itemsAfter(
  before: Candle | undefined,
  candle: Candle,
  { seconds, widest = GAP_MAX }: { seconds: number; widest?: number },
): ChartItem[] {
  const own = { at: candle.at, candle, previous: before?.close ?? null };
  if (before === undefined || before.at === candle.at) return [own];
  const missing = Math.floor((candle.at - before.at) / seconds) - 1;
  const shown = Math.min(missing, widest);
  const empty = Array.from({ length: shown }, (_, index) => ({
    at: before.at + (index + 1) * seconds,
    candle: null,
    previous: null,
  }));
  return [...empty, own];
}

/** Returns whether a candle rose: from its open, or without a range of its own from the candle before. */
export function isRise({ candle, previous }: ChartItem): boolean {
  if (candle === null) return true;
  return candle.close === candle.open ? candle.close >= (previous ?? candle.open) : candle.close > candle.open;
}
