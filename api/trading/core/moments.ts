import { askIfMet, release } from './judge/candidates.ts';
import { nextMoneyMoment, withPending } from './judge/guards.ts';
import type { CoreState } from './state/core-state.ts';
import type { ActivePlan } from './state/plans.ts';
import { pendingNeeds, type UserState } from './state/users.ts';

/** Plans that wait for the same time after a detection. */
interface Delay {
  /** ms. */
  delay: number;
  plans: ActivePlan[];
  /** When the next token is due, epoch ms. */
  nextAt: number;
}

/** Time at which a limit of an account may end, or a refused order is asked for again, epoch ms. */
interface Timer {
  at: number;
  of: 'user' | 'refusal';
  /** User id, or key of the order. */
  id: string;
}

/** What time alone completes. Costs nothing while nothing is due. */
export interface Moments {
  /** When something is due next, epoch ms; Infinity: never. */
  readonly nextAt: number;
  /** Completes everything that is due up to `until` (epoch ms), in the order of time. */
  runUntil(until: number): void;
  /** Takes the plans as they are now. */
  onPlans(): void;
  onToken(detectedAt: number): void;
  /** Wakes a user with refused pairs when a limit of the account ends by time. */
  schedule(user: UserState): void;
  addRefusal(key: string, at: number): void;
}

const NEVER = Number.POSITIVE_INFINITY;

export function createMoments(state: CoreState): Moments {
  let delays: Delay[] = [];
  /** Plans that begin at a time, the next one last. */
  let begins: { at: number; active: ActivePlan }[] = [];
  /** The next one last. Those that no longer apply stay until their time. */
  const timers: Timer[] = [];
  let nextAt = NEVER;

  function findNext(): void {
    nextAt = Math.min(begins.at(-1)?.at ?? NEVER, timers.at(-1)?.at ?? NEVER);
    for (const delay of delays) nextAt = Math.min(nextAt, delay.nextAt);
  }

  /** Returns when the first token is due that is not due at `clock` yet. */
  function nextDue(delay: number): number {
    const { list, since } = state.tokens;
    const token = list[since(state.clock - delay + 1)];
    return token ? token.detectedAt + delay : NEVER;
  }

  function runDelay(delay: Delay, at: number): void {
    const { list, since } = state.tokens;
    const detectedAt = at - delay.delay;
    for (let index = since(detectedAt); list[index]?.detectedAt === detectedAt; index += 1) {
      const token = list[index];
      if (token) for (const active of delay.plans) askIfMet(state, active, token, at);
    }
  }

  /** Asks a plan that begins for all tokens, the newest first. */
  function begin(active: ActivePlan, at: number): void {
    const { list, since } = state.tokens;
    const first = since(active.plan.activeSince);
    for (let index = list.length - 1; index >= first; index -= 1) {
      const token = list[index];
      if (token) askIfMet(state, active, token, at);
    }
  }

  function runTimer({ of, id, at }: Timer): void {
    if (of === 'user') {
      const user = state.users.get(id);
      if (user?.nextAt !== at) return;
      release(state, user, at);
      state.toSchedule.add(user);
      return;
    }
    const refusal = state.refusals.get(id);
    if (refusal?.until !== at) return;
    const [active, token] = [state.plans.get(refusal.planId), state.tokens.get(refusal.address)];
    if (active && token) askIfMet(state, active, token, at);
  }

  function run(at: number): void {
    for (const delay of delays) {
      if (delay.nextAt > at) continue;
      runDelay(delay, at);
      delay.nextAt = nextDue(delay.delay);
    }
    for (let next = begins.at(-1); next && next.at <= at; next = begins.at(-1)) {
      begins.pop();
      begin(next.active, at);
    }
    for (let next = timers.at(-1); next && next.at <= at; next = timers.at(-1)) {
      timers.pop();
      runTimer(next);
    }
  }

  function addTimer(timer: Timer): void {
    if (timer.at === NEVER) return;
    const after = timers.findLastIndex((other) => isLater(other, timer));
    timers.splice(after + 1, 0, timer);
    nextAt = Math.min(nextAt, timer.at);
  }

  return {
    get nextAt() {
      return nextAt;
    },
    runUntil(until) {
      while (nextAt <= until) {
        // A token may be added with a time that has passed.
        state.clock = Math.max(state.clock, nextAt);
        run(nextAt);
        findNext();
      }
      state.clock = Math.max(state.clock, until);
    },
    onPlans() {
      const { inOrder } = state.plans.compiled();
      const byDelay = new Map<number, ActivePlan[]>();
      for (const active of inOrder) {
        const delay = active.time?.delay ?? 0;
        if (delay > 0) byDelay.set(delay, [...(byDelay.get(delay) ?? []), active]);
      }
      delays = [...byDelay].map(([delay, plans]) => ({ delay, plans, nextAt: nextDue(delay) }));
      delays.sort((a, b) => a.delay - b.delay);
      begins = inOrder
        .map((active) => ({ at: active.time?.from ?? NEVER, active }))
        .filter(({ at }) => at > state.clock && at < NEVER)
        .reverse()
        .sort((a, b) => b.at - a.at);
      findNext();
    },
    onToken(detectedAt) {
      for (const delay of delays) {
        const due = detectedAt + delay.delay;
        if (due > state.clock) delay.nextAt = Math.min(delay.nextAt, due);
      }
      findNext();
    },
    schedule(user) {
      const { account, blocked } = user;
      const isWaiting = account !== null && blocked.size > 0;
      const at = isWaiting ? nextMoneyMoment(withPending(account, pendingNeeds(user), state.now), state.clock) : NEVER;
      if (at === user.nextAt) return;
      user.nextAt = at;
      addTimer({ at, of: 'user', id: user.id });
    },
    addRefusal: (key, at) => addTimer({ at, of: 'refusal', id: key }),
  };
}

function isLater(one: Timer, other: Timer): boolean {
  if (one.at !== other.at) return one.at > other.at;
  return one.of === other.of ? one.id > other.id : one.of > other.of;
}
