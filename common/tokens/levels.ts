/** Bounds of the risk levels on the 0–100 scale: above 30 medium, above 70 high (specification, section 4). */
export const MEDIUM_RISK_ABOVE = 30;
const HIGH_RISK_ABOVE = 70;

export type RiskLevel = 'High Risk' | 'Medium Risk' | 'Low Risk' | 'Unknown';

/** Returns the level of a risk on the scale 0–100; null (unknown) is 'Unknown', never low. */
export function riskLevel(scamProbability: number | null): RiskLevel {
  if (scamProbability === null) return 'Unknown';
  if (scamProbability > HIGH_RISK_ABOVE) return 'High Risk';
  return scamProbability > MEDIUM_RISK_ABOVE ? 'Medium Risk' : 'Low Risk';
}

export type LiquidityBand = 'Very Low' | 'Low' | 'Adequate' | 'Unknown';

/** Returns the band of a liquidity in SOL: below 0.5 very low, below 1 low. */
export function liquidityBand(liquiditySol: number | null): LiquidityBand {
  if (liquiditySol === null) return 'Unknown';
  if (liquiditySol < 0.5) return 'Very Low';
  return liquiditySol < 1 ? 'Low' : 'Adequate';
}

export type HolderBand = 'Highly Concentrated' | 'Concentrated' | 'Distributed' | 'Unknown';

/** Returns the band of a number of holders: below 10 highly concentrated, below 50 concentrated. */
export function holderBand(holderCount: number | null): HolderBand {
  if (holderCount === null) return 'Unknown';
  if (holderCount < 10) return 'Highly Concentrated';
  return holderCount < 50 ? 'Concentrated' : 'Distributed';
}

/** Below this many holders the holders text is a warning. */
const FEW_HOLDERS_BELOW = 20;

/** Returns whether the holders text is yellow; an unknown number gives no warning. */
export function hasFewHolders(holderCount: number | null): boolean {
  return holderCount !== null && holderCount < FEW_HOLDERS_BELOW;
}
