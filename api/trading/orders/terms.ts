import { slippageAfter } from '../../../common/trading/account.ts';
import type { ExitKind } from '../../../common/trading/exits.ts';
import { walletChange } from '../../../common/trading/fills.ts';
import type { Settlement } from '../../../common/trading/limits/book.ts';
import { isAutomatic } from '../../../common/trading/order.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { HoldRequest } from '../accounts/money-hold.ts';
import type { SentAttempt, SignedAttempt, TradeAsk, TradeQuote } from '../executors/executor.ts';
import type { AppliedFill } from '../positions/fill-book.ts';
import type { AttemptRecord, OrderRecord } from './model.ts';

/** Returns whether an order is made however late: its position waits for it, and no price was promised. */
export function isExit({ cause }: Pick<OrderRecord, 'cause'>): boolean {
  return cause.kind === 'exit' || cause.kind === 'stop';
}

/** Returns the slippage of an order's next attempt, basis points: an exit gives way with each. */
export function slippageOf(order: Pick<OrderRecord, 'cause' | 'slippageBps' | 'attempts'>): number {
  return isExit(order) ? slippageAfter(order.slippageBps, order.attempts.length) : order.slippageBps;
}

/**
 * Returns the least that an attempt has to bring: by its quote, and for an order by hand at least what its user was shown and
 * as much as its first attempt, so that several small moves of the price do not add up to more than the slippage that was
 * agreed to.
 */
export function leastOf(order: Pick<OrderRecord, 'cause' | 'attempts' | 'least'>, quoted: bigint): bigint {
  if (isExit(order)) return quoted;
  const promised = [order.least, order.attempts[0]?.least].map((least) => BigInt(least ?? 0));
  return promised.reduce((most, one) => (one > most ? one : most), quoted);
}

/** Returns the quote with the bound that the order was made with; null when the market can't meet it any more. */
export function boundedQuote(
  order: Pick<OrderRecord, 'side' | 'cause' | 'attempts' | 'least'>,
  quote: TradeQuote,
): TradeQuote | null {
  if (order.side === 'buy') {
    const leastTokens = leastOf(order, quote.leastTokens ?? 0n);
    return leastTokens <= quote.tokens ? { ...quote, leastTokens } : null;
  }
  const leastLamports = leastOf(order, quote.leastLamports ?? 0n);
  return leastLamports <= quote.lamports ? { ...quote, leastLamports } : null;
}

/** Returns what failed attempts have paid to the network, lamports. */
export function feesLost({ attempts }: Pick<OrderRecord, 'attempts'>): number {
  return attempts.reduce((sum, { feeLamports }) => sum + feeLamports, 0);
}

/** Returns what an order has changed in its wallet, with all costs, lamports. Negative when SOL left it. */
export function walletChangeOf(order: Pick<OrderRecord, 'side' | 'fill' | 'attempts'>): number {
  const { side, fill } = order;
  return (fill === null ? 0 : walletChange(side, fill)) - feesLost(order);
}

/** Returns why an order failed whose attempts are all over without a trade. */
export function failureOf(order: Pick<OrderRecord, 'attempts'>): Reason {
  const last = order.attempts.at(-1)?.failure ?? reason('chain-error');
  const tries = order.attempts.length;
  return tries > 1 ? reason('tries-used', { tries, feesLamports: feesLost(order) }) : last;
}

/** Returns when an attempt on paper falls due, epoch ms; null for another one, and before its first send. */
export function dueAtOf({
  firstSentAt,
  delayMs = null,
}: Pick<AttemptRecord, 'firstSentAt' | 'delayMs'>): number | null {
  return firstSentAt === null || delayMs === null ? null : firstSentAt + delayMs;
}

/** Name of the cause whose sales the stop-loss guard counts. */
const STOP_LOSS: ExitKind = 'stop loss';

/** Returns the hold of an order. */
export function holdOf({ _id, mode, side, cause, token, lamports, holdLamports }: OrderRecord): HoldRequest {
  return {
    orderId: _id.toHexString(),
    mode,
    side,
    lamports: lamports ?? 0,
    totalLamports: holdLamports,
    address: side === 'buy' ? token.address : null,
    isAutomatic: isAutomatic(cause),
  };
}

/** Returns what an order that is over has moved. */
export function settlementOf(
  order: OrderRecord,
  { positionId, realisedLamports, opened, closed }: AppliedFill,
): Settlement {
  return {
    spentLamports: order.side === 'buy' ? (order.fill?.lamports ?? 0) : 0,
    realisedLamports,
    walletLamports: walletChangeOf(order),
    position:
      positionId !== null && (opened || closed)
        ? { id: positionId, address: order.token.address, isOpen: !closed }
        : null,
    stopLossAt: stopLossTimeOf(order),
  };
}

/** Returns the time of the verdict of a sale by a stop loss; null for every other order, and for one that sold nothing. */
function stopLossTimeOf({ cause, fill, times }: OrderRecord): number | null {
  const isStopLoss = cause.kind === 'exit' && cause.name === STOP_LOSS && fill !== null;
  return isStopLoss ? (times.decided ?? fill.at) : null;
}

/** Returns the id of an order's user, hexadecimal. */
export function userOf({ userId }: OrderRecord): string {
  return userId.toHexString();
}

/** Returns the trade that an order asks an executor for. */
export function askOf(order: OrderRecord): TradeAsk {
  const { wallet, token, side, lamports, tokens, slippageBps, priorityMaxLamports, tipLamports } = order;
  const { isProtected = false } = order;
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
    isProtected,
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
