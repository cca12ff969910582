import type { Reason } from '../../../../common/trading/reasons.ts';
import type { CoreAccount, PendingBuy } from '../model.ts';
import type { TrackedToken } from './tokens.ts';

/** Pairs of a user that wait for a change of the account; beyond twice as many, the oldest are left out until there is room. */
export const BLOCKED_MAX = 500;

/** A plan and a token that waits for its user's account. */
export interface Pair {
  planId: string;
  token: TrackedToken;
}

/** A user with active plans or open orders of plans. */
export interface UserState {
  readonly id: string;
  /** Null: not received. */
  account: CoreAccount | null;
  readonly lists: Map<string, 'white' | 'black'>;
  /** Purchases whose order is not over, by key. */
  readonly pending: Map<string, PendingBuy>;
  /** Pairs whose conditions are met and that the account refuses, by the key of their order, oldest first. */
  readonly blocked: Map<string, Pair>;
  /** Whether further pairs wait that had no room in `blocked`. */
  hasMore: boolean;
  /** Refusals by the amount of a purchase that needs a place, at a time (epoch ms) with as many orders on their way: many pairs ask the same. */
  refusals: { at: number; orders: number; account: CoreAccount | null; byLamports: Map<number, Reason | null> };
  /** When a limit of the account ends by time, epoch ms; Infinity: never. */
  nextAt: number;
}

/** Money and places that orders on their way will need, and that the account does not reserve yet. */
export interface PendingNeeds {
  lamports: number;
  totalLamports: number;
  /** Their tokens, one entry for each. */
  addresses: string[];
  /** Newest decision, epoch ms; 0 without one. */
  lastAt: number;
}

export function createUser(id: string): UserState {
  return {
    id,
    account: null,
    lists: new Map(),
    pending: new Map(),
    blocked: new Map(),
    hasMore: false,
    refusals: { at: 0, orders: 0, account: null, byLamports: new Map() },
    nextAt: Number.POSITIVE_INFINITY,
  };
}

export function pendingNeeds({ pending }: UserState): PendingNeeds {
  const needs: PendingNeeds = { lamports: 0, totalLamports: 0, addresses: [], lastAt: 0 };
  for (const { buy, totalLamports, isHeld } of pending.values()) {
    if (isHeld) continue;
    needs.lamports += buy.lamports;
    needs.totalLamports += totalLamports;
    needs.addresses.push(buy.address);
    needs.lastAt = Math.max(needs.lastAt, buy.decidedAt);
  }
  return needs;
}

/** Adds a pair that the account refuses. */
export function block(user: UserState, key: string, pair: Pair): void {
  const { blocked } = user;
  // A token that came back is another one.
  if (blocked.get(key)?.token.isGone) blocked.delete(key);
  if (!blocked.has(key)) blocked.set(key, pair);
  if (blocked.size <= 2 * BLOCKED_MAX) return;
  user.hasMore = true;
  // Many at once, since finding the oldest costs as much as the number dropped before.
  let surplus = blocked.size - BLOCKED_MAX;
  for (const oldest of blocked.keys()) {
    if (surplus <= 0) return;
    blocked.delete(oldest);
    surplus -= 1;
  }
}
