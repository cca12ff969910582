import { riskLevel as wordOf } from '../../common/tokens/levels.ts';

/** The level as a name for looks and data attributes; its bounds and words are those of common. */
export type RiskLevel = 'low' | 'medium' | 'high' | 'unknown';

export const riskLabels = {
  low: 'Low Risk',
  medium: 'Medium Risk',
  high: 'High Risk',
  unknown: 'Unknown',
} as const satisfies Record<RiskLevel, string>;

const levels = {
  'Low Risk': 'low',
  'Medium Risk': 'medium',
  'High Risk': 'high',
  Unknown: 'unknown',
} as const satisfies Record<ReturnType<typeof wordOf>, RiskLevel>;

/** The level of a risk on the 0–100 scale; absent is unknown, never low. */
export function riskLevel(scamProbability: number | null): RiskLevel {
  return levels[wordOf(scamProbability)];
}
