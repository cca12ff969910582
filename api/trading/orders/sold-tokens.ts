import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { TradeTerms, TradingMode } from '../../../common/trading/account.ts';
import { paperPriorityFee, SIGNATURE_FEE_LAMPORTS } from '../../../common/trading/fills.ts';
import { least } from '../../../common/trading/lots.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { Executor, Outcome } from '../executors/executor.ts';
import type { PositionBook } from '../positions/fill-book.ts';
import type { OrderStore } from './store.ts';

interface SoldDeps {
  positions: Pick<PositionBook, 'findOpen' | 'initialTokens'>;
  store: Pick<OrderStore, 'salesOf'>;
}

/** Venue, wallet and fees of a sale. */
interface Place {
  mode: TradingMode;
  executor: Executor;
  wallet: string;
  terms: Pick<TradeTerms, 'priorityMaxLamports' | 'tipLamports'>;
}

/** The size of a sale, as in `TradeRequest`. */
interface SaleRequest {
  address: string;
  positionId?: string | undefined;
  sharePercent?: number | undefined;
  initial?: true | undefined;
  tokens?: bigint | undefined;
}

/** Returns how much of a token is sold, and whether that is all of it. */
export async function soldTokens(
  deps: SoldDeps,
  userId: string,
  place: Place,
  request: SaleRequest,
): Promise<Outcome<{ tokens: bigint; isAll: boolean }>> {
  const { address, tokens, sharePercent = 100, positionId } = request;
  const { executor, wallet } = place;
  const own = positionId === undefined ? null : await positionTokens(deps, userId, place, { address, positionId });
  if (own && !own.ok) return own;
  const initial = request.initial && positionId !== undefined ? await initialTokens(deps, place, positionId) : null;
  if (initial && !initial.ok) return initial;
  const [held = 0n] = await executor.balances([{ userId, wallet, address }]).catch(() => [null]);
  if (held === null) return { ok: false, reason: reason('node-away') };
  if (held === 0n) return { ok: false, reason: reason('no-tokens') };
  // A sale on its way returns a part of the price that is not counted yet.
  if (initial && own && own.value.unsold < own.value.tokens) return { ok: false, reason: reason('being-sold') };
  const wanted = initial?.value ?? tokens ?? ((own?.value.tokens ?? held) * BigInt(sharePercent)) / 100n;
  const sold = least(wanted, least(own?.value.unsold ?? held, held));
  if (sold === 0n) return { ok: false, reason: reason('too-small') };
  return { ok: true, value: { tokens: sold, isAll: sold === held } };
}

/**
 * Returns what one of a user's open positions has of a token, and how much of it no other sale takes, base units; or why it cannot be
 * sold here. The sales are read first: one whose fill gets into the position meanwhile is the last order of it.
 */
async function positionTokens(
  { positions, store }: SoldDeps,
  userId: string,
  { mode, executor, wallet }: Place,
  { positionId, address }: { positionId: string; address: string },
): Promise<Outcome<{ tokens: bigint; unsold: bigint }>> {
  const sales = await store.salesOf(userId, positionId);
  const position = await positions.findOpen(positionId);
  if (position?.userId !== userId || position.token.address !== address || position.mode !== mode) {
    return { ok: false, reason: reason('no-position') };
  }
  if (position.wallet !== wallet) return { ok: false, reason: reason('wallet-changed') };
  if (isElsewhere(executor, position.cluster)) return { ok: false, reason: reason('other-cluster') };
  const { tokens, lastOrderId } = position;
  const taken = sales.reduce((sum, sale) => (sale.orderId === lastOrderId ? sum : sum + sale.tokens), 0n);
  return taken < tokens
    ? { ok: true, value: { tokens, unsold: tokens - taken } }
    : { ok: false, reason: reason('being-sold') };
}

/** Returns the base units of a position whose sale returns the rest of its price; or why that is impossible. */
function initialTokens(
  { positions }: SoldDeps,
  { mode, terms: { priorityMaxLamports, tipLamports } }: Place,
  positionId: string,
): Promise<Outcome<bigint>> {
  const priority = mode === 'paper' ? paperPriorityFee(priorityMaxLamports) : priorityMaxLamports;
  return positions.initialTokens(positionId, SIGNATURE_FEE_LAMPORTS + priority + tipLamports);
}

/** Returns whether an executor trades on another network than that of a position; false while its own is unknown. */
export function isElsewhere(executor: Pick<Executor, 'cluster'>, cluster: ChainCluster | null): boolean {
  return executor.cluster !== null && executor.cluster !== cluster;
}
