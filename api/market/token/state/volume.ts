import { lamportsToSol } from '../../../../common/tokens/units.ts';
import type { TokenRecord } from '../../../tokens/record.ts';

type Hours = TokenRecord['volumeByHour'];

const HOUR = 3_600_000;
/** Hours in the volume, including the running one. */
const HOURS_KEPT = 24;

export function hourOf(at: number): number {
  return Math.floor(at / HOUR);
}

/** Adds a trade to its hour, in place. A trade without a SOL value (null) makes its hour unknown. */
export function addVolume(hours: Hours, at: number, lamports: number | null): void {
  const hour = hourOf(at);
  let bucket = hours.at(-1)?.hour === hour ? hours.at(-1) : hours.find((known) => known.hour === hour);
  if (bucket === undefined) {
    bucket = { hour, lamports: 0 };
    hours.push(bucket);
    hours.sort((a, b) => a.hour - b.hour);
  }
  bucket.lamports = bucket.lamports === null || lamports === null ? null : bucket.lamports + lamports;
}

/** Drops the hours older than a day, in place. Returns true when there were any. */
export function dropOldHours(hours: Hours, now: number): boolean {
  const first = hours[0];
  const oldest = hourOf(now) - HOURS_KEPT + 1;
  if (first === undefined || first.hour >= oldest) return false;
  const kept = hours.filter(({ hour }) => hour >= oldest);
  hours.splice(0, hours.length, ...kept);
  return true;
}

/** Returns the volume of all hours in US dollars; null without a rate (dollars for 1 SOL) or with an unknown hour. */
export function volumeUsd(hours: Hours, solUsd: number | null): number | null {
  if (solUsd === null) return null;
  let sum = 0;
  for (const { lamports } of hours) {
    if (lamports === null) return null;
    sum += lamports;
  }
  return lamportsToSol(sum) * solUsd;
}
