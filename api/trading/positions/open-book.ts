import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { SECOND } from '../../../common/time.ts';
import type { EventSource } from '../../events/bus.ts';
import type { Market } from '../../market/market.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { HeldLot } from './fill-book.ts';
import { type HeldFigures, holdingKey, holdingOf, type PositionChange, type PositionRecord } from './model.ts';
import { heldLot } from './plan-fill.ts';

/** Closed positions that are remembered, so that a late message about one does not open it again. */
const CLOSED_MAX = 1_000;

export type OpenBook = ReturnType<typeof createOpenBook>;

/** All open positions in memory, by token. Their tokens are pinned in the market. */
export function createOpenBook(market: Pick<Market, 'pin' | 'unpin'>) {
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
  const ofHolding = (key: string) => positionsOf(byHolding.get(key));

  return {
    /** Takes a stored position; an earlier version than the known one changes nothing. */
    set(position: PositionRecord): void {
      const id = position._id.toHexString();
      if (closed.has(id) || (byId.get(id)?.version ?? 0) >= position.version) return;
      if (position.open) add(id, position);
      else remove(id, position);
    },
    /** Returns an open position; undefined for any other. `id`: hexadecimal. */
    get: (id: string) => byId.get(id),
    /** Returns the open positions of a token. */
    of: (address: string) => positionsOf(byAddress.get(address)),
    /** Returns the open positions of a wallet in a token, over all origins. `key`: of the holding. */
    ofHolding,
    all: () => byId.values(),
    addresses: () => byAddress.keys(),
    /** Returns what the same user and wallet hold of the token. */
    lotOf: (position: Parameters<typeof holdingOf>[0]): HeldLot =>
      heldLot(ofHolding(holdingKey(holdingOf(position))), []),
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

/** Removed tokens whose figures are remembered. */
const REMOVED_MAX = 1_000;
/** Figures that were not stored, because the database was away, are stored in this interval, ms. */
const RETRY_MS = 10 * SECOND;

/**
 * Stores the figures of held tokens with their positions when the market removes them: they can then still be sold, and have a last
 * value. Returns the function that ends it.
 */
export function keepLastFigures(deps: {
  book: Pick<OpenBook, 'get' | 'of'>;
  market: Pick<Market, 'liveCoin' | 'onRemoving'>;
  updateAll(changes: readonly { id: PositionRecord['_id']; change: PositionChange }[]): Promise<unknown>;
  bus: EventSource;
  log: Logger;
}): () => Promise<void> {
  const { book, market, updateAll, bus, log } = deps;
  const removed = new LRUCache<string, HeldFigures>({ max: REMOVED_MAX });
  let present: Promise<void> = Promise.resolve();

  /** Returns a position with the last figures of its removed token; null when it needs none. */
  const withFigures: PositionChange = (position) => {
    const figures = removed.get(position.token.address);
    return figures && figures.at !== position.figures?.at ? { ...position, figures } : null;
  };

  /** Stores the figures with the positions that lack them. */
  async function keep(positions: readonly PositionRecord[]): Promise<void> {
    const lacking = positions.filter((position) => withFigures(position) !== null);
    if (lacking.length > 0) await updateAll(lacking.map(({ _id }) => ({ id: _id, change: withFigures })));
  }

  const ends = [
    // Before they are gone, so that no crash loses them.
    market.onRemoving(async (addresses) => {
      for (const address of addresses) {
        const coin = market.liveCoin(address);
        if (coin) removed.set(address, figuresOf(coin));
      }
      await keep(addresses.flatMap(book.of));
    }),
    // A purchase that was sent before the removal opens its position after it.
    bus.on('position-changed', async ({ position: { id } }) => {
      const position = book.get(id);
      if (position) await keep([position]);
    }),
  ];
  const retry = setInterval(() => {
    present = present
      .then(() => keep([...removed.keys()].flatMap(book.of)))
      .catch((error: unknown) => log.warn({ error }, 'figures of removed tokens were not stored, retrying'));
  }, RETRY_MS);
  retry.unref();
  return () => {
    for (const end of ends) end();
    clearInterval(retry);
    return present;
  };
}

function figuresOf({ launchpad, quote, stage, reserves, reservesVenue, price, reservesAt }: TradedCoin): HeldFigures {
  return { launchpad, quote, stage, reserves, reservesVenue, price, at: reservesAt };
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
