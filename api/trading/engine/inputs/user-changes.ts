import { exitsOfPlan } from '../../../../common/trading/exits.ts';
import type { Change, CoreAccount, CorePlan } from '../../core/model.ts';
import type { ActivePlan } from './plan-source.ts';
import type { PlanUser } from './user-reader.ts';

/** What the core knows of a user. */
export interface KnownUser {
  account: CoreAccount;
  lists: ReadonlyMap<string, 'white' | 'black'>;
  plans: ReadonlyMap<string, CorePlan>;
}

/** Returns a user with active plans as the core receives it. */
export function knownUser({ account, defaultExits, lists }: PlanUser, plans: readonly ActivePlan[]): KnownUser {
  return {
    account,
    lists: new Map([
      ...[...lists.white].map((address) => [address, 'white'] as const),
      ...[...lists.black].map((address) => [address, 'black'] as const),
    ]),
    plans: new Map(
      plans.map(({ ownExits, ...plan }) => [plan.id, { ...plan, exits: exitsOfPlan(ownExits, defaultExits) }]),
    ),
  };
}

/** Changes of a user, parted: further ones may come before the plans. */
export interface UserChanges {
  account: Change[];
  plans: Change[];
}

/** Returns the changes from a user as the core knows it to the present one. Null: it is not known, or has no active plan left. */
export function userChanges(before: KnownUser | null, after: KnownUser | null): UserChanges {
  if (after === null) return before === null ? { account: [], plans: [] } : { account: [], plans: removal(before) };
  const account: Change[] = isSame(before?.account, after.account) ? [] : [{ type: 'account', account: after.account }];
  return { account: [...account, ...listChanges(before, after)], plans: planChanges(before, after) };
}

function removal({ account: { userId }, plans }: KnownUser): Change[] {
  return [
    ...[...plans.keys()].map((planId): Change => ({ type: 'plan-removed', planId })),
    { type: 'account-removed', userId },
  ];
}

function listChanges(before: KnownUser | null, { account: { userId }, lists }: KnownUser): Change[] {
  const changes: Change[] = [];
  for (const address of before?.lists.keys() ?? []) {
    if (!lists.has(address)) changes.push({ type: 'list', userId, address, listed: null });
  }
  for (const [address, listed] of lists) {
    if (before?.lists.get(address) !== listed) changes.push({ type: 'list', userId, address, listed });
  }
  return changes;
}

function planChanges(before: KnownUser | null, { plans }: KnownUser): Change[] {
  const changes: Change[] = [];
  for (const planId of before?.plans.keys() ?? []) {
    if (!plans.has(planId)) changes.push({ type: 'plan-removed', planId });
  }
  for (const [planId, plan] of plans) {
    if (!isSame(before?.plans.get(planId), plan)) changes.push({ type: 'plan', plan });
  }
  return changes;
}

/** Compares plain data. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
