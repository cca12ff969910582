import { askIfMet, isBusy } from './judge.ts';
import { type CoreState, firstSince, type Round } from './state.ts';

/** Asks plans again that have changed in this step, without the plans of others. An earlier round of the same plan ends. */
export function askChanged(state: CoreState): void {
  const { changed } = state;
  if (changed.size > 0) {
    const isChanged = ({ plan }: Round['plans'][number]) => changed.has(plan.id);
    const plans = state.plans.inOrder().filter(isChanged);
    for (const round of state.changedRounds) round.plans = round.plans.filter((active) => !isChanged(active));
    const considered = firstSince(state, plans[0]?.plan.activeSince ?? Number.POSITIVE_INFINITY);
    // The others are still to be judged by all plans.
    const tokens = state.tokens.slice(considered).filter(({ mustJudge }) => !mustJudge);
    state.changedRounds.push({ plans, tokens });
    changed.clear();
  }
  state.changedRounds = askRounds(state, state.changedRounds);
}

/** Asks plans for their tokens, the newest first, until the step has done enough. Returns the rounds that are not over. */
export function askRounds(state: CoreState, rounds: readonly Round[]): Round[] {
  for (const { plans, tokens } of rounds) {
    while (tokens.length > 0 && !isBusy(state)) {
      const token = tokens.pop();
      for (const active of plans) {
        const isActive = state.plans.get(active.plan.id) === active;
        if (token && !token.isGone && isActive) askIfMet(state, active, token, state.now);
      }
    }
  }
  return rounds.filter(({ plans, tokens }) => plans.length > 0 && tokens.length > 0);
}
