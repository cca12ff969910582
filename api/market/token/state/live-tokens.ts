import { presentToken } from '../../../tokens/present.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { createLiveToken, type LiveToken, type PinState } from './live-token.ts';

/** Tokens in memory; beyond it the longest idle ones are evicted, and hydrated again with their next observation. */
export const MAX_LIVE = 30_000;
/** Wallets of all ledgers together: a second bound, for days when single coins have thousands of holders. */
const MAX_WALLETS = 1_500_000;
/** A token idle for this long, and too old to enter a list by age, is evicted, ms. */
const IDLE_AFTER = 30 * 60_000;
const TOO_OLD_FOR_LISTS = 2 * 3_600_000;
/** Share of the idle tokens evicted beyond the bound, so that it happens rarely. */
const EVICT_SHARE = 0.05;

export type LiveTokens = ReturnType<typeof createLiveTokens>;

/** `onDropped` receives each token that is evicted or removed. */
export function createLiveTokens(onDropped: (live: LiveToken) => void = () => undefined) {
  const tokens = new Map<string, LiveToken>();
  let passing = tokens.values();
  const pins = createPins(tokens);

  function add(live: LiveToken): LiveToken {
    const address = live.record._id;
    tokens.set(address, live);
    pins.onAdded(live);
    return live;
  }

  function drop(live: LiveToken): void {
    tokens.delete(live.record._id);
    onDropped(live);
  }

  return {
    get size() {
      return tokens.size;
    },
    get: (address: string) => tokens.get(address),
    /** Returns false when no further unknown token fits: tokens that are not stored yet cannot be evicted. */
    hasRoom: () => tokens.size < 2 * MAX_LIVE,
    add,
    /** Adds a token from its stored record. It was published before, so only later changes are published. */
    load(record: TokenRecord, now: number) {
      const live = createLiveToken(record, true, now);
      live.published = presentToken(record);
      return add(live);
    },
    values: () => tokens.values(),
    /** Yields the next `share` of all tokens, round robin. */
    *nextSlice(share: number) {
      for (let left = Math.ceil(tokens.size * share); left > 0; left -= 1) {
        let next = passing.next();
        if (next.done) {
          passing = tokens.values();
          next = passing.next();
          if (next.done) return;
        }
        yield next.value;
      }
    },
    /** Removes and returns the tokens that match, even when they have unwritten changes. */
    remove(matches: (record: TokenRecord) => boolean) {
      const removed = new Set([...tokens.values()].filter(({ record }) => matches(record)));
      for (const live of removed) drop(live);
      return removed;
    },
    /** Evicts the token if it is idle and completely stored. */
    evictIdle(live: LiveToken, now: number) {
      const { record } = live;
      if (live.pin !== null) return;
      if (now - live.touchedAt < IDLE_AFTER || now - record.listedAt < TOO_OLD_FOR_LISTS) return;
      if (!record.runner && !record.mightRun && isSaved(live)) drop(live);
    },
    /** Evicts tokens beyond the memory bounds. Walks over all tokens. */
    trim() {
      for (const live of surplusOf(tokens)) drop(live);
    },
    ...pins,
  };
}

/** Creates the pins of tokens: how often each address is pinned. */
function createPins(tokens: ReadonlyMap<string, LiveToken>) {
  const counts = new Map<string, number>();
  const unloaded = new Set<string>();
  return {
    /** Takes note of a token that is in memory from now on. */
    onAdded(live: LiveToken): void {
      unloaded.delete(live.record._id);
      if (counts.has(live.record._id)) live.pin = pinOf(live);
    },
    /** Keeps the token in memory until it is unpinned as many times. It is loaded with the next tick when it is not there. */
    pin(address: string) {
      const count = counts.get(address) ?? 0;
      counts.set(address, count + 1);
      if (count > 0) return;
      const live = tokens.get(address);
      if (live === undefined) unloaded.add(address);
      else live.pin = pinOf(live);
    },
    /** Returns whether the token is not pinned any more. */
    unpin(address: string) {
      const count = counts.get(address) ?? 0;
      if (count > 1) counts.set(address, count - 1);
      if (count !== 1) return false;
      counts.delete(address);
      unloaded.delete(address);
      const live = tokens.get(address);
      if (live !== undefined) live.pin = null;
      return true;
    },
    pinnedAddresses: () => counts.keys(),
    unloadedPins: unloaded,
  };
}

/** Returns the tokens to evict, the longest idle first; none while there are few tokens and wallets. */
function surplusOf(tokens: ReadonlyMap<string, LiveToken>): LiveToken[] {
  if (tokens.size <= MAX_LIVE && walletsOf(tokens.values()) <= MAX_WALLETS) return [];
  const idle = [...tokens.values()].filter(isEvictable).sort((a, b) => a.touchedAt - b.touchedAt);
  const over = Math.max(0, tokens.size - MAX_LIVE);
  return idle.slice(0, over + Math.ceil(idle.length * EVICT_SHARE));
}

function walletsOf(tokens: Iterable<LiveToken>): number {
  let count = 0;
  for (const { ledger } of tokens) count += ledger?.size ?? 0;
  return count;
}

/** Returns the state that the first price step of a token is compared with. */
function pinOf({ record: { price, reserves, stage } }: LiveToken): PinState {
  return { at: Number.NEGATIVE_INFINITY, price, reserves, stage };
}

function isEvictable(live: LiveToken): boolean {
  return live.pin === null && isSaved(live);
}

function isSaved(live: LiveToken): boolean {
  return live.stored && live.dirty.size === 0 && live.writes === 0 && !live.changed;
}
