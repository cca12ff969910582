import { LRUCache } from 'lru-cache';
import type { Market } from '../../market/market.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { HeldLot } from './fill-book.ts';
import { heldLot } from './fills/held-lot.ts';
import { holdingKey, holdingOf, type PositionRecord } from './record.ts';

/** Closed positions that are remembered, so that a late message about one does not open it again. */
const CLOSED_MAX = 1_000;

/** All open positions in memory, by token. Their tokens are pinned in the market. */
export interface OpenBook {
  /** Takes a stored position; an earlier version than the known one changes nothing. */
  set(position: PositionRecord): void;
  /** Returns an open position; undefined for any other. `id`: hexadecimal. */
  get(id: string): PositionRecord | undefined;
  /** Returns the open positions of a token. */
  of(address: string): PositionRecord[];
  /** Returns the open positions of a wallet in a token, over all origins. `key`: of the holding. */
  ofHolding(key: string): PositionRecord[];
  all(): IterableIterator<PositionRecord>;
  /** Returns whether a token has an open position. */
  has(address: string): boolean;
  addresses(): IterableIterator<string>;
  /** Returns what the same user and wallet hold of the token. */
  lotOf(position: Pick<PositionRecord, 'userId' | 'mode' | 'cluster' | 'wallet' | 'token'>): HeldLot;
}

export function createOpenBook(market: Pick<Market, 'pin' | 'unpin'>): OpenBook {
  const byId = new Map<string, PositionRecord>();
  const byAddress = new Map<string, Set<string>>();
  const byHolding = new Map<string, Set<string>>();
  const closed = new LRUCache<string, true>({ max: CLOSED_MAX });

  function add(id: string, position: PositionRecord): void {
    byId.set(id, position);
    const { address } = position.token;
    addTo(byHolding, holdingKey(holdingOf(position)), id);
    if (addTo(byAddress, address, id)) market.pin(address);
  }

  function remove(id: string, position: PositionRecord): void {
    const { address } = position.token;
    closed.set(id, true);
    if (!byId.delete(id)) return;
    removeFrom(byHolding, holdingKey(holdingOf(position)), id);
    if (removeFrom(byAddress, address, id)) market.unpin(address);
  }

  // Asked for at every price of every token, and few are held.
  const positionsOf = (ids: ReadonlySet<string> | undefined): PositionRecord[] =>
    ids ? [...ids].flatMap((id) => byId.get(id) ?? []) : [];
  const of = (address: string) => positionsOf(byAddress.get(address));
  const ofHolding = (key: string) => positionsOf(byHolding.get(key));

  return {
    set(position) {
      const id = position._id.toHexString();
      if (closed.has(id) || (byId.get(id)?.version ?? 0) >= position.version) return;
      if (position.open) add(id, position);
      else remove(id, position);
    },
    get: (id) => byId.get(id),
    of,
    all: () => byId.values(),
    has: (address) => byAddress.has(address),
    addresses: () => byAddress.keys(),
    ofHolding,
    lotOf: (position) => heldLot(ofHolding(holdingKey(holdingOf(position))), []),
  };
}

/** Adds an id to the set of a key. Returns whether it is the first one. */
function addTo(sets: Map<string, Set<string>>, key: string, id: string): boolean {
  const ids = sets.get(key);
  if (ids) ids.add(id);
  else sets.set(key, new Set([id]));
  return ids === undefined;
}

/** Removes an id from the set of a key. Returns whether it was the last one. */
function removeFrom(sets: Map<string, Set<string>>, key: string, id: string): boolean {
  const ids = sets.get(key);
  ids?.delete(id);
  return ids?.size === 0 && sets.delete(key);
}

/**
 * Returns the last figures of a token with an open position when the market has none: it was removed. It can be sold where it
 * trades, on paper at its last reserves, and not be bought, since nothing follows it. null for any other token.
 */
export function heldCoin(book: OpenBook, address: string): TradedCoin | null {
  const positions = book.of(address);
  const position = positions.find(({ figures }) => figures) ?? positions[0];
  if (!position) return null;
  const { token, cluster, figures } = position;
  return {
    address,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    totalSupply: null,
    stage: figures?.stage ?? 'curve',
    quote: figures?.quote ?? 'SOL',
    cluster: cluster === 'mainnet' || cluster === 'devnet' || cluster === 'local' ? cluster : null,
    launchpad: figures?.launchpad ?? '',
    detectedBy: 'simulator',
    creator: null,
    mayhem: null,
    price: figures?.price ?? null,
    reserves: figures?.reserves ?? null,
    reservesVenue: figures?.reservesVenue ?? 'curve',
    areReservesExact: false,
    reservesAt: figures?.at ?? null,
    reservesSlot: null,
    liquidityLamports: null,
    riskScore: null,
    hasCopiedSymbol: false,
    lastTradeAt: null,
    isLive: false,
  };
}
