import type { Candle } from '../../../../common/tokens/candles/model.ts';
import type { Trade } from '../../../../common/tokens/model.ts';
import type { OwnFill } from '../../../trading/own-fills.ts';
import { liquidity } from '../../../ui/format.ts';
import type { WalletLabels } from '../use-detail.ts';

/** Kinds of marks, and the letter that each has on the chart. */
export const markLetters = { developer: 'D', insider: 'In', migration: 'M', alert: 'A', own: '' } as const;
export type MarkKind = keyof typeof markLetters;

/** An event on the chart. */
export interface ChartMark {
  id: string;
  kind: MarkKind;
  /** Null for an event that is no trade. */
  side: 'buy' | 'sell' | null;
  /** Epoch ms. */
  time: number;
  /** `Developer sold 1.200 SOL`. */
  text: string;
}

/** A mark at the candle that it belongs to. */
export interface PlacedMark extends ChartMark {
  /** Begin of the candle, epoch s. */
  at: number;
}

/** Marks that a chart shows, at most: the newest ones. */
const MARKS_MAX = 200;

/** Returns the marks of the user's own trades. */
export function ownMarks(fills: readonly OwnFill[]): ChartMark[] {
  return fills.map(({ id, side, time, text }) => ({ id: `own ${id}`, kind: 'own', side, time, text }));
}

const tellingNames = { developer: 'Developer', insider: 'Insider' } as const;

/** Returns the marks of trades by the developer and by insiders. */
export function walletMarks(trades: readonly Trade[], labels: WalletLabels): ChartMark[] {
  return trades.flatMap(({ id, wallet, side, at, sol }) => {
    // Labels come by weight: a developer that bought as an insider is the developer.
    const kind = labels.get(wallet)?.find((label) => label === 'developer' || label === 'insider');
    if (kind === undefined) return [];
    const amount = sol === null ? '' : ` for ${liquidity(sol)}`;
    const text = `${tellingNames[kind]} ${side === 'buy' ? 'bought' : 'sold'}${amount}`;
    return { id: `${kind} ${id}`, kind, side, time: Date.parse(at), text };
  });
}

/**
 * Returns the marks at the last candle that began before each, in the order of time. A mark before the first candle stands there when
 * it is not older than `since`, the begin of the coin (epoch ms; null while older candles are not loaded); any other has no place.
 */
export function placeMarks(
  marks: readonly ChartMark[],
  candles: readonly Candle[],
  since: number | null,
): PlacedMark[] {
  const first = candles[0];
  if (first === undefined) return [];
  const begin = first.at * 1_000;
  const earliest = since === null ? begin : Math.min(since, begin);
  return marks
    .filter(({ time }) => time >= earliest)
    .sort((one, other) => one.time - other.time)
    .slice(-MARKS_MAX)
    .map((mark) => ({ ...mark, at: (lastBefore(candles, mark.time / 1_000) ?? first).at }));
}

/** Returns the last candle that began by a time, epoch s. */
function lastBefore(candles: readonly Candle[], time: number): Candle | undefined {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candles[middle]?.at ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return candles[low - 1];
}
