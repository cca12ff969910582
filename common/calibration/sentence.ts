import { HOUR, MINUTE, SECOND } from '../time.ts';
import type { Rate, ScoreRange, TokenCalibration } from './model.ts';
import { MIN_CASES } from './rules.ts';

/** Text while too few cases are settled. */
const TOO_FEW_CASES = 'not enough cases yet';

const wholePercent = (share: number): string => `${Math.round(share * 100)} %`;
/** Returns `27–31 %`, or one figure where both bounds round to it. */
function spanText(low: number, high: number): string {
  const [from, to] = [Math.round(low * 100), Math.round(high * 100)];
  return from === to ? `${from} %` : `${from}–${to} %`;
}

/** Returns an age as `30 s`, `2 min` or `1 h`. */
export function ageText(age: number): string {
  if (age < MINUTE) return `${age / SECOND} s`;
  return age < HOUR ? `${age / MINUTE} min` : `${age / HOUR} h`;
}

/** Returns `score 21–30`, or `score Unknown`. */
export function scoresText(scores: ScoreRange): string {
  return scores === null ? 'score Unknown' : `score ${scores.from}–${scores.to}`;
}

/**
 * Returns how often coins scored like a token lost their liquidity: "Of 1,204 coins scored like this at this age, 29 % lost 80 %
 * of their liquidity within an hour (27–31 %)". `not enough cases yet` under 200 cases; null when nothing comparable is measured.
 */
export function lostSentence({ lost }: Pick<TokenCalibration, 'lost'>): string | null {
  if (lost === null) return null;
  const known = enough(lost);
  if (known === null) return TOO_FEW_CASES;
  const coins = lost.cases.toLocaleString('en-US');
  const { value, low, high } = known;
  return `Of ${coins} coins scored like this at this age, ${wholePercent(value)} lost 80 % of their liquidity within an hour (${spanText(low, high)})`;
}

/**
 * Returns how often runners doubled: "Of 312 runners at this age, 12 % doubled within an hour (9–16 %); any coin: 11 %".
 * `not enough cases yet` under 200 runners; null for a token that is no runner.
 */
export function runnerSentence({
  runnersDoubled: runners,
  anyDoubled: any,
}: Pick<TokenCalibration, 'runnersDoubled' | 'anyDoubled'>): string | null {
  if (runners === null || any === null) return null;
  const known = enough(runners);
  const base = enough(any);
  if (known === null || base === null) return TOO_FEW_CASES;
  const { value, low, high } = known;
  const coins = runners.cases.toLocaleString('en-US');
  return `Of ${coins} runners at this age, ${wholePercent(value)} doubled within an hour (${spanText(low, high)}); any coin: ${wholePercent(base.value)}`;
}

/** Returns the share of a rate with enough cases, otherwise null. */
function enough(rate: Rate): NonNullable<Rate['share']> | null {
  return rate.cases < MIN_CASES ? null : rate.share;
}
