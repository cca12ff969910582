import { needsAll } from '../../../../common/strategies/conditions.ts';
import { progressOf } from '../../../../common/strategies/progress.ts';
import type { Reason } from '../../../../common/trading/reasons.ts';
import type { CorePlan, Decided } from '../model.ts';
import type { CoreState } from '../state/core-state.ts';
import { isFinal, isRefusedByMoney, isRefusedByToken, PAIR, reasonIn, refusedBy } from '../state/pairs.ts';
import type { ActivePlan } from '../state/plans.ts';
import type { Noted, StepAnswer, TrackedToken } from '../state/tokens.ts';
import { historyOf } from './plan-history.ts';

/**
 * Answers of plans are reported at the end of a step, each pair once: a token's first prices come within one step, and only the
 * last of them are what its row shows. A pair that is refused on is reported again from time to time, with its figures.
 */

/** Most refusals that a step reports, the others are counted: a source that is back asks millions of pairs. */
const REPORTED_MAX = 10_000;
/** Least time between two reports of pairs of a token that are refused on, ms. */
const REPEAT_MS = 250;
/** Share of the token's age that passes between them, so that their number stays small. */
const REPEAT_SHARE = 0.5;

/** Notes the present answer of a plan to a token, in place of an earlier one of this step. */
export function note(state: CoreState, active: ActivePlan, token: TrackedToken, noted: Noted): void {
  const known = token.noted?.get(active.slot);
  if (known?.active.plan.id === active.plan.id) {
    Object.assign(known, { wasMet: true, isFinal: false }, noted, {
      before: known.before,
      active,
      pushes: token.pushes,
    });
    return;
  }
  const { before, reason } = noted;
  if (reason !== null) {
    if (reason.code === reasonIn(before) && !state.repeated.has(token)) return;
    if (isFull(state)) {
      leaveOut(state, active.plan, reason, before === PAIR.fresh);
      return;
    }
  }
  const answer: StepAnswer = { wasMet: true, isFinal: false, ...noted, active, token, pushes: token.pushes };
  token.noted ??= new Map();
  token.noted.set(active.slot, answer);
  state.answers.push(answer);
}

/** Returns whether this step reports no further answers. */
export function isFull({ answers }: Pick<CoreState, 'answers'>): boolean {
  return answers.length >= REPORTED_MAX;
}

/** Counts an answer that is not reported. */
function leaveOut({ leftOut, now }: CoreState, { id, userId }: CorePlan, { code }: Reason, isFirst: boolean): void {
  const known = leftOut.get(id) ?? { planId: id, userId, at: now, answers: 0, tokens: 0, reasons: {} };
  leftOut.set(id, known);
  known.answers += 1;
  if (!isFirst) return;
  known.tokens += 1;
  known.reasons[code] = (known.reasons[code] ?? 0) + 1;
}

/** Returns when an answer that was given `at` to a token detected at `detectedAt` is given again with other figures, all epoch ms. */
export function nextRepeat(detectedAt: number, at: number): number {
  return at + Math.max(REPEAT_MS, (at - detectedAt) * REPEAT_SHARE);
}

/** Remembers that figures of a token were set at `at` (epoch ms), and whether its refused pairs are asked and reported again for them. */
export function noteFigures({ repeated }: CoreState, token: TrackedToken, at: number): void {
  token.pushes += 1;
  if (at < token.repeatAt) return;
  // Independent of the plans: a replay has the plans of one user only.
  token.repeatAt = nextRepeat(token.detectedAt, at);
  repeated.add(token);
}

/** Reports the answers of this step. */
export function report(state: CoreState): void {
  const { answers, repeated, effects } = state;
  for (const answer of answers) {
    if (isReported(answer, repeated)) effects.push({ type: 'decided', decided: decidedOf(state, answer) });
    answer.token.noted = null;
  }
  answers.length = 0;
  repeated.clear();
}

function isReported({ before, reason, isFinal: isEnd, token }: StepAnswer, repeated: CoreState['repeated']): boolean {
  if (reason === null || isEnd) return true;
  // It was lost for what refused it while there was time, perhaps before a restart.
  if (isFinal(refusedBy(reason))) {
    const isResumed = before === PAIR.fresh && token.resumedAt !== null;
    if (isResumed || isRefusedByMoney(before) || isRefusedByToken(before)) return false;
  }
  if (reason.code !== reasonIn(before)) return true;
  return repeated.has(token) && Object.keys(reason.numbers).length > 0;
}

function decidedOf(state: CoreState, answer: StepAnswer): Decided {
  const { active, token, before, reason, at, wasMet, isFinal: isEnd } = answer;
  const { plan, window } = active;
  const { address, symbol, resumedAt } = token;
  const isWaiting = reason?.code === 'waiting' && !token.isGone;
  return {
    planId: plan.id,
    userId: plan.userId,
    address,
    symbol,
    reason,
    waits: isWaiting ? waitsOf(plan, token, at) : null,
    before: reasonIn(before),
    isFirst: before === PAIR.fresh,
    at: state.now,
    wasMet,
    isResumed: resumedAt !== null && resumedAt > at - window,
    isFinal: isEnd,
  };
}

function waitsOf(plan: CorePlan, token: TrackedToken, at: number): Decided['waits'] {
  const { conditions } = plan;
  return { progress: progressOf(conditions, historyOf(token, plan, at), at), needsAll: needsAll(conditions) };
}
