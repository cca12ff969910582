import type { OrderRecord } from '../orders/record.ts';
import type { TapeOrder } from './format.ts';

/** Returns an order as the tape records it; null for one that is not on paper, or has nothing to record yet. */
export function tapeOrderOf(order: OrderRecord): TapeOrder | null {
  const { mode, open, attempts, exits = null, times } = order;
  if (mode !== 'paper' || (open && attempts.length === 0)) return null;
  const { key, side, wallet, cause, lamports, tokens, isWholePosition, slippageBps, failure } = order;
  const { priorityMaxLamports, tipLamports, holdLamports } = order;
  return {
    id: order._id.toHexString(),
    userId: order.userId.toHexString(),
    positionId: soldPosition(order),
    address: order.token.address,
    ...{ key, side, wallet, cause, lamports, tokens, isWholePosition, slippageBps, exits, failure },
    ...{ priorityMaxLamports, tipLamports, holdLamports },
    createdAt: times.created,
    attempts: attempts.flatMap(({ signature, least, signedAt, firstSentAt, delayMs, outcome }) =>
      firstSentAt === null
        ? []
        : { signature, least, signedAt, sentAt: firstSentAt, dueAt: firstSentAt + (delayMs ?? 0), outcome },
    ),
    isOver: !open,
    isRefused: order.status === 'failed' && attempts.length === 0,
  };
}

/** Keys of sales by exits and stops, with the position that they were made to sell. */
const POSITION_KEY = /^(?:exit|stop:[^:]+):([\da-f]{24})(?::|$)/;

/**
 * Returns the position that a sale takes from first, hexadecimal; null for a purchase, and before the end of a sale that
 * names none. Exits and stops have it in their key, since the end of an order may set the field to another position.
 */
function soldPosition({ key, side, positionId }: OrderRecord): string | null {
  if (side === 'buy') return null;
  return POSITION_KEY.exec(key)?.[1] ?? positionId?.toHexString() ?? null;
}
