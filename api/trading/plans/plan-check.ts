import { type Connection, Types } from 'mongoose';
import type { Exits } from '../../../common/trading/account.ts';
import { exitsOfPlan } from '../../../common/trading/exits.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { ruleModel } from '../../rules/model.ts';
import { type StrategyRecord, strategyModel } from '../../strategies/model.ts';
import { watchlistsModel } from '../../watchlists/model.ts';
import type { OrderRecord } from '../orders/model.ts';

/**
 * Creates the check of a purchase that a plan has decided: whether MongoDB still has the plan as it was then, switched on, with the
 * amount and exits of the order, and the token on no blacklist. Returns the reason against it, or null. Its account, wallet and the
 * stops are compared with the hold itself.
 */
export function createPlanCheck(connection: Connection) {
  const rules = ruleModel(connection);
  const strategies = strategyModel(connection);
  const watchlists = watchlistsModel(connection);

  async function isAsDecided({ key, cause, planSince, lamports, exits }: PlannedOrder): Promise<boolean> {
    const [, planId = ''] = key.split(':');
    // Each change of its conditions and limits is another `activeSince`; one of its amount and exits is not.
    const asDecided = {
      _id: new Types.ObjectId(planId),
      isActive: true,
      activeSince: planSince,
      buyLamports: lamports,
    };
    if (cause.kind === 'rule') return (await rules.exists(asDecided)) !== null;
    const plan = await strategies.findOne(asDecided, { stopLoss: 1, takeProfit: 1 }).lean<OwnExits>();
    return plan !== null && (exits == null || isSame(exits, plan));
  }

  return async (order: PlannedOrder): Promise<Reason | null> => {
    const { userId, token, cause, planSince } = order;
    if (planSince === undefined || (cause.kind !== 'rule' && cause.kind !== 'strategy')) return null;
    // Both are read by `_id`.
    const [isUnchanged, listed] = await Promise.all([
      isAsDecided(order),
      watchlists.exists({ _id: userId, 'black.address': token.address }),
    ]);
    if (!isUnchanged) return reason('inactive');
    return listed === null ? null : reason('blacklisted');
  };
}

type PlannedOrder = Pick<OrderRecord, 'key' | 'userId' | 'token' | 'cause' | 'planSince' | 'lamports' | 'exits'>;
type OwnExits = Pick<StrategyRecord, 'stopLoss' | 'takeProfit'>;

/** Returns whether exits are those of a strategy; the others are the user's. */
function isSame(exits: Exits, { stopLoss, takeProfit }: OwnExits): boolean {
  const { stopLossPercent, takeProfitPercent } = exitsOfPlan({ kind: 'strategy', stopLoss, takeProfit }, exits);
  return exits.stopLossPercent === stopLossPercent && exits.takeProfitPercent === takeProfitPercent;
}
