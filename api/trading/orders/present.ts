import { iso, isoOrNull } from '../../../common/time.ts';
import { networkCosts } from '../../../common/trading/fills.ts';
import type { Order, Quote } from '../../../common/trading/order.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import type { Trade } from '../../transactions/store.ts';
import type { TradeAsk, TradeQuote } from '../executors/executor.ts';
import type { AttemptRecord, FillRecord, OrderRecord } from './model.ts';
import { dueAtOf } from './terms.ts';

/** Returns an order as REST and events carry it, without its signed bytes. */
export function presentOrder(order: OrderRecord): Order {
  const { _id, side, status, mode, cluster, wallet, token, cause, lamports, tokens, slippageBps, version } = order;
  return {
    id: _id.toHexString(),
    side,
    status,
    mode,
    cluster,
    wallet,
    token,
    cause,
    positionId: order.positionId?.toHexString() ?? null,
    lamports,
    tokens,
    slippageBps,
    holdLamports: order.holdLamports,
    isClosed: !order.open,
    profitLamports: order.profitLamports ?? null,
    attempts: order.attempts.map(presentAttempt),
    fill: order.fill && presentFill(order.fill),
    failure: order.failure,
    times: {
      created: iso(order.times.created),
      held: isoOrNull(order.times.held),
      signed: isoOrNull(order.times.signed),
      sent: isoOrNull(order.times.sent),
      decided: isoOrNull(order.times.decided),
    },
    version,
  };
}

function presentAttempt(attempt: AttemptRecord): Order['attempts'][number] {
  const { signature, sends, lastValidBlockHeight, signedAt, firstSentAt, outcome, failure, slot } = attempt;
  return {
    signature,
    sends,
    lastValidBlockHeight,
    signedAt: iso(signedAt),
    firstSentAt: isoOrNull(firstSentAt),
    dueAt: isoOrNull(dueAtOf(attempt)),
    outcome,
    failure,
    slot,
  };
}

function presentFill({ at, ...fill }: FillRecord): NonNullable<Order['fill']> {
  return { ...fill, at: iso(at) };
}

/** Returns a quote as REST carries it. */
export function presentQuote(
  { address, side, slippageBps }: Pick<TradeAsk, 'address' | 'side' | 'slippageBps'>,
  quote: TradeQuote,
  known: Pick<Quote, 'mode' | 'venue' | 'warnings' | 'walletLamports' | 'mostLamports'>,
): Quote {
  const { decimals, tokens, leastTokens, lamports, leastLamports, spotPrice, averagePrice } = quote;
  return {
    address,
    side,
    ...known,
    decimals,
    tokens: String(tokens),
    leastTokens: leastTokens === null ? null : String(leastTokens),
    lamports: Number(lamports),
    leastLamports: leastLamports === null ? null : Number(leastLamports),
    spotPrice,
    averagePrice,
    impactBps: quote.impactBps,
    slippageBps,
    costs: quote.costs,
    totalLamports: Number(quote.totalLamports),
    at: iso(quote.at),
  };
}

/**
 * Returns the rows of the user's transactions for an order's attempts as they are now: amounts of the chain for attempts that
 * landed, of the order for others.
 */
export function attemptRows(order: OrderRecord): Trade[] {
  const { _id: orderId, userId, side: type, cluster, wallet, token, attempts } = order;
  const { address, name, symbol } = token;
  return attempts.map((attempt) => ({
    orderId,
    userId,
    type,
    cluster,
    wallet,
    token: { address, name, symbol },
    signature: attempt.signature,
    createdAt: new Date(attempt.signedAt),
    ...stateOf(order, attempt),
  }));
}

type State = Pick<Trade, 'status' | 'lamports' | 'price' | 'feeLamports' | 'profitLamports' | 'failure'>;

function stateOf(order: OrderRecord, { outcome, fill, failure, feeLamports }: AttemptRecord): State {
  const { status, lamports, attempts, profitLamports = null } = order;
  const open = { lamports, price: null, feeLamports: null, profitLamports: null, failure: null };
  if (outcome === null) return { ...open, status: status === 'unknown' ? 'unknown' : 'pending' };
  if (outcome === 'landed' && fill) {
    return {
      status: 'confirmed',
      lamports: fill.lamports,
      price: fill.price,
      feeLamports: networkCosts(fill.costs),
      // Of two transactions that have sold, no one has the profit of both.
      profitLamports: attempts.filter((one) => one.outcome === 'landed').length === 1 ? profitLamports : null,
      failure: null,
    };
  }
  // Only a transaction in a block has paid a fee.
  const paid = outcome === 'reverted' ? feeLamports : null;
  return { ...open, status: 'failed', feeLamports: paid, failure: failure && reasonText(failure) };
}
