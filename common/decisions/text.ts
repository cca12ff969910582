import { waitingText } from '../strategies/progress-text.ts';
import { type ReasonCode, reasonText } from '../trading/reasons.ts';
import type { DecisionOutcome, Explanation, LastAnswer } from './model.ts';

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
export function decisionText(answer: Pick<LastAnswer, 'outcome' | 'reason' | 'waits' | 'lastAt'>): string {
  const [name, why] = [outcomeNames[answer.outcome], answerText(answer)];
  return why === null ? `${name}.` : `${name}: ${why}`;
}

/** Returns the sentence of a stored answer's reason, with the figures of its time; null without one. */
export function answerText({ reason, waits, lastAt }: Pick<LastAnswer, 'reason' | 'waits' | 'lastAt'>): string | null {
  if (reason === null) return null;
  const hasProgress = waits !== null && waits.progress.length > 0;
  return hasProgress ? waitingText(waits.progress, waits.needsAll, Date.parse(lastAt)) : reasonText(reason);
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
  if (reason.code !== 'already-tried') return `${outcomeNames['not-bought']}: ${reasonText(reason)}`;
  // The end of that order is the better reason.
  return last?.outcome === 'tried' || last?.outcome === 'bought' ? decisionText(last) : reasonText(reason);
}
