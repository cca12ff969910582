import type { Change } from '../core/model.ts';

/** The changes of an hour that a run may see: those of the market, and of one user's plans. */
export interface Visible {
  of(changes: readonly Change[]): Change[];
}

type UserChange = Extract<Change, { type: 'plan' | 'plan-removed' | 'account' | 'account-removed' | 'list' | 'order' }>;

/** `owner`: null for a run that brings its plan with it, and sees nothing of any user. */
export function createVisible(owner: { userId: string; planIds: readonly string[] } | null): Visible {
  /** Plans of the user, also removed ones: their orders may still end. */
  const plans = new Set(owner?.planIds ?? []);
  const isOwn = (id: string) => id === owner?.userId;

  function keep(change: Change): Change | null {
    switch (change.type) {
      case 'token':
      case 'price':
      case 'facts':
      case 'history':
      case 'gone':
      case 'source':
      case 'rent':
        return change;
      case 'stop-all':
      case 'database':
        return owner && change;
      case 'tried': {
        const keys = change.keys.filter(isOfPlan);
        return keys.length > 0 ? { type: 'tried', keys } : null;
      }
      case 'kept':
        return keptOf(change);
      default:
        return isOfOwner(change) ? change : null;
    }
  }

  function isOfOwner(change: UserChange): boolean {
    if (change.type === 'plan') return isOwn(change.plan.userId);
    if (change.type === 'plan-removed') return plans.has(change.planId);
    if (change.type === 'account') return isOwn(change.account.userId);
    return change.type === 'order' ? isOfPlan(change.order.key) : isOwn(change.userId);
  }

  function keptOf(change: Extract<Change, { type: 'kept' }>): Change | null {
    const { kept } = change;
    switch (kept.of) {
      case 'clock':
      case 'source':
        return change;
      case 'token':
        return { type: 'kept', kept: { ...kept, pairs: kept.pairs.filter(([planId]) => plans.has(planId)) } };
      case 'pending':
        return isOwn(kept.pending.buy.userId) ? change : null;
      case 'refusal':
      case 'begun':
        return plans.has(kept.planId) ? change : null;
      case 'blocked':
        return isOwn(kept.userId) ? change : null;
    }
  }

  /** Keys of plans are `buy:<plan>:<address>`. */
  function isOfPlan(key: string): boolean {
    return plans.has(key.split(':')[1] ?? '');
  }

  return {
    of(changes) {
      // Before the others, since the state of the core names plans before it brings them.
      for (const change of changes) {
        if (change.type === 'plan' && isOwn(change.plan.userId)) plans.add(change.plan.id);
      }
      return changes.map(keep).filter((change) => change !== null);
    },
  };
}
