import { askIfMet } from '../judge/candidates.ts';
import type { CoreState } from '../state/core-state.ts';
import type { ActivePlan } from '../state/plans.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Plans that wait for the same time after a detection. */
interface Delay {
  /** ms. */
  delay: number;
  plans: ActivePlan[];
  /** When the next token is due, epoch ms. */
  nextAt: number;
}

/** Plans that wait for some time after the detection of a token. */
export interface Delays {
  /** When a token is due next, epoch ms; Infinity: none is. */
  readonly nextAt: number;
  /** Takes the plans as they are now. */
  onPlans(inOrder: readonly ActivePlan[]): void;
  onToken(detectedAt: number): void;
  /** Asks the plans for which tokens are due at `at` (epoch ms), which is the clock of the state. */
  run(at: number): void;
}

export function createDelays(state: CoreState): Delays {
  const { list, since } = state.tokens;
  let delays: Delay[] = [];

  /** Returns when the first token is due that is not due at `clock` yet. */
  function nextDue(delay: number): number {
    const token = list[since(state.clock - delay + 1)];
    return token ? token.detectedAt + delay : NEVER;
  }

  function ask({ delay, plans }: Delay, at: number): void {
    const detectedAt = at - delay;
    for (let index = since(detectedAt); list[index]?.detectedAt === detectedAt; index += 1) {
      const token = list[index];
      if (token) for (const active of plans) askIfMet(state, active, token, at);
    }
  }

  return {
    get nextAt() {
      return delays.reduce((next, { nextAt }) => Math.min(next, nextAt), NEVER);
    },
    onPlans(inOrder) {
      const byDelay = new Map<number, ActivePlan[]>();
      for (const active of inOrder) {
        const delay = active.time?.delay ?? 0;
        if (delay <= 0) continue;
        const plans = byDelay.get(delay) ?? [];
        byDelay.set(delay, plans);
        plans.push(active);
      }
      delays = [...byDelay].map(([delay, plans]) => ({ delay, plans, nextAt: nextDue(delay) }));
      delays.sort((a, b) => a.delay - b.delay);
    },
    onToken(detectedAt) {
      for (const delay of delays) {
        const due = detectedAt + delay.delay;
        if (due > state.clock) delay.nextAt = Math.min(delay.nextAt, due);
      }
    },
    run(at) {
      for (const delay of delays) {
        if (delay.nextAt > at) continue;
        ask(delay, at);
        delay.nextAt = nextDue(delay.delay);
      }
    },
  };
}
