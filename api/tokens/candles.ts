import type { Model, PipelineStage } from 'mongoose';
import { type Clock, DAY, HOUR, iso, MINUTE, SECOND } from '../../common/time.ts';
import { joinCandles, spanBegin, withTrade } from '../../common/tokens/candles/build.ts';
import {
  CANDLES_DEFAULT,
  type Candle,
  type CandleInterval,
  type CandleOrigin,
  type CandlePage,
  INTERVAL_SECONDS,
} from '../../common/tokens/candles/model.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from './record.ts';

/** Trades that one page is made of, at most: older ones are on the next page. The oldest span is always whole. */
const TRADES_MAX = 20_000;
/** Ids of the newest trades, at most. */
const NEWEST_MAX = 500;

export interface CandleQuery {
  /** Default: 1m. */
  interval?: CandleInterval | undefined;
  /** Only candles of spans that ended until then, epoch s. */
  before?: number | undefined;
  limit?: number | undefined;
}

/** A candle whose volume is in lamports, with the times of its first and last trade, epoch ms. */
interface TimedCandle extends Candle {
  firstAt: number;
  lastAt: number;
}

/** Lifetime of trades and of points of minutes, ms. */
const TRADES_KEPT = DAY;
const MINUTES_KEPT = 8 * HOUR;

/** The token that candles are of. */
type Charted = Pick<TokenRecord, '_id' | 'listedAt'>;

/** Trades from `begin` to before `end`, and the `newest` ones, which are of that time. */
interface TradeSpan {
  begin: Date;
  end: Date;
  limit: number;
  newest: readonly TradeRecord[];
}

export interface CandleDeps {
  models: { trades: Model<TradeRecord>; samples: Model<SampleRecord> };
  market: {
    /** Returns the trades and samples of a token that may not be in MongoDB yet, oldest first. */
    unstored(address: string): { trades: readonly TradeRecord[]; samples: readonly SampleRecord[] };
  };
  clock: Clock;
  /** Default: `TRADES_MAX`. */
  tradesMax?: number;
}

/** Creates the query of candles, whose volumes are in lamports. */
export function createCandleQuery(deps: CandleDeps) {
  const {
    market,
    models: { trades },
    tradesMax = TRADES_MAX,
  } = deps;

  /** Returns the candles of trades, oldest first, and whether older trades are left out. */
  async function ofTrades(address: string, seconds: number, { begin, end, limit, newest }: TradeSpan) {
    // Read first: a write that ends meanwhile would show in neither.
    const pending = [...market.unstored(address).trades.filter(({ at }) => at < end), ...newest];
    const unstored = pending.filter(({ at }) => at >= begin);
    const span = { $gte: begin, $lt: end };
    // Index { address: 1, at: -1 } alone.
    const [cut] = await trades
      .find({ address, at: span }, { _id: 0, at: 1 })
      .sort({ at: -1 })
      .skip(Math.max(0, tradesMax - newest.length))
      .limit(1)
      .lean<Pick<TradeRecord, 'at'>[]>()
      .exec();
    const since = cut === undefined ? begin : new Date(spanBegin(cut.at.getTime(), seconds) * SECOND);
    const match = { address, at: { ...span, $gte: since }, price: { $gt: 0 } };
    const others = unstored.length === 0 ? {} : { _id: { $nin: unstored.map(({ _id }) => _id) } };
    const stored = await trades.aggregate<TimedCandle>(grouped({ ...match, ...others }, seconds, limit + 1)).exec();
    const all = withUnstored(stored.reverse(), unstored, seconds);
    return { candles: all.slice(-limit), hasOlder: cut !== undefined || all.length > limit };
  }

  /** Resolves with a page of candles, the newest ones unless `before` is given. */
  return async function candles(token: Charted, query: CandleQuery): Promise<CandlePage> {
    const { _id: address } = token;
    const { interval = '1m', before, limit = CANDLES_DEFAULT } = query;
    const seconds = INTERVAL_SECONDS[interval];
    const end = before === undefined ? null : Math.floor(before / seconds) * seconds;
    const known = end === null ? await newestTrades(deps, address) : null;
    // Trades that are not among the newest are left out, also those of the same time: a client that receives them adds them.
    const tradesEnd = end === null ? (known?.at ?? new Date(0)) : new Date(end * SECOND);
    const begin = new Date((await wholeFrom(deps, token, seconds, TRADES_KEPT)) * SECOND);
    const span = { begin, end: tradesEnd, limit, newest: known?.trades ?? [] };
    const { candles: ofTape, hasOlder } = await ofTrades(address, seconds, span);
    const parts: { from: CandleOrigin; candles: readonly Candle[] }[] = [{ from: 'trades', candles: ofTape }];
    if (!hasOlder && seconds * SECOND >= MINUTE) {
      const first = ofTape[0]?.at ?? end ?? Number.POSITIVE_INFINITY;
      const minutesFrom = await wholeFrom(deps, token, seconds, MINUTES_KEPT);
      const minutes = (await candlesOfSamples(deps, { address, grain: 'minute', seconds, end: first })).filter(
        ({ at }) => at >= minutesFrom,
      );
      const hoursEnd = minutes[0]?.at ?? first;
      const hours = await candlesOfSamples(deps, { address, grain: 'hour', seconds: HOUR / SECOND, end: hoursEnd });
      parts.unshift({ from: 'hours', candles: hours }, { from: 'minutes', candles: minutes });
    }
    const all = parts.flatMap((part) => part.candles);
    const page = all.slice(-limit);
    const first = page[0]?.at ?? 0;
    return {
      candles: page,
      parts: parts.flatMap(({ from, candles }) => {
        const own = candles.find(({ at }) => at >= first);
        return own === undefined ? [] : [{ from, since: own.at }];
      }),
      next: page.length > 0 && (hasOlder || all.length > page.length) ? first : null,
      newest: known && { at: iso(known.at.getTime()), ids: known.trades.map(({ _id }) => _id) },
    };
  };
}

/**
 * Returns the begin of the first span (epoch s) whose trades, or points of minutes, are all stored: those older than `kept` (ms) expire
 * one by one. It is a whole hour where the point of the hour before is stored, since its candle then takes the place of the rest.
 */
async function wholeFrom(
  { models: { samples }, clock }: CandleDeps,
  { _id: address, listedAt }: Charted,
  seconds: number,
  kept: number,
): Promise<number> {
  const expired = clock.now() - kept;
  if (listedAt >= expired) return 0;
  const hour = Math.ceil(expired / HOUR) * HOUR;
  // Index { address: 1, grain: 1, at: 1 }.
  const point = seconds * SECOND < MINUTE ? null : await samples.exists({ address, grain: 'hour', at: new Date(hour) });
  return point === null ? Math.ceil(expired / (seconds * SECOND)) * seconds : hour / SECOND;
}

/** Returns the candles of chart points of spans that ended until `end` (epoch s), oldest first. */
async function candlesOfSamples(
  { models: { samples }, market }: CandleDeps,
  { address, grain, seconds, end }: { address: string; grain: 'minute' | 'hour'; seconds: number; end: number },
): Promise<Candle[]> {
  const unstored = market.unstored(address).samples.filter((sample) => sample.grain === grain);
  const until = Number.isFinite(end) ? { at: { $lte: new Date(end * SECOND) } } : {};
  // Index { address: 1, grain: 1, at: 1 }.
  const found = await samples
    .find({ address, grain, ...until })
    .sort({ at: 1 })
    .lean<SampleRecord[]>()
    .exec();
  // A point is replaced by its newer one.
  const points = new Map([...found, ...unstored].map((point) => [point.at.getTime(), point]));
  const candles = new Map<number, Candle>();
  for (const point of [...points.values()].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const candle = candleOf(point, seconds);
    if (candle === null || candle.at + seconds > end) continue;
    const before = candles.get(candle.at);
    candles.set(candle.at, before === undefined ? candle : joinCandles(before, candle));
  }
  return [...candles.values()];
}

/** Returns the newest trades, which have one time; null without one. Index { address: 1, at: -1 }. */
async function newestTrades(
  { models: { trades }, market }: CandleDeps,
  address: string,
): Promise<{ at: Date; trades: TradeRecord[] } | null> {
  const unstored = market.unstored(address).trades;
  const last = await trades
    .findOne({ address }, { at: 1 })
    .sort({ at: -1 })
    .lean<Pick<TradeRecord, '_id' | 'at'>>()
    .exec();
  const times = [...unstored, ...(last === null ? [] : [last])].map(({ at }) => at.getTime());
  if (times.length === 0) return null;
  const at = new Date(Math.max(...times));
  const stored = await trades.find({ address, at }).limit(NEWEST_MAX).lean<TradeRecord[]>().exec();
  const newest = [...stored, ...unstored.filter((trade) => trade.at.getTime() === at.getTime())];
  return { at, trades: [...new Map(newest.map((trade) => [trade._id, trade])).values()] };
}

/** Returns the stages that make candles of the matching trades, newest first. Index { address: 1, at: -1 }. */
function grouped($match: Record<string, unknown>, seconds: number, $limit: number): PipelineStage[] {
  const at = { $toLong: '$_id' };
  const ms = seconds * SECOND;
  const figures = {
    high: { $max: '$high' },
    low: { $min: '$low' },
    lamports: { $sum: '$lamports' },
    bought: { $sum: '$bought' },
    unknown: { $sum: '$unknown' },
  };
  const isKnown = { $eq: ['$unknown', 0] };
  return [
    { $match },
    // In the order of the index, which has trades of the same time in the order of their writes: blocks have times of whole seconds.
    { $sort: { address: 1, at: -1 } },
    {
      $group: {
        _id: '$at',
        open: { $first: '$price' },
        close: { $last: '$price' },
        high: { $max: '$price' },
        low: { $min: '$price' },
        lamports: { $sum: '$lamports' },
        bought: { $sum: { $cond: [{ $eq: ['$side', 'buy'] }, '$lamports', 0] } },
        unknown: { $sum: { $cond: [{ $eq: ['$lamports', null] }, 1, 0] } },
      },
    },
    { $sort: { _id: 1 } },
    {
      $group: {
        _id: { $subtract: [at, { $mod: [at, ms] }] },
        open: { $first: '$open' },
        close: { $last: '$close' },
        firstAt: { $first: at },
        lastAt: { $last: at },
        ...figures,
      },
    },
    { $sort: { _id: -1 } },
    { $limit },
    {
      $project: {
        _id: 0,
        at: { $toInt: { $divide: ['$_id', SECOND] } },
        ...{ open: 1, high: 1, low: 1, close: 1, firstAt: 1, lastAt: 1 },
        volume: { $cond: [isKnown, '$lamports', null] },
        bought: { $cond: [isKnown, '$bought', null] },
      },
    },
  ];
}

/** Returns candles with the trades that MongoDB may lack. Both are oldest first. */
function withUnstored(stored: readonly TimedCandle[], unstored: readonly TradeRecord[], seconds: number): Candle[] {
  const candles = new Map(stored.map((candle) => [candle.at, candle]));
  for (const { at: time, side, price, lamports } of unstored) {
    if (price === null || price <= 0) continue;
    const at = time.getTime();
    const begin = spanBegin(at, seconds);
    const before = candles.get(begin);
    const after = withTrade(before, { at, side, price, amount: lamports }, seconds);
    const { open, close, firstAt, lastAt } = before ?? { ...after, firstAt: at, lastAt: at };
    candles.set(begin, {
      ...after,
      // A trade may come late.
      open: at < firstAt ? price : open,
      close: at < lastAt ? close : price,
      firstAt: Math.min(at, firstAt),
      lastAt: Math.max(at, lastAt),
    });
  }
  return [...candles.values()]
    .sort((a, b) => a.at - b.at)
    .map(({ firstAt: _firstAt, lastAt: _lastAt, ...candle }) => candle);
}

/** Returns the candle of a chart point, which stands at the end of its span; null without a price. */
function candleOf({ at, grain, open, high, low, price, volumeLamports }: SampleRecord, seconds: number): Candle | null {
  if (price === null) return null;
  const span = grain === 'hour' ? HOUR : MINUTE;
  return {
    at: spanBegin(at.getTime() - span, seconds),
    ...{ open: open ?? price, high: high ?? price, low: low ?? price, close: price },
    // No lamports in a span with a trade: their number is unknown.
    volume: volumeLamports === 0 ? null : volumeLamports,
    bought: null,
  };
}
