import { utcText } from '../time.ts';
import type { Progress } from './progress.ts';
import { figure, listed, span } from './sentence.ts';
import { comparisonOf, type ValueConfig } from './values.ts';

const UNKNOWN = '–';

type Numbers = Progress['numbers'];

/**
 * Describes what a plan waits for: its unmet conditions with their figures. `needsAll`: whether all conditions must be met, rather
 * than any one. `now`: epoch ms, for the time that is left.
 */
export function waitingText(progress: readonly Progress[], needsAll: boolean, now: number): string {
  const unmet = progress.filter(({ met }) => met !== 'met');
  const over = unmet.filter(({ met }) => met === 'never');
  const isOver = needsAll ? over.length > 0 : over.length === progress.length;
  if (progress.length === 0) return 'Never buys: no condition is set.';
  if (isOver) return `Can't buy this token: ${listed(over.map(overText), 'and')}.`;
  const waiting = unmet.filter(({ met }) => met !== 'never').map((one) => clauseOf(one, now));
  return waiting.length === 0 ? 'Its conditions are met.' : `Waits: ${listed(waiting, needsAll ? 'and' : 'or')}.`;
}

function overText({ option, numbers }: Progress): string {
  const isComplete = 'untilAt' in numbers || 'endAt' in numbers;
  if (!isComplete) return 'a condition is incomplete';
  return option === 'buy_at_time' ? 'it was detected after the time of the plan' : 'the time frame of the plan is over';
}

/** Returns what one unmet condition waits for. */
function clauseOf({ option, met, numbers }: Progress, now: number): string {
  const isUnknown = met === 'unknown';
  switch (option) {
    case 'buy_immediately':
      return 'for its detection';
    case 'buy_after_duration':
      return `in ${left(numbers, now)}, ${span(numbers.seconds ?? 0)} after its detection`;
    case 'buy_at_time':
      return `in ${left(numbers, now)}, at ${utc(numbers)}`;
    case 'buy_within_timeframe':
      return `in ${left(numbers, now)}, when its time frame begins at ${utc(numbers)}`;
    case 'buy_at_fixed_price':
      return isUnknown
        ? `price is unknown, target ${sol(numbers.target)} or less`
        : `price is ${sol(numbers.value)}, target ${sol(numbers.target)} or less`;
    case 'buy_at_minimum_liquidity':
      return isUnknown
        ? `liquidity is unknown, target ${sol(numbers.target)}`
        : `liquidity is ${short(numbers.value)} of ${sol(numbers.target)}`;
    case 'buy_at_minimum_holders':
      return isUnknown
        ? `number of holders is unknown, target ${short(numbers.target)}`
        : `${short(numbers.value)} of ${short(numbers.target)} holders`;
    default:
      return changeOf(option, isUnknown, numbers);
  }
}

/** Returns `price has risen 3.1 % of the 10 % within 1 min`. */
function changeOf(option: ValueConfig['option'], isUnknown: boolean, numbers: Numbers): string {
  const { value, kind } = comparisonOf({ option });
  const what = value === 'holders' ? 'number of holders' : value;
  const change = kind === 'fall' ? 'fallen' : 'risen';
  const { percent, seconds, changePercent } = numbers;
  const since = seconds === undefined ? 'above its lowest since detection' : `within ${span(seconds)}`;
  const wanted = `${short(percent)} % ${since}`;
  if (isUnknown) return `${what} is unknown, it must have ${change} ${wanted}`;
  return `${what} has ${change} ${changePercent === undefined ? UNKNOWN : changePercent.toFixed(1)} % of the ${wanted}`;
}

/** SOL with at most 6 digits; unknown is a dash. */
function sol(value: number | undefined): string {
  return value === undefined ? UNKNOWN : `${short(value)} SOL`;
}

const DIGITS = 6;
function short(value: number | undefined): string {
  return value === undefined ? UNKNOWN : figure(Number(value.toPrecision(DIGITS)));
}

function utc({ untilAt }: Numbers): string {
  return untilAt === undefined ? UNKNOWN : utcText(untilAt);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns the time until `untilAt`, rounded up: `42 s`, `5 min`, `3 h`, `2 days`. */
function left({ untilAt }: Numbers, now: number): string {
  if (untilAt === undefined) return UNKNOWN;
  const seconds = Math.max(0, Math.ceil((untilAt - now) / 1000));
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return `${Math.ceil(seconds / MINUTE)} min`;
  return seconds < 2 * DAY ? `${Math.ceil(seconds / HOUR)} h` : `${Math.ceil(seconds / DAY)} days`;
}
