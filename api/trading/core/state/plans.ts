import { needsAll, sections, windowOf } from '../../../../common/strategies/conditions.ts';
import { type Book, createBook } from '../book/book.ts';
import { type TimeSpan, timeSpanOf } from '../book/time-spans.ts';
import type { CorePlan } from '../model.ts';

/** Windows of this length are kept without a plan that asks for them: a plan arrives a little after the moment from which on it counts, ms. */
const KEPT_MS = 60_000;

/** A plan in its place. */
export interface ActivePlan {
  readonly plan: CorePlan;
  /** Index of its state in the tokens' lists. */
  readonly slot: number;
  /** Its time condition; null: none, or one that is never met. */
  readonly time: TimeSpan | null;
  /** Whether its time condition alone meets its conditions. */
  readonly isMetByTime: boolean;
  /** Longest window of its conditions, ms; Infinity when they ask for the lowest price since the detection. */
  readonly window: number;
}

/** Plans compiled together. */
export interface CompiledPlans {
  book: Book;
  /** By the index in the book: the plan that was switched on first is asked first. */
  inOrder: readonly ActivePlan[];
  /** Earliest `activeSince`, epoch ms; Infinity without plans. No plan considers a token that was detected before. */
  earliest: number;
}

/** Active plans. */
export interface Plans {
  readonly size: number;
  /** Slots in use, with gaps. */
  readonly slots: number;
  get(planId: string): ActivePlan | undefined;
  /** Adds or replaces a plan, in the same slot. */
  put(plan: CorePlan): ActivePlan;
  remove(planId: string): ActivePlan | undefined;
  /** Returns all plans compiled; at once after the first call since a change. */
  compiled(): CompiledPlans;
}

/** Returns whether a plan considers a token (R1). Tokens that were not new are not even in memory. */
export function considers({ plan }: ActivePlan, { detectedAt }: { detectedAt: number }): boolean {
  return detectedAt >= plan.activeSince;
}

export function createPlans(): Plans {
  const byId = new Map<string, ActivePlan>();
  const free: number[] = [];
  let slots = 0;
  let compiled: CompiledPlans | null = null;

  function slotFor(planId: string): number {
    const known = byId.get(planId)?.slot ?? free.pop();
    if (known !== undefined) return known;
    slots += 1;
    return slots - 1;
  }

  return {
    get size() {
      return byId.size;
    },
    get slots() {
      return slots;
    },
    get: (planId) => byId.get(planId),
    put(plan) {
      const { timeConfig, ...others } = sections(plan.conditions);
      const isTimeEnough =
        !needsAll(plan.conditions) || Object.values(others).every((section) => typeof section !== 'object');
      const time = timeConfig ? timeSpanOf(timeConfig) : null;
      const active: ActivePlan = {
        plan,
        slot: slotFor(plan.id),
        time,
        isMetByTime: time !== null && isTimeEnough,
        window: windowsOf(plan),
      };
      byId.set(plan.id, active);
      compiled = null;
      return active;
    },
    remove(planId) {
      const active = byId.get(planId);
      if (!active) return undefined;
      byId.delete(planId);
      free.push(active.slot);
      compiled = null;
      return active;
    },
    compiled() {
      compiled ??= compilePlans([...byId.values()]);
      return compiled;
    },
  };
}

function compilePlans(plans: ActivePlan[]): CompiledPlans {
  const inOrder = plans.sort((a, b) => a.plan.activeSince - b.plan.activeSince || (a.plan.id < b.plan.id ? -1 : 1));
  return {
    book: createBook(
      inOrder.map(({ plan }) => plan.conditions),
      KEPT_MS,
    ),
    inOrder,
    earliest: inOrder[0]?.plan.activeSince ?? Number.POSITIVE_INFINITY,
  };
}

function windowsOf({ conditions }: CorePlan): number {
  const { priceConfig } = sections(conditions);
  return priceConfig?.option === 'buy_at_percentage_from_low' ? Number.POSITIVE_INFINITY : windowOf(conditions);
}
