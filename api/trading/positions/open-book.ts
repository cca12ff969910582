import type { Market } from '../../market/market.ts';
import type { HeldLot } from './fill-book.ts';
import { heldLot } from './fills/held-lot.ts';
import { type Holding, holdingKey, holdingOf, type PositionRecord } from './record.ts';

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
  /** Returns the open positions of a wallet in a token, over all origins. */
  ofHolding(holding: Holding): PositionRecord[];
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
  const closed = new Set<string>();

  function add(id: string, position: PositionRecord): void {
    byId.set(id, position);
    const { address } = position.token;
    const ids = byAddress.get(address);
    if (ids) return void ids.add(id);
    byAddress.set(address, new Set([id]));
    market.pin(address);
  }

  function remove(id: string, { token: { address } }: PositionRecord): void {
    closed.add(id);
    for (const oldest of closed) {
      if (closed.size <= CLOSED_MAX) break;
      closed.delete(oldest);
    }
    if (!byId.delete(id)) return;
    const ids = byAddress.get(address);
    ids?.delete(id);
    if (ids?.size !== 0) return;
    byAddress.delete(address);
    market.unpin(address);
  }

  function of(address: string): PositionRecord[] {
    const ids = byAddress.get(address);
    // Asked for at every price of every token, and few are held.
    return ids ? [...ids].flatMap((id) => byId.get(id) ?? []) : [];
  }

  const ofHolding = (holding: Holding): PositionRecord[] => {
    const key = holdingKey(holding);
    return of(holding.address).filter((one) => holdingKey(holdingOf(one)) === key);
  };

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
    lotOf: (position) => heldLot(ofHolding(holdingOf(position)), []),
  };
}
