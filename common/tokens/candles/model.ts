import { z } from 'zod';

/** Lengths of the spans of candles. */
export const candleIntervalSchema = z.enum(['1s', '5s', '15s', '1m', '5m', '15m']);
export type CandleInterval = z.infer<typeof candleIntervalSchema>;

/** Length of each interval, s. */
export const INTERVAL_SECONDS: Record<CandleInterval, number> = {
  '1s': 1,
  '5s': 5,
  '15s': 15,
  '1m': 60,
  '5m': 300,
  '15m': 900,
};

/** Candles of a page without `?limit=`, and the most of one. */
export const CANDLES_DEFAULT = 1_000;
export const CANDLES_MAX = 5_000;

/** Prices and volume of one span. A span without a trade has no candle. */
export const candleSchema = z.strictObject({
  /** Begin of the span, epoch s. */
  at: z.int(),
  /** Prices after the first and the last trade, the highest and the lowest one, SOL. */
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  /** SOL traded; null when a trade has no SOL value. */
  volume: z.number().nullable(),
  /** The part of the volume that was bought; null when the sides are unknown. */
  bought: z.number().nullable(),
});
export type Candle = z.infer<typeof candleSchema>;

/** Origin of a run of candles: trades, or chart points of minutes or hours, which do not know the sides of the volume. */
export const candleOriginSchema = z.enum(['hours', 'minutes', 'trades']);
export type CandleOrigin = z.infer<typeof candleOriginSchema>;

export const candlePageSchema = z.strictObject({
  /** Oldest first. */
  candles: z.array(candleSchema).max(CANDLES_MAX),
  /**
   * Origins of the candles, oldest first, each from the begin of its first one (epoch s). Trades are kept for a day; before them
   * intervals from a minute on are made of chart points. A candle of `hours` spans an hour, whatever the interval.
   */
  parts: z.array(z.strictObject({ from: candleOriginSchema, since: z.int() })).max(3),
  /** `before` of the next older page; null at the end. */
  next: z.int().nullable(),
  /** Time and ids of the newest trades in the candles; live trades that are later, or of the same time with other ids, follow. */
  newest: z.strictObject({ at: z.iso.datetime(), ids: z.array(z.string()) }).nullable(),
});
export type CandlePage = z.infer<typeof candlePageSchema>;
