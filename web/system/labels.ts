import type { SystemStatus } from '../../common/admin/model.ts';
import { counted } from '../../common/counted.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import { MINUTE } from '../../common/time.ts';
import type { BadgeTone } from '../ui/badge.tsx';
import { MISSING } from '../ui/format.ts';

/** Text and tone of a state's badge. */
export interface StateLabel {
  text: string;
  tone: BadgeTone;
}

export const scannerStates: Record<SystemStatus['chainScanner']['state'], StateLabel> = {
  running: { text: 'Running', tone: 'accent' },
  idle: { text: 'Waiting', tone: 'neutral' },
  off: { text: 'Off', tone: 'warning' },
};

export const socialStates: Record<SystemStatus['social']['state'], StateLabel> = {
  live: { text: 'Running', tone: 'accent' },
  down: { text: 'Down', tone: 'danger' },
  off: { text: 'Off', tone: 'warning' },
};

export const sourceStates: Record<SourceHealth['state'], StateLabel> = {
  live: { text: 'Live', tone: 'accent' },
  connecting: { text: 'Connecting', tone: 'warning' },
  stalled: { text: 'Stalled', tone: 'warning' },
  ended: { text: 'Ended', tone: 'neutral' },
  down: { text: 'Down', tone: 'danger' },
  stopped: { text: 'Stopped', tone: 'neutral' },
  off: { text: 'Off', tone: 'neutral' },
};

export const keyStates: Record<SourceHealth['key'], string> = {
  none: 'not needed',
  'optional-missing': 'none (optional)',
  'required-missing': 'missing',
  set: 'set',
};

/** Formats an interval: `5 minutes`, `30 seconds`; a dash for 0, which means that it does not run. */
export function interval(ms: number): string {
  if (ms === 0) return MISSING;
  const minutes = ms / MINUTE;
  if (Number.isInteger(minutes)) return counted(minutes, 'minute');
  return counted(Math.round(ms / 1_000), 'second');
}

/** Formats a size: `412 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en-US')} MB`;
}

/** Formats a duration: `3.2 ms`, `140 ms`, `67.6 s`; a dash for null. */
export function milliseconds(ms: number | null): string {
  if (ms === null) return MISSING;
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms).toLocaleString('en-US')} ms`;
}

/** Formats two percentiles: `31 / 140 ms`; a dash for each that is null. */
export function percentiles(p50: number | null, p99: number | null): string {
  if (p50 === null || p99 === null) return `${milliseconds(p50)} / ${milliseconds(p99)}`;
  return `${milliseconds(p50).replace(/ ms$/, '')} / ${milliseconds(p99)}`;
}

/** Formats a rate: `4.2 /s`. */
export function perSecond(rate: number): string {
  return `${rate < 10 ? Number(rate.toFixed(1)) : Math.round(rate).toLocaleString('en-US')} /s`;
}

/** Formats seconds: `2 d 3 h`, `3 h 12 min`, `12 min`, `40 s`. */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}
