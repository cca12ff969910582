import type { Connection } from 'mongoose';
import { STRATEGIES_MAX, type Strategy, type StrategyFields as StrategyForm } from '../../common/strategies/model.ts';
import type { Clock } from '../../common/time.ts';
import { solToLamports } from '../../common/tokens/units.ts';
import type { EventSink } from '../events/bus.ts';
import { activeSinceAfter } from '../plans/active-since.ts';
import { ensureIndexes } from '../platform/database.ts';
import { createUserDocuments, type UserDocuments } from '../users/user-documents.ts';
import { type StrategyFields, strategyModel } from './model.ts';
import { presentStrategy } from './present.ts';

/** Buying strategies, at most 100 per user. */
export type Strategies = UserDocuments<StrategyFields, Strategy>;

/** Fields that decide which tokens a strategy buys. */
const deciding = [
  'type',
  'configuration',
  'minLiquidityLamports',
  'maxScamProbability',
  'maxSlippage',
  'buyUnknownRisk',
  'buyWithinSeconds',
] as const;

/** Opens the strategies of this database and creates their indexes. */
export async function openStrategies(deps: {
  connection: Connection;
  bus: EventSink;
  clock: Clock;
}): Promise<Strategies> {
  const { connection, bus, clock } = deps;
  const model = strategyModel(connection);
  await ensureIndexes(model);
  return createUserDocuments<StrategyFields, Strategy>({
    model,
    max: STRATEGIES_MAX,
    present: presentStrategy,
    derive: (before, saved, now) => activeSinceAfter<StrategyFields>(before, saved, deciding, now),
    onSaved: (userId, item) =>
      bus.emit('plan-changed', { userId, change: { subject: 'strategies', op: 'saved', item } }),
    onDeleted: (userId, id) =>
      bus.emit('plan-changed', { userId, change: { subject: 'strategies', op: 'deleted', item: { id } } }),
    clock,
  });
}

/** Converts the form's fields for storage. */
export function strategyFields(form: StrategyForm): StrategyFields {
  const { buyAmount, minLiquidity, stopLoss = null, takeProfit = null, ...others } = form;
  const { maxScamProbability = null, buyWithinSeconds = null, ...same } = others;
  return {
    ...same,
    stopLoss,
    takeProfit,
    maxScamProbability,
    buyWithinSeconds,
    buyLamports: solToLamports(buyAmount),
    minLiquidityLamports: minLiquidity === undefined ? null : solToLamports(minLiquidity),
  };
}
