import { waitingText } from '../strategies/progress-text.ts';
import { type ReasonCode, reasonText } from '../trading/reasons.ts';
import type { Decision, DecisionOutcome, Explanation } from './model.ts';

/** Labels of outcomes. */
export const outcomeNames: Record<DecisionOutcome, string> = {
  bought: 'Bought',
  ordered: 'Order on its way',
  tried: 'Tried, not bought',
  'not-bought': 'Not bought',
};

/** Reasons whose sentence is what the conditions wait for. */
const waits: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['waiting', 'unknown-value', 'never']);

/** Describes a stored answer in one sentence. */
export function decisionText({ outcome, reason }: Pick<Decision, 'outcome' | 'reason'>): string {
  return reason === null ? `${outcomeNames[outcome]}.` : `${outcomeNames[outcome]}: ${reasonText(reason)}`;
}

/** Describes why a plan does not buy a token at `now` (epoch ms), in one sentence. */
export function explanationText(
  { reason, progress, needsAll, last }: Pick<Explanation, 'reason' | 'progress' | 'needsAll' | 'last'>,
  isDeciding: boolean,
  now: number,
): string {
  if (reason === null) {
    if (!isDeciding) return 'Not known: this server does not decide at present.';
    return last?.reason === null ? decisionText(last) : 'Bought, or about to be.';
  }
  if (waits.has(reason.code) && progress.length > 0) return waitingText(progress, needsAll, now);
  if (reason.code !== 'already-tried') return decisionText({ outcome: 'not-bought', reason });
  // The end of that order is the better reason.
  return last?.outcome === 'tried' || last?.outcome === 'bought' ? decisionText(last) : reasonText(reason);
}
