import { MINUTE } from '../../common/time.ts';
import { type Losses, type LossKind, lossKinds, type MonitoredSource } from './sightings.ts';

const MINUTES = 60;

/** One counter: its last value, and its rise in each of 60 minutes. */
interface Counter {
  value: number;
  minutes: { minute: number; count: number }[];
}

/** Losses of each source within the last hour, from counters that run since the start. */
export function createHourlyLosses() {
  /** By source, then by kind: as many as there are sources. */
  const counters = new Map<string, Map<LossKind, Counter>>();

  return {
    /** Books what the counters rose by since the last call; to be called once a second. `now`: epoch ms. */
    snapshot(sources: readonly MonitoredSource[], now: number): void {
      for (const { name, losses } of sources) {
        const known = counters.get(name) ?? new Map<LossKind, Counter>();
        counters.set(name, known);
        for (const kind of lossKinds) {
          const value = losses[kind];
          if (value === null) continue;
          const counter = known.get(kind) ?? newCounter();
          known.set(kind, counter);
          book(counter, value, Math.floor(now / MINUTE));
        }
      }
    },
    /** Returns the losses of the last 60 minutes, the running one included; null where the source cannot know. */
    read(source: string, now: number): Losses {
      const known = counters.get(source);
      const first = Math.floor(now / MINUTE) - MINUTES + 1;
      const count = (kind: LossKind) => {
        const counter = known?.get(kind);
        return counter === undefined ? null : risenSince(counter, first);
      };
      return {
        slotsMissed: count('slotsMissed'),
        transactionsLost: count('transactionsLost'),
        transactionsUnreadable: count('transactionsUnreadable'),
        tradesMissed: count('tradesMissed'),
        decodeErrors: count('decodeErrors'),
        refused: count('refused'),
      };
    },
  };
}

function newCounter(): Counter {
  return { value: 0, minutes: Array.from({ length: MINUTES }, () => ({ minute: Number.NEGATIVE_INFINITY, count: 0 })) };
}

function book(counter: Counter, value: number, minute: number): void {
  const place = counter.minutes[minute % MINUTES];
  if (place === undefined || value === counter.value) return;
  if (place.minute !== minute) Object.assign(place, { minute, count: 0 });
  place.count += value - counter.value;
  counter.value = value;
}

/** Returns the rise since a minute. A loss repaired later than an hour ago lowers nothing below 0. */
function risenSince({ minutes }: Counter, first: number): number {
  const sum = minutes.reduce((total, { minute, count }) => (minute >= first ? total + count : total), 0);
  return Math.max(0, sum);
}
