import type { Stage } from '../tokens/model.ts';
import type { ReasonCode } from './reasons.ts';

/** Returns why a coin is not traded on its bonding curve against SOL; null when it is. */
export function curveRefusal({ quote, stage }: { quote: string; stage: Stage }): ReasonCode | null {
  if (quote !== 'SOL') return 'not-sol';
  if (stage === 'complete') return 'between-venues';
  return stage === 'pool' ? 'in-pool' : null;
}
