import type { Strategy } from '../../common/strategies/model.ts';
import { lamportsToSol, solOrNull } from '../../common/tokens/units.ts';
import type { StrategyRecord } from './model.ts';

export function presentStrategy(record: StrategyRecord): Strategy {
  const { minLiquidityLamports } = record;
  return {
    id: record._id.toHexString(),
    userId: record.userId.toHexString(),
    name: record.name,
    description: record.description,
    type: record.type,
    isActive: record.isActive,
    buyAmount: lamportsToSol(record.buyLamports),
    maxSlippage: record.maxSlippage,
    stopLoss: record.stopLoss,
    takeProfit: record.takeProfit,
    minLiquidity: solOrNull(minLiquidityLamports),
    maxScamProbability: record.maxScamProbability,
    buyUnknownRisk: record.buyUnknownRisk,
    buyWithinSeconds: record.buyWithinSeconds,
    configuration: record.configuration,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
