import { isMightRun, isRunner } from '../../../common/tokens/lists.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { type LiveToken, set } from './state/live-token.ts';

const STAGES = ['curve', 'complete', 'pool'] as const;

/** A coin that lost this share of its highest liquidity, after the creator sold early, ended as a rug. */
const RUG_LIQUIDITY_LEFT = 0.2;
/** Percent of its first buy that the creator sold early. */
export const RUG_CREATOR_SOLD = 50;
/** Lamports; a coin that never had this much liquidity does not count as a rug. */
const RUG_MIN_PEAK = 1_000_000_000;

/** Moves a coin to a later stage. A late observation of an earlier stage changes nothing. Returns true when it moved. */
export function advance(live: LiveToken, stage: TokenRecord['stage']): boolean {
  if (STAGES.indexOf(stage) <= STAGES.indexOf(live.record.stage)) return false;
  // Other risk checks apply to a coin in a pool.
  live.scoreDue = true;
  return set(live, 'stage', stage);
}

/** A list that a token entered or left. */
export interface ListChange {
  live: LiveToken;
  list: 'runner' | 'might-run';
  active: boolean;
}

/** Updates the lists of a token, which time alone may change. Returns the changes. */
export function classify(live: LiveToken, now: number): ListChange[] {
  const { record } = live;
  const changes: ListChange[] = [];
  const runner = isRunner(record, now);
  if (set(live, 'runner', runner)) changes.push({ live, list: 'runner', active: runner });
  const mightRun = isMightRun(record, now);
  if (set(live, 'mightRun', mightRun)) changes.push({ live, list: 'might-run', active: mightRun });
  return changes;
}

/** Returns whether a coin ended as a rug: the creator sold at least half of its first buy within 60 s, and at most a fifth of the highest liquidity is left. */
export function isRug(live: LiveToken): boolean {
  const { facts, liquidityLamports, peakLiquidityLamports } = live.record;
  return (
    (facts.creatorSoldEarly?.value ?? 0) >= RUG_CREATOR_SOLD &&
    liquidityLamports !== null &&
    peakLiquidityLamports !== null &&
    peakLiquidityLamports >= RUG_MIN_PEAK &&
    liquidityLamports <= peakLiquidityLamports * RUG_LIQUIDITY_LEFT
  );
}
