import { type Reason, reason } from '../../../common/trading/reasons.ts';

const TENTHS_OF_A_PERCENT = 1_000n;
const BPS_PER_TENTH = 10;

/**
 * Returns the reason `route-shortfall` of a trade that brings less than `least` (base units of a purchase, lamports before all costs
 * of a sale), with the missing share of it, rounded up to a tenth of a percent: at most all. Without a share when `least` is 0.
 */
export function shortfall(brings: bigint, least: bigint): Reason {
  if (least === 0n) return reason('route-shortfall');
  const missing = brings > 0n ? least - brings : least;
  const tenths = (missing * TENTHS_OF_A_PERCENT + least - 1n) / least;
  return reason('route-shortfall', { shortBps: Number(tenths) * BPS_PER_TENTH });
}
