import { needsAll } from '../../../../common/strategies/conditions.ts';
import { progressOf } from '../../../../common/strategies/progress.ts';
import { historyOf } from './conditions.ts';
import type { Decided } from './model.ts';
import {
  type ActivePlan,
  byMoney,
  type CoreState,
  kindOf,
  type Noted,
  reasonIn,
  type StepAnswer,
  type TrackedToken,
} from './state.ts';

/**
 * Answers of plans are reported at the end of a step, each pair once: a token's first prices come within one step, and only the
 * last of them are what its row shows. A pair that is refused on is reported again from time to time, with its figures.
 */

/** Least time between two reports of pairs of a token that are refused on, ms. */
const REPEAT_MS = 250;
/** Share of the token's age that passes between them, so that their number stays small. */
const REPEAT_SHARE = 0.5;

/** Notes the present answer of a plan to a token, in place of an earlier one of this step. */
export function note(state: CoreState, active: ActivePlan, token: TrackedToken, noted: Noted): void {
  const known = token.answers?.get(active.plan.id);
  if (known) {
    const { before: first } = known;
    Object.assign(known, noted);
    known.before = first;
    known.active = active;
    return;
  }
  const answer: StepAnswer = { ...noted, active, token };
  token.answers ??= new Map();
  token.answers.set(active.plan.id, answer);
  state.answers.push(answer);
}

/** Returns when an answer that was given `at` to a token detected at `detectedAt` is given again with other figures, all epoch ms. */
export function nextRepeat(detectedAt: number, at: number): number {
  return at + Math.max(REPEAT_MS, (at - detectedAt) * REPEAT_SHARE);
}

/** Remembers that figures of a token were set at `at` (epoch ms), and whether its refused pairs are reported again for them. */
export function noteFigures({ repeated }: CoreState, token: TrackedToken, at: number): void {
  if (at < token.repeatAt) return;
  // Independent of the plans: a replay has the plans of one user only.
  token.repeatAt = nextRepeat(token.detectedAt, at);
  token.isRepeated = true;
  repeated.push(token);
}

/** Reports the answers of this step. */
export function report(state: CoreState): void {
  const { answers, repeated, effects } = state;
  for (const answer of answers) {
    if (isReported(answer)) effects.push({ type: 'decided', decided: decidedOf(state, answer) });
    answer.token.answers = null;
  }
  for (const token of repeated) token.isRepeated = false;
  state.answers = [];
  state.repeated = [];
}

function isReported({ before, reason, isFinal: isEnd, token }: StepAnswer): boolean {
  if (reason === null || isEnd) return true;
  // It was lost for what refused it while there was time, perhaps before a restart.
  if (kindOf(reason.code) === 'final') {
    const isResumed = before === undefined && token.resumedAt !== null;
    if (isResumed || byMoney.has(before) || kindOf(before) === 'token') return false;
  }
  if (reason.code !== reasonIn(before)) return true;
  return token.isRepeated && Object.keys(reason.numbers).length > 0;
}

function decidedOf(state: CoreState, answer: StepAnswer): Decided {
  const { active, token, before, reason, at, wasMet, isFinal: isEnd } = answer;
  const { plan, window, needsLow } = active;
  const { address, symbol, resumedAt } = token;
  const isWaiting = reason?.code === 'waiting' && !token.isGone;
  return {
    planId: plan.id,
    plan: { kind: plan.kind, name: plan.name },
    userId: plan.userId,
    address,
    symbol,
    reason,
    waits: isWaiting ? waitsOf(answer) : null,
    before: reasonIn(before),
    isFirst: before === undefined,
    at: state.now,
    wasMet,
    isResumed: resumedAt !== null && (needsLow || resumedAt > at - window),
    isFinal: isEnd,
  };
}

function waitsOf({ active: { plan }, token: { figures }, at }: StepAnswer): Decided['waits'] {
  const { conditions } = plan;
  return { progress: progressOf(conditions, historyOf(figures, conditions, at), at), needsAll: needsAll(conditions) };
}
