import { type Connection, Types } from 'mongoose';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { ruleModel } from '../../rules/model.ts';
import { strategyModel } from '../../strategies/model.ts';
import { watchlistsModel } from '../../watchlists/model.ts';
import type { OrderRecord } from '../orders/model.ts';

/**
 * Creates the check of a purchase that a plan has decided: whether MongoDB still has the plan as it was then, switched on, and the
 * token on no blacklist. Returns the reason against it, or null. Its account, wallet and the stops are compared with the hold itself.
 */
export function createPlanCheck(connection: Connection) {
  const plans = { rule: ruleModel(connection), strategy: strategyModel(connection) };
  const watchlists = watchlistsModel(connection);

  return async ({ key, userId, token, cause, planSince }: PlannedOrder): Promise<Reason | null> => {
    if (planSince === undefined || (cause.kind !== 'rule' && cause.kind !== 'strategy')) return null;
    const [, planId = ''] = key.split(':');
    // Each change of its conditions and limits is another `activeSince`. Both are read by `_id`.
    const asDecided = { _id: new Types.ObjectId(planId), isActive: true, activeSince: planSince };
    const [plan, listed] = await Promise.all([
      plans[cause.kind].exists(asDecided),
      watchlists.exists({ _id: userId, 'black.address': token.address }),
    ]);
    if (plan === null) return reason('inactive');
    return listed === null ? null : reason('blacklisted');
  };
}

type PlannedOrder = Pick<OrderRecord, 'key' | 'userId' | 'token' | 'cause' | 'planSince'>;
