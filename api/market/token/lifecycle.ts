import type { TokenRecord } from '../../tokens/record.ts';
import { type LiveToken, set } from './state/live-token.ts';

const STAGES = ['curve', 'complete', 'pool'] as const;

/** A coin only ever moves on: news of an earlier stage that come late change nothing. */
export function advance(live: LiveToken, stage: TokenRecord['stage']): boolean {
  if (STAGES.indexOf(stage) <= STAGES.indexOf(live.record.stage)) return false;
  // Other checks apply to a coin in a pool.
  live.scoreDue = true;
  return set(live, 'stage', stage);
}
