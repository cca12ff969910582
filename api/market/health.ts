import { type SourceHealth, sourceLabels, sourceNames } from '../../common/sources/model.ts';
import { type Clock, isoOrNull, MINUTE, SECOND } from '../../common/time.ts';
import { healthyFigures, type Source } from './sources/source.ts';

const SECONDS_PER_MINUTE = 60;
/** A connected stream without an event for longer than this stands still, ms: launchpads trade every second. */
const STALLED_AFTER = 2 * MINUTE;

/** Counts observations per source within the last minute. */
export type EventMeter = ReturnType<typeof createEventMeter>;

export function createEventMeter(clock: Clock) {
  /** By source: counts per second, in a ring of one minute. */
  const rings = new Map<string, { second: number; count: number }[]>();
  const currentSecond = () => Math.floor(clock.now() / SECOND);
  return {
    add(source: string, count: number): void {
      const ring = rings.get(source) ?? Array.from({ length: SECONDS_PER_MINUTE }, () => ({ second: 0, count: 0 }));
      rings.set(source, ring);
      const second = currentSecond();
      const slot = ring[second % SECONDS_PER_MINUTE];
      if (slot === undefined) return;
      if (slot.second !== second) Object.assign(slot, { second, count: 0 });
      slot.count += count;
    },
    lastMinute(source: string): number {
      const after = currentSecond() - SECONDS_PER_MINUTE;
      return (rings.get(source) ?? []).reduce((sum, { second, count }) => (second > after ? sum + count : sum), 0);
    },
  };
}

/** Returns the status of a source of `MARKET` at `now` (epoch ms). A poller is quiet between two polls, so it never stalls. */
export function statusOf(source: Source, now: number): ReturnType<Source['status']> {
  const { state, lastEventAt } = source.status();
  const isStream = source.poller === undefined;
  const stalls = isStream && state === 'live' && lastEventAt !== null && now - lastEventAt > STALLED_AFTER;
  return { state: stalls ? 'stalled' : state, lastEventAt };
}

/** Returns the health of a source of `MARKET` at `now` (epoch ms). */
export function healthOf(source: Source, meter: EventMeter, now: number): SourceHealth {
  const { state, lastEventAt } = statusOf(source, now);
  const figures = source.figures?.() ?? healthyFigures;
  const { budget, allowance } = figures;
  return {
    source: source.name,
    label: labelOf(source.name),
    kind: source.poller === undefined ? 'stream' : 'poll',
    state: figures.key === 'required-missing' ? 'off' : state,
    reason: figures.reason,
    lastEventAt: isoOrNull(lastEventAt),
    eventsPerMinute: meter.lastMinute(source.name),
    errors: figures.errors,
    lastErrorAt: isoOrNull(figures.lastErrorAt),
    malformed: figures.malformed,
    circuit: figures.circuit,
    retryAt: isoOrNull(figures.retryAt),
    budget: budget && { ...budget, resetsAt: isoOrNull(budget.resetsAt) },
    allowance: allowance && { ...allowance, resetsAt: new Date(allowance.resetsAt).toISOString() },
    key: figures.key,
  };
}

const streams: ReadonlySet<string> = new Set([
  'simulator',
  'solana',
  'launchlab',
  'meteora-dbc',
  'replay',
  'pumpportal',
]);

/** Returns the sources that `MARKET` does not name. */
export function sourcesOff(sources: readonly Source[], keyOf: (source: string) => SourceHealth['key']): SourceHealth[] {
  const named = new Set(sources.map(({ name }) => name.split(':', 1)[0]));
  return sourceNames
    .filter((name) => !named.has(name))
    .map((name) => ({
      ...healthyFigures,
      source: name,
      label: sourceLabels[name],
      kind: streams.has(name) ? 'stream' : 'poll',
      state: 'off',
      reason: 'Not named in MARKET.',
      lastEventAt: null,
      eventsPerMinute: 0,
      lastErrorAt: null,
      retryAt: null,
      budget: null,
      allowance: null,
      key: keyOf(name),
    }));
}

/** Returns e.g. `Replay (july.jsonl)` for `replay:/tmp/july.jsonl`. */
function labelOf(name: string): string {
  const kind = sourceNames.find((known) => name === known || name.startsWith(`${known}:`));
  if (kind === undefined) return name;
  const file = name
    .slice(kind.length + 1)
    .split('/')
    .at(-1);
  return file ? `${sourceLabels[kind]} (${file})` : sourceLabels[kind];
}
