import { askIfMet, release } from '../judge/candidates.ts';
import { nextMoneyMoment, withPending } from '../judge/guards.ts';
import type { CoreState } from '../state/core-state.ts';
import type { ActivePlan } from '../state/plans.ts';
import { pendingNeeds, type UserState } from '../state/users.ts';
import { begin } from './begun.ts';
import { createDelays } from './delays.ts';

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
  const delays = createDelays(state);
  const timers = createTimers();
  /** Plans that begin at a time, the next one last. */
  let begins: { at: number; active: ActivePlan }[] = [];
  let nextAt = NEVER;

  function findNext(): void {
    nextAt = Math.min(delays.nextAt, timers.nextAt, begins.at(-1)?.at ?? NEVER);
  }

  function run(at: number): void {
    delays.run(at);
    for (let next = begins.at(-1); next && next.at <= at; next = begins.at(-1)) {
      begins.pop();
      begin(state, next.active, at);
    }
    for (let timer = timers.takeDue(at); timer; timer = timers.takeDue(at)) runTimer(state, timer);
    findNext();
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
      }
      state.clock = Math.max(state.clock, until);
    },
    onPlans() {
      const { inOrder } = state.plans.compiled();
      delays.onPlans(inOrder);
      begins = inOrder
        .map((active) => ({ at: active.time?.from ?? NEVER, active }))
        .filter(({ at }) => at > state.clock && at < NEVER)
        .reverse()
        .sort((a, b) => b.at - a.at);
      findNext();
    },
    onToken(detectedAt) {
      delays.onToken(detectedAt);
      findNext();
    },
    schedule(user) {
      const at = nextAccountMoment(state, user);
      if (at === user.nextAt) return;
      user.nextAt = at;
      if (at < NEVER) timers.add({ at, of: 'user', id: user.id });
      findNext();
    },
    addRefusal(key, at) {
      timers.add({ at, of: 'refusal', id: key });
      findNext();
    },
  };
}

/** Does what a timer is for, unless it no longer applies. */
function runTimer(state: CoreState, { of, id, at }: Timer): void {
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

/** Returns when a limit ends for which pairs of the user wait, epoch ms; Infinity: never. */
function nextAccountMoment(state: CoreState, user: UserState): number {
  const { account, blocked } = user;
  if (account === null || (blocked.size === 0 && !user.hasMore)) return NEVER;
  return nextMoneyMoment(withPending(account, pendingNeeds(user), state.now), state.clock);
}

/** Time at which a limit of an account may end, or a refused order is asked for again, epoch ms. */
interface Timer {
  at: number;
  of: 'user' | 'refusal';
  /** User id, or key of the order. */
  id: string;
}

/** Timers in the order of their time, whatever the order in which they were added. The same timer is kept once. */
interface Timers {
  /** Epoch ms; Infinity without timers. */
  readonly nextAt: number;
  add(timer: Timer): void;
  /** Removes and returns the next timer that is due by `at` (epoch ms); undefined without one. */
  takeDue(at: number): Timer | undefined;
}

function createTimers(): Timers {
  /** The next one last. */
  const timers: Timer[] = [];
  return {
    get nextAt() {
      return timers.at(-1)?.at ?? Number.POSITIVE_INFINITY;
    },
    add(timer) {
      let low = 0;
      let high = timers.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const other = timers[middle];
        if (other && isLater(other, timer)) low = middle + 1;
        else high = middle;
      }
      const known = timers[low];
      if (known && !isLater(timer, known)) return;
      timers.splice(low, 0, timer);
    },
    takeDue: (at) => ((timers.at(-1)?.at ?? Number.POSITIVE_INFINITY) <= at ? timers.pop() : undefined),
  };
}

function isLater(one: Timer, other: Timer): boolean {
  if (one.at !== other.at) return one.at > other.at;
  return one.of === other.of ? one.id > other.id : one.of > other.of;
}
