import { type Reason, type ReasonCode, reason } from '../../../../common/trading/reasons.ts';
import { serves, type TradeAsk } from '../../executors/executor.ts';
import { boundedQuote, slippageOf } from '../bounds.ts';
import type { OrderChange } from '../changes.ts';
import type { OrderRecord } from '../record.ts';
import { undecided } from './next-action.ts';
import { askOf, sentAttempt } from './order-trade.ts';
import { changing, LOOK_LATER, LOOK_SOON, LOST, RETRY_PAUSE, type Step, type StepDeps, type Stepped } from './step.ts';

/** Reasons of a service that does not respond for now: the attempt is made later. */
const AWAY: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['node-away', 'route-away']);
/** Delay before another try while the node or Jupiter is away, ms; a purchase that is not sent soon is cancelled as too old. */
const AWAY_PAUSE = 500;

/**
 * Creates the step that signs, stores and sends an attempt. `look`: the step that follows sent attempts. The money of the
 * order is reserved. The hold of a `created` order is noted with the attempt, which saves a write for each purchase.
 */
export function createAttempt(deps: StepDeps, look: Step): Step {
  const { orders, clock, wallets, executorOf } = deps;
  const changed = changing(orders);

  /** Handles an attempt that could not be signed. */
  async function unsigned(
    order: OrderRecord,
    heldAt: number,
    failure: Reason,
    follow: () => Promise<Stepped>,
  ): Promise<Stepped> {
    // It was changed before the key was used.
    if (failure.code === 'cancelled') return LOST;
    // Sent attempts are followed in any case; the next one is not due before they are decided.
    if (undecided(order).length > 0) return follow();
    const held = heldFirst(order, heldAt);
    if (AWAY.has(failure.code)) {
      return held.length > 0 ? changed(order, held, AWAY_PAUSE) : { order, delay: AWAY_PAUSE };
    }
    return changed(order, [...held, { type: order.attempts.length === 0 ? 'cancelled' : 'given-up', failure }]);
  }

  /** Returns whether an order is still as it was read. */
  async function isPresent({ _id, version }: OrderRecord): Promise<boolean> {
    return (await orders.find(_id.toHexString()))?.version === version;
  }

  return async (order, progress) => {
    const executor = executorOf(order.mode);
    if (!serves(executor, order)) return { order, delay: LOOK_LATER };
    // The money was reserved right before.
    const heldAt = clock.now();
    const refused = (failure: Reason) => unsigned(order, heldAt, failure, () => look(order, progress));
    const ask: TradeAsk = { ...askOf(order), slippageBps: slippageOf(order) };
    const wallet = await wallets.current(ask.userId);
    if (wallet?.walletAddress !== order.wallet) return refused(reason('wallet-changed'));
    const known = order.attempts.length === 0 ? progress.quote : null;
    progress.quote = null;
    const quoted = known ? { ok: true as const, value: known } : await executor.quote(ask);
    if (!quoted.ok) return refused(quoted.reason);
    const bounded = boundedQuote(order, quoted.value);
    if (!bounded) return refused(reason('slippage', { slippageBps: order.slippageBps }));
    const name = `${order._id.toHexString()}:${order.attempts.length + 1}`;
    // A stop may come at any moment; no key is used for an order that it has ended (O6).
    const signed = await executor.sign(ask, bounded, name, () => isPresent(order));
    if (!signed.ok) return refused(signed.reason);
    const signedAt = clock.now();
    const { signature, lastValidBlockHeight } = signed.value;
    // Its first send is counted with it: both are in the journal before the first byte leaves (O2).
    const stored = await orders.change(order, [
      ...heldFirst(order, heldAt),
      { type: 'signed', signature, lastValidBlockHeight, attempt: signed.value, at: signedAt },
      { type: 'sending', signature },
    ]);
    if (!stored) return LOST;
    const sentAt = clock.now();
    progress.sentAt.set(signature, sentAt);
    if (order.attempts.length === 0) progress.firstSentAt = sentAt;
    const result = await executor.send(sentAttempt(stored, signed.value), true);
    if (result.type !== 'refused') return { order: stored, delay: LOOK_SOON };
    const { reason: failure } = result;
    const over = {
      type: 'attempt-over',
      signature,
      outcome: 'refused',
      failure,
      sentAt: progress.firstSentAt,
    } as const;
    return changed(stored, [over], RETRY_PAUSE);
  };
}

/** Returns the change that holds an order as of `at` (epoch ms); none for an order that is held already. */
function heldFirst({ status }: OrderRecord, at: number): OrderChange[] {
  return status === 'created' ? [{ type: 'held', at }] : [];
}
