import type { SourceHealth } from '../../common/sources/model.ts';
import { sourceLabels, sourceNames } from '../../common/sources/model.ts';
import type { Clock } from '../../common/time.ts';
import { isoOrNull } from '../platform/iso.ts';
import type { Source, SourceFigures } from './sources/source.ts';

const SECOND = 1_000;
const MINUTE = 60;

/** How many observations came in the last minute, by source. */
export class Meter {
  readonly #clock: Clock;
  /** By source: counts by second, in a ring of a minute. */
  readonly #counts = new Map<string, { second: number; count: number }[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(source: string, count: number): void {
    const ring = this.#counts.get(source) ?? Array.from({ length: MINUTE }, () => ({ second: 0, count: 0 }));
    this.#counts.set(source, ring);
    const second = this.#second();
    const slot = ring[second % MINUTE];
    if (slot === undefined) return;
    if (slot.second !== second) Object.assign(slot, { second, count: 0 });
    slot.count += count;
  }

  lastMinute(source: string): number {
    const after = this.#second() - MINUTE;
    return (this.#counts.get(source) ?? []).reduce((sum, { second, count }) => (second > after ? sum + count : sum), 0);
  }

  #second(): number {
    return Math.floor(this.#clock.now() / SECOND);
  }
}

/** What a source without figures of its own has to say. */
const noFigures: SourceFigures = {
  reason: null,
  errors: 0,
  lastErrorAt: null,
  malformed: 0,
  circuit: 'closed',
  retryAt: null,
  budget: null,
  key: 'none',
};

/** The state of a source of `MARKET`. */
export function healthOf(source: Source, meter: Meter): SourceHealth {
  const { state, lastEventAt } = source.status();
  const figures = source.figures?.() ?? noFigures;
  const { budget } = figures;
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
    key: figures.key,
  };
}

const streams: ReadonlySet<string> = new Set(['simulator', 'solana', 'replay', 'pumpportal']);

/** The sources that `MARKET` does not name. */
export function sourcesOff(sources: readonly Source[], keyOf: (source: string) => SourceHealth['key']): SourceHealth[] {
  const named = new Set(sources.map(({ name }) => name.split(':', 1)[0]));
  return sourceNames
    .filter((name) => !named.has(name))
    .map((name) => ({
      ...noFigures,
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
      key: keyOf(name),
    }));
}

/** `replay:/tmp/july.jsonl` is called `Replay (july.jsonl)`. */
function labelOf(name: string): string {
  const kind = sourceNames.find((known) => name === known || name.startsWith(`${known}:`));
  if (kind === undefined) return name;
  const file = name
    .slice(kind.length + 1)
    .split('/')
    .at(-1);
  return file ? `${sourceLabels[kind]} (${file})` : sourceLabels[kind];
}
