import type { SentAttempt, SignedAttempt, TradeAsk } from '../../executors/executor.ts';
import type { AttemptRecord, OrderRecord } from '../record.ts';

/** Returns the id of an order's user, hexadecimal. */
export function userOf({ userId }: OrderRecord): string {
  return userId.toHexString();
}

/** Returns the trade that an order asks an executor for. */
export function askOf(order: OrderRecord): TradeAsk {
  const { wallet, token, side, lamports, tokens, slippageBps, priorityMaxLamports, tipLamports } = order;
  return {
    userId: userOf(order),
    wallet,
    address: token.address,
    side,
    lamports: lamports === null ? null : BigInt(lamports),
    tokens: tokens === null ? null : BigInt(tokens),
    slippageBps,
    priorityMaxLamports,
    tipLamports,
  };
}

/** Returns the signed transaction of a stored attempt. */
export function signedOf({ bytes, least, ...attempt }: AttemptRecord): SignedAttempt {
  const { signature, lastValidBlockHeight, delayMs = null } = attempt;
  return { signature, bytes: bytes ?? '', lastValidBlockHeight, least: BigInt(least), delayMs };
}

/** Returns an attempt as an executor sends it and looks for it. */
export function sentAttempt(order: OrderRecord, signed: SignedAttempt): SentAttempt {
  const record = order.attempts.find(({ signature }) => signature === signed.signature);
  const firstSentAt = record?.firstSentAt ?? null;
  return { ...askOf(order), ...signed, orderId: order._id.toHexString(), firstSentAt };
}
