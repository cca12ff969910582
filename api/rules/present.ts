import type { Rule } from '../../common/rules/model.ts';
import { lamportsToSol } from '../../common/tokens/units.ts';
import type { RuleRecord } from './model.ts';

export function presentRule(record: RuleRecord): Rule {
  return {
    id: record._id.toHexString(),
    name: record.name,
    buyAmount: lamportsToSol(record.buyLamports),
    minLiquidity: lamportsToSol(record.minLiquidityLamports),
    maxRisk: record.maxRisk,
    maxSlippage: record.maxSlippage,
    isActive: record.isActive,
    buyUnknownRisk: record.buyUnknownRisk,
    buyWithinSeconds: record.buyWithinSeconds,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
