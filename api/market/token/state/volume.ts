import { DAY, HOUR, MINUTE } from '../../../../common/time.ts';
import type { QuoteKind } from '../../../tokens/record.ts';
import type { Volume, VolumeHour } from '../../../tokens/volume.ts';

type VolumeCounts = Omit<Volume, 'quote'>;

/** Lamports × dollars for 1 SOL ÷ this = millionths of a dollar. */
const LAMPORTS_PER_MICRO = 1_000;
const MINUTES_PER_HOUR = 60;

export function hourOf(at: number): number {
  return Math.floor(at / HOUR);
}

export interface VolumeTrade {
  at: number;
  quote: QuoteKind;
  /** Smallest units of the quote. */
  quoteAmount: number;
  /** Worth in lamports; null when unknown. */
  lamports: number | null;
}

/**
 * Adds a trade to its hour, in place. Its dollars are fixed now: those of a USDC trade are its own, those of a SOL trade follow
 * from the rate (dollars for 1 SOL), or from the first rate known later. Returns true when the minutes that are over changed.
 */
export function addVolume(volume: VolumeCounts, trade: VolumeTrade, solUsd: number | null): boolean {
  const hour = hourOf(trade.at);
  const hours = volume.volumeByHour;
  let bucket = hours.at(-1)?.hour === hour ? hours.at(-1) : hours.find((known) => known.hour === hour);
  if (bucket === undefined) {
    bucket = { hour, lamports: 0, microUsd: 0 };
    hours.push(bucket);
    hours.sort((a, b) => a.hour - b.hour);
  }
  const { lamports } = trade;
  bucket.lamports = bucket.lamports === null || lamports === null ? null : bucket.lamports + lamports;
  addDollars(bucket, trade, solUsd);
  return addToMinute(volume, trade.at, trade.quoteAmount);
}

function addDollars(bucket: VolumeHour, { quote, quoteAmount, lamports }: VolumeTrade, solUsd: number | null): void {
  if (bucket.microUsd === null) return;
  switch (quote) {
    case 'USDC':
      bucket.microUsd += quoteAmount;
      return;
    case 'SOL':
      if (solUsd === null) bucket.unvalued = (bucket.unvalued ?? 0) + (lamports ?? quoteAmount);
      else bucket.microUsd += microsOf(lamports ?? quoteAmount, solUsd);
      return;
    case 'other':
      // The sum of the others would be too low.
      bucket.microUsd = null;
  }
}

function microsOf(lamports: number, solUsd: number): number {
  return Math.round((lamports * solUsd) / LAMPORTS_PER_MICRO);
}

/**
 * Adds an amount to its minute, in place. The running minute is kept apart, so that a trade changes little of the stored record.
 * Returns true when the minutes that are over changed.
 */
function addToMinute(volume: VolumeCounts, at: number, amount: number): boolean {
  const minute = Math.floor(at / MINUTE);
  const running = volume.runningMinute;
  if (running?.minute === minute) {
    running.amount += amount;
    return false;
  }
  if (running == null || minute > running.minute) {
    volume.runningMinute = { minute, amount };
    if (running == null) return false;
    addToEnded(volume, running);
    return true;
  }
  addToEnded(volume, { minute, amount });
  return true;
}

function addToEnded(volume: VolumeCounts, { minute, amount }: NonNullable<Volume['runningMinute']>): void {
  const all = volume.volumeMinutes;
  const hour = Math.floor(minute / MINUTES_PER_HOUR);
  let entry = all.at(-1)?.hour === hour ? all.at(-1) : all.find((known) => known.hour === hour);
  if (entry === undefined) {
    entry = { hour, minutes: [] };
    all.push(entry);
  }
  const { minutes } = entry;
  const ofHour = minute % MINUTES_PER_HOUR;
  let place = minutes.length - 2;
  while (place >= 0 && minutes[place] !== ofHour) place -= 2;
  if (place < 0) minutes.push(ofHour, amount);
  else minutes[place + 1] = (minutes[place + 1] ?? 0) + amount;
}

/** Drops the hours that ended more than a day before `now`, in place. Returns true when there were any. */
export function dropOldHours(volume: VolumeCounts, now: number): boolean {
  const first = volume.volumeByHour[0];
  const isKept = ({ hour }: { hour: number }) => (hour + 1) * HOUR > now - DAY;
  if (first === undefined || isKept(first)) return false;
  volume.volumeByHour.splice(0, volume.volumeByHour.length, ...volume.volumeByHour.filter(isKept));
  volume.volumeMinutes = volume.volumeMinutes.filter(isKept);
  return true;
}

/** Fixes the dollars of trades made while no rate was known. Returns true when there were any. */
export function valueVolume({ volumeByHour }: VolumeCounts, solUsd: number | null): boolean {
  let changed = false;
  for (const bucket of volumeByHour) {
    const { unvalued: open = 0 } = bucket;
    if (solUsd === null || bucket.microUsd === null || open === 0) continue;
    bucket.microUsd += microsOf(open, solUsd);
    delete bucket.unvalued;
    changed = true;
  }
  return changed;
}

/** Returns when the volume falls next by time alone, epoch ms: minute by minute once its first hour is a day old. */
export function nextVolumeDrop({ volumeByHour }: VolumeCounts, now: number): number {
  const first = volumeByHour[0];
  if (first === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(first.hour * HOUR + DAY, now) + MINUTE;
}

/** Adds the volume of another record of the same token, in place. */
export function mergeVolume(volume: VolumeCounts, other: VolumeCounts): void {
  for (const added of other.volumeByHour) {
    const bucket = volume.volumeByHour.find(({ hour }) => hour === added.hour);
    if (bucket === undefined) volume.volumeByHour.push({ ...added });
    else Object.assign(bucket, sumOf(bucket, added));
  }
  volume.volumeByHour.sort((a, b) => a.hour - b.hour);
  for (const { hour, minutes } of other.volumeMinutes) {
    for (let place = 0; place < minutes.length; place += 2) {
      addToMinute(volume, hour * HOUR + (minutes[place] ?? 0) * MINUTE, minutes[place + 1] ?? 0);
    }
  }
  const { runningMinute } = other;
  if (runningMinute) addToMinute(volume, runningMinute.minute * MINUTE, runningMinute.amount);
}

function sumOf(a: VolumeHour, b: VolumeHour): Omit<VolumeHour, 'hour'> {
  const add = (one: number | null, two: number | null) => (one === null || two === null ? null : one + two);
  const unvalued = (a.unvalued ?? 0) + (b.unvalued ?? 0);
  return {
    lamports: add(a.lamports, b.lamports),
    microUsd: add(a.microUsd, b.microUsd),
    ...(unvalued === 0 ? {} : { unvalued }),
  };
}
