import { DAY, HOUR, MINUTE } from '../../common/time.ts';
import type { TokenRecord } from './record.ts';

/** What a token traded, as stored. */
export type Volume = Pick<TokenRecord, 'quote' | 'volumeByHour' | 'volumeMinutes' | 'runningMinute'>;
export type VolumeHour = TokenRecord['volumeByHour'][number];

/** Millionths of a dollar, the unit of stored dollars; USDC has the same. */
const MICRO_USD = 1_000_000;

/** Returns the dollars traded in the 24 hours before `now`; null with a trade whose worth is unknown. */
export function volumeUsd(volume: Volume, now: number): number | null {
  const from = now - DAY;
  let sum = 0;
  for (const bucket of volume.volumeByHour) {
    if ((bucket.hour + 1) * HOUR <= from) continue;
    if (bucket.microUsd === null || unvaluedIn(bucket) !== 0) return null;
    sum += (bucket.microUsd ?? 0) * shareSince(volume, bucket, from);
  }
  return sum / MICRO_USD;
}

/** Returns the lamports without dollars; null when unknown. Hours stored by earlier versions have no dollars at all. */
export function unvaluedIn({ lamports, microUsd, unvalued }: VolumeHour): number | null {
  return microUsd === undefined ? lamports : (unvalued ?? 0);
}

/** Returns the share 0–1 of an hour's trades that came after `from`: by its minutes, and by the time for what they miss. */
function shareSince({ quote, volumeMinutes, runningMinute }: Volume, bucket: VolumeHour, from: number): number {
  const { hour } = bucket;
  const passed = from - hour * HOUR;
  if (passed <= 0) return 1;
  let known = 0;
  let since = 0;
  const count = (begin: number, amount: number) => {
    known += amount;
    since += amount * Math.min(1, Math.max(0, 1 - (from - begin) / MINUTE));
  };
  const minutes = volumeMinutes?.find((entry) => entry.hour === hour)?.minutes ?? [];
  for (let place = 0; place < minutes.length; place += 2) {
    count(hour * HOUR + (minutes[place] ?? 0) * MINUTE, minutes[place + 1] ?? 0);
  }
  const running = runningMinute ? runningMinute.minute * MINUTE : null;
  if (runningMinute && running !== null && Math.floor(running / HOUR) === hour) count(running, runningMinute.amount);
  // Records of earlier versions have only some of the minutes.
  const missed = Math.max(0, (tradedIn(bucket, quote) ?? 0) - known);
  const left = 1 - passed / HOUR;
  return known + missed === 0 ? left : (since + missed * left) / (known + missed);
}

/** Returns what was traded in an hour in the unit of its minutes; null when unknown. */
function tradedIn({ lamports, microUsd }: VolumeHour, quote: TokenRecord['quote']): number | null {
  return quote === 'USDC' ? (microUsd ?? null) : lamports;
}
