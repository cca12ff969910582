import type { ReplayHour } from '../../common/replay/model.ts';

const HOUR_MS = 3_600_000;

/** Returns an hour for the screen, in UTC as all exact times of the product: `23 Nov, 05:00 UTC`. */
export function hourText(hour: string): string {
  const at = new Date(`${hour}:00:00.000Z`);
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return `${day}, ${timeText(at.toISOString())} UTC`;
}

/** Returns the time of day of an ISO time in UTC: `05:12`. */
export function timeText(iso: string): string {
  return iso.slice(11, 16);
}

/** Returns the gaps of an hour as text: `05:15–05:30`, with seconds where a gap begins and ends within a minute. */
export function gapsText(gaps: ReplayHour['gaps']): string {
  const spanText = ({ from, to }: ReplayHour['gaps'][number]) =>
    timeText(from) === timeText(to) ? `${from.slice(11, 19)}–${to.slice(11, 19)}` : `${timeText(from)}–${timeText(to)}`;
  return gaps.map(spanText).join(', ');
}

/** A part of an hour, as shares (0–1) of it. */
interface HourSpan {
  from: number;
  to: number;
}

/** Returns the gaps of an hour as shares of it; the rest of the present hour is none. */
export function gapSpans({ hour, gaps }: ReplayHour): HourSpan[] {
  const begin = Date.parse(`${hour}:00:00.000Z`);
  const share = (iso: string) => Math.min(1, Math.max(0, (Date.parse(iso) - begin) / HOUR_MS));
  return gaps.map(({ from, to }) => ({ from: share(from), to: share(to) }));
}

/** Returns the recorded share of an hour, percent, rounded down. */
export function coverage(hour: ReplayHour): number {
  const begin = Date.parse(`${hour.hour}:00:00.000Z`);
  const until = Math.min(1, (Date.parse(hour.to) - begin) / HOUR_MS);
  const missing = gapSpans(hour).reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, until) - from), 0);
  return Math.max(0, Math.floor((until - missing) * 100));
}
