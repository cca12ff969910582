import { HOUR } from '../../common/time.ts';
import type { AlertRecord } from './model.ts';

/** Returns the number of the hour UTC, counted from 1970. `at`: epoch ms. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR);
}

interface HoursDeps {
  /** Resolves with the stored alerts since then (epoch ms), by key. */
  count(since: number): Promise<Map<string, number>>;
  /** Returns the alerts per hour of a key. */
  limitOf(key: string): number;
  /** Returns what an alert counts for: its user, or the alert that the user has set up. */
  keyOf(record: AlertRecord): string;
}

export type Hours = ReturnType<typeof createHours>;

/** Numbers of alerts of an hour by key that were left out: by the limit, or because too many waited to be stored. */
interface LeftOut {
  heldBack: Map<string, number>;
  dropped: Map<string, number>;
}

const nothingLeftOut = (): LeftOut => ({ heldBack: new Map(), dropped: new Map() });

/**
 * Counts the alerts of the present hour by key, in memory: received ones, the ones that the limit held back, and the ones dropped
 * because too many waited. A start counts the received ones from the stored alerts; the held-back ones are counted again as it
 * matches young tokens.
 */
export function createHours({ count, limitOf, keyOf }: HoursDeps) {
  let hour = Number.NaN;
  let received = new Map<string, number>();
  let leftOut = nothingLeftOut();
  /** Alerts left out in the hour before, of keys whose next message has not mentioned them yet. */
  let unmentioned = nothingLeftOut();

  function turnTo(at: number): void {
    const present = hourOf(at);
    if (present === hour) return;
    unmentioned = present === hour + 1 ? leftOut : nothingLeftOut();
    [hour, received, leftOut] = [present, new Map(), nothingLeftOut()];
  }

  function leaveOut(kind: keyof LeftOut, keys: readonly string[], at: number): void {
    turnTo(at);
    const counts = leftOut[kind];
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  const countsOf = ({ heldBack, dropped }: LeftOut, key: string) => ({
    heldBack: heldBack.get(key) ?? 0,
    dropped: dropped.get(key) ?? 0,
  });

  return {
    /** Counts the stored alerts of the hour of `at` (epoch ms). */
    async load(at: number): Promise<void> {
      turnTo(at);
      received = await count(hour * HOUR);
    },
    /** Returns the keys whose limit allows another alert at `at` (epoch ms). */
    free(keys: readonly string[], at: number): string[] {
      turnTo(at);
      return keys.filter((key) => (received.get(key) ?? 0) < limitOf(key));
    },
    /** Counts an alert that the limit held back for each of these keys at `at` (epoch ms). */
    holdBack: (keys: readonly string[], at: number) => leaveOut('heldBack', keys, at),
    /** Counts an alert that was dropped for each of these keys at `at` (epoch ms), because too many waited. */
    drop: (keys: readonly string[], at: number) => leaveOut('dropped', keys, at),
    /** Returns the numbers of alerts left out in the hour before, until a stored message mentions them; 0: none. */
    unmentioned: (key: string) => countsOf(unmentioned, key),
    /** Counts stored alerts. */
    add(records: readonly AlertRecord[]): void {
      for (const record of records) {
        if (hourOf(record.at.getTime()) !== hour) continue;
        const key = keyOf(record);
        received.set(key, (received.get(key) ?? 0) + 1);
        if (record.telegram === null) continue;
        unmentioned.heldBack.delete(key);
        unmentioned.dropped.delete(key);
      }
    },
    /** Returns the counts of a key in the hour of `at` (epoch ms). */
    of(key: string, at: number) {
      turnTo(at);
      const since = new Date(hour * HOUR).toISOString();
      return { since, limit: limitOf(key), received: received.get(key) ?? 0, heldBack: leftOut.heldBack.get(key) ?? 0 };
    },
    /** Returns the number of dropped alerts of a key in the hour of `at` (epoch ms). */
    dropped(key: string, at: number): number {
      turnTo(at);
      return leftOut.dropped.get(key) ?? 0;
    },
  };
}
