import { spanBegin, withTrade } from '../../../../common/tokens/candles/build.ts';
import {
  CANDLES_MAX,
  type Candle,
  type CandleInterval,
  type CandlePage,
  INTERVAL_SECONDS,
} from '../../../../common/tokens/candles/model.ts';
import type { Trade } from '../../../../common/tokens/model.ts';

/** Live trades that are kept to be added to a page that was fetched before them. */
const RECENT_MAX = 1_000;

/** What changed: the last candle alone, which may be new, or any of them. */
export type CandleChange = 'last' | 'all';

/** The candles of one coin and interval: fetched pages with the live trades after them. */
export interface CandleSeries {
  readonly interval: CandleInterval;
  /** Oldest first. The array is a new one after each change of `all`; its last candle is replaced by `last`. */
  candles(): readonly Candle[];
  /** Origins of the candles before the live ones. */
  parts(): CandlePage['parts'];
  /** `before` of the next older page; null when there is none, or no room. */
  older(): number | null;
  /** Returns whether no candle is older than the first one. */
  isWhole(): boolean;
  /** Takes the newest page; older candles stay. */
  load(page: CandlePage): void;
  loadOlder(page: CandlePage): void;
  /** Adds trades of the feed, oldest first. One that a page has already is left out, and a late one waits for the next page. */
  addTrades(trades: readonly Trade[]): void;
  /** Calls `listener` after each change. Returns the function that ends it. */
  subscribe(listener: (change: CandleChange) => void): () => void;
}

export function createCandleSeries(interval: CandleInterval): CandleSeries {
  const seconds = INTERVAL_SECONDS[interval];
  const listeners = new Set<(change: CandleChange) => void>();
  let candles: Candle[] = [];
  let parts: CandlePage['parts'] = [];
  let next: number | null = null;
  /** Time of the newest trade in the candles, and the ids of the trades of that time. */
  let newest: { at: string; ids: Set<string> } = { at: '', ids: new Set() };
  let recent: Trade[] = [];
  let isLoaded = false;

  const emit = (change: CandleChange) => {
    for (const listener of listeners) listener(change);
  };

  function isNew({ at, id }: Trade): boolean {
    return at > newest.at || (at === newest.at && !newest.ids.has(id));
  }

  function add(trade: Trade): void {
    if (trade.at === newest.at) newest.ids.add(trade.id);
    else newest = { at: trade.at, ids: new Set([trade.id]) };
    const { side, price, sol } = trade;
    if (price === null || price <= 0) return;
    const at = Date.parse(trade.at);
    const last = candles.at(-1);
    const begin = spanBegin(at, seconds);
    const before = last?.at === begin ? last : undefined;
    if (before !== undefined) candles.pop();
    candles.push(withTrade(before, { at, side, price, amount: sol }, seconds));
    if (last === undefined) parts = [{ from: 'trades', since: begin }];
  }

  return {
    interval,
    candles: () => candles,
    parts: () => parts,
    older: () => (candles.length < CANDLES_MAX ? next : null),
    isWhole: () => next === null,
    load(page) {
      const first = page.candles[0]?.at ?? Number.POSITIVE_INFINITY;
      const kept = isLoaded && page.next !== null ? candles.filter(({ at }) => at < first) : [];
      candles = [...kept, ...page.candles].slice(-CANDLES_MAX);
      if (kept.length === 0) {
        next = page.next;
        parts = page.parts;
      }
      newest = { at: page.newest?.at ?? '', ids: new Set(page.newest?.ids) };
      isLoaded = true;
      for (const trade of recent) if (isNew(trade)) add(trade);
      emit('all');
    },
    loadOlder(page) {
      const first = candles[0]?.at ?? Number.POSITIVE_INFINITY;
      candles = [...page.candles.filter(({ at }) => at < first), ...candles];
      next = page.next;
      parts = [...page.parts, ...parts.filter(({ from }) => page.parts.every((older) => older.from !== from))];
      emit('all');
    },
    addTrades(trades) {
      recent = [...recent, ...trades].slice(-RECENT_MAX);
      if (!isLoaded) return;
      const fresh = trades.filter(isNew);
      for (const trade of fresh) {
        if (!isNew(trade)) continue;
        add(trade);
        emit('last');
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
