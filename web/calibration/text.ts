import type { CalibrationMarket, Rate, ScoreRange } from '../../common/calibration/model.ts';
import { count, MISSING } from '../ui/format.ts';

type Estimate = NonNullable<Rate['share']>;

export const marketNames: Record<CalibrationMarket, string> = {
  live: 'Mainnet',
  simulated: 'Simulated market',
  replay: 'Replay',
};

/** Formats a share 0–1 as a percentage with its interval: `12.4 % (9.8–15.6)`. */
export function shareText(share: Estimate | null): string {
  if (share === null) return MISSING;
  const percent = (value: number) => (value * 100).toFixed(1);
  return `${percent(share.value)} % (${percent(share.low)}–${percent(share.high)})`;
}

/** Formats a rate with its counts: `12.4 % (9.8–15.6), 62 of 500`. */
export function rateText({ share, events, cases }: Rate): string {
  return share === null ? MISSING : `${shareText(share)}, ${count(events)} of ${count(cases)}`;
}

/** Formats a figure 0–1 with its interval: `0.842 (0.812–0.871)`. */
export function figureText(figure: Estimate | null): string {
  if (figure === null) return MISSING;
  return `${figure.value.toFixed(3)} (${figure.low.toFixed(3)}–${figure.high.toFixed(3)})`;
}

/** Returns the label of a bin of scores: `21–30`, or `Unknown`. */
export function binLabel(scores: ScoreRange): string {
  return scores === null ? 'Unknown' : `${scores.from}–${scores.to}`;
}
