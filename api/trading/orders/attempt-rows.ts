import { networkCosts } from '../../../common/trading/fills.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import type { Trade } from '../../transactions/store.ts';
import type { AttemptRecord, OrderRecord } from './record.ts';

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

type State = Pick<Trade, 'status' | 'lamports' | 'price' | 'feeLamports' | 'failure'>;

function stateOf({ status, lamports }: OrderRecord, { outcome, fill, failure, feeLamports }: AttemptRecord): State {
  const open = { lamports, price: null, feeLamports: null, failure: null };
  if (outcome === null) return { ...open, status: status === 'unknown' ? 'unknown' : 'pending' };
  if (outcome === 'landed' && fill) {
    return {
      status: 'confirmed',
      lamports: fill.lamports,
      price: fill.price,
      feeLamports: networkCosts(fill.costs),
      failure: null,
    };
  }
  // Only a transaction in a block has paid a fee.
  const paid = outcome === 'reverted' ? feeLamports : null;
  return { ...open, status: 'failed', feeLamports: paid, failure: failure && reasonText(failure) };
}
