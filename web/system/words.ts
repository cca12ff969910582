import type { SystemStatus } from '../../common/admin/model.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import type { BadgeTone } from '../ui/badge.tsx';
import { MISSING } from '../ui/format.ts';

export interface Word {
  text: string;
  tone: BadgeTone;
}

export const scannerStates: Record<SystemStatus['chainScanner']['state'], Word> = {
  running: { text: 'Running', tone: 'accent' },
  idle: { text: 'Waiting', tone: 'neutral' },
  off: { text: 'Off', tone: 'warning' },
};

export const socialStates: Record<SystemStatus['social']['state'], Word> = {
  live: { text: 'Running', tone: 'accent' },
  down: { text: 'Down', tone: 'danger' },
  off: { text: 'Off', tone: 'warning' },
};

export const sourceStates: Record<SourceHealth['state'], Word> = {
  live: { text: 'Live', tone: 'accent' },
  connecting: { text: 'Connecting', tone: 'warning' },
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

const MINUTE = 60_000;

/** An interval in words: `5 minutes`, `30 seconds`. 0 is of something that does not run: not known. */
export function interval(ms: number): string {
  if (ms === 0) return MISSING;
  const minutes = ms / MINUTE;
  if (Number.isInteger(minutes)) return plural(minutes, 'minute');
  return plural(Math.round(ms / 1_000), 'second');
}

export function plural(amount: number, what: string): string {
  return `${amount.toLocaleString('en-US')} ${what}${amount === 1 ? '' : 's'}`;
}

/** `412 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en-US')} MB`;
}

/** `3.2 ms`, `140 ms`; a dash for what is not known. */
export function milliseconds(ms: number | null): string {
  if (ms === null) return MISSING;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms).toLocaleString('en-US')} ms`;
}

/** `4.2 /s`. */
export function perSecond(rate: number): string {
  return `${rate < 10 ? Number(rate.toFixed(1)) : Math.round(rate).toLocaleString('en-US')} /s`;
}

/** `2 d 3 h`, `3 h 12 min`, `12 min`, `40 s`. */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}
