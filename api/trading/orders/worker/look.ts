import { isOver } from '../../../../common/trading/machine.ts';
import { type AttemptVerdict, type Executor, serves } from '../../executors/executor.ts';
import type { OrderChange } from '../changes.ts';
import { dueAtOf } from '../present.ts';
import type { OrderRecord } from '../record.ts';
import { resendMs, undecided } from './next-action.ts';
import { sentAttempt, signedOf } from './order-trade.ts';
import {
  LOOK_LATER,
  LOOK_SOON,
  LOST,
  type Progress,
  RETRY_PAUSE,
  type Step,
  type StepDeps,
  type Stepped,
} from './step.ts';

/** An attempt is looked for often until it has this age, ms. */
const YOUNG_MS = 5_000;

/** Creates the step that looks for the verdicts of attempts, and sends those again that have none. */
export function createLook(deps: StepDeps): Step {
  const { orders, clock, looker, network, executorOf } = deps;

  /** Sends stored bytes again that had no verdict for a while (O3). */
  async function resend(order: OrderRecord, executor: Executor, progress: Progress): Promise<Stepped> {
    let present = order;
    for (const record of undecided(order)) {
      const { signature } = record;
      // Not wanted any more are a purchase after a stop, and the second sale of everything once the first one has landed. On paper
      // nothing gets lost.
      if (order.noMore || order.status === 'confirmed' || order.mode === 'paper') break;
      if (clock.now() - (progress.sentAt.get(signature) ?? 0) < resendMs(network.slotMs())) continue;
      const counted = await orders.change(present, [{ type: 'sending', signature }]);
      if (!counted) return LOST;
      present = counted;
      progress.sentAt.set(signature, clock.now());
      // The response has no meaning for bytes that were sent before: the chain decides.
      await executor.send(sentAttempt(present, signedOf(record)), false);
    }
    return { order: present, delay: nextLookIn(present, clock.now(), resendMs(network.slotMs())) };
  }

  return async (order, progress) => {
    const executor = executorOf(order.mode);
    if (!serves(executor, order)) return { order, delay: LOOK_LATER };
    const attempts = undecided(order).map((record) => sentAttempt(order, signedOf(record)));
    const verdicts = await looker.look(executor, attempts);
    let present = order;
    for (const { signature } of attempts) {
      const verdict = verdicts.get(signature);
      if (!verdict) continue;
      const next = await orders.change(present, [
        { ...verdictChange(signature, verdict), sentAt: progress.firstSentAt },
      ]);
      if (!next) return LOST;
      present = next;
    }
    if (present !== order) return { order: present, delay: isOver(present) ? 0 : RETRY_PAUSE };
    return resend(present, executor, progress);
  };
}

/** Returns the time until the next look for an order without a verdict, ms. On paper the time is known before which there is none. */
function nextLookIn(order: OrderRecord, now: number, resend: number): number {
  const attempts = undecided(order);
  if (order.mode === 'paper') return Math.max(LOOK_SOON, ...attempts.map((attempt) => (dueAtOf(attempt) ?? now) - now));
  const youngest = Math.max(...attempts.map(({ signedAt }) => signedAt));
  return now - youngest < YOUNG_MS ? LOOK_SOON : Math.min(LOOK_LATER, resend);
}

function verdictChange(signature: string, verdict: AttemptVerdict): OrderChange {
  switch (verdict.outcome) {
    case 'landed':
      return { type: 'landed', signature, fill: verdict.fill, slot: verdict.fill.slot };
    case 'reverted': {
      const { reason: failure, feeLamports, slot } = verdict;
      return { type: 'attempt-over', signature, outcome: 'reverted', failure, feeLamports, slot };
    }
    case 'expired':
      return { type: 'attempt-over', signature, outcome: 'expired', failure: verdict.reason };
  }
}
