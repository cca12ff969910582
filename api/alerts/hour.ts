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

/**
 * Counts the alerts of the present hour by key, in memory: received ones and the ones that the limit held back. A start counts the
 * received ones from the stored alerts; the held-back ones are counted again as it matches young tokens.
 */
export function createHours({ count, limitOf, keyOf }: HoursDeps) {
  let hour = Number.NaN;
  let received = new Map<string, number>();
  let heldBack = new Map<string, number>();
  /** Alerts held back in the hour before, of keys whose next message has not mentioned them yet. */
  let unmentioned = new Map<string, number>();

  function turnTo(at: number): void {
    const present = hourOf(at);
    if (present === hour) return;
    unmentioned = present === hour + 1 ? heldBack : new Map();
    [hour, received, heldBack] = [present, new Map(), new Map()];
  }

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
    holdBack(keys: readonly string[], at: number): void {
      turnTo(at);
      for (const key of keys) heldBack.set(key, (heldBack.get(key) ?? 0) + 1);
    },
    /** Returns the number of alerts held back in the hour before, until a stored message mentions it; 0: none. */
    unmentioned: (key: string) => unmentioned.get(key) ?? 0,
    /** Counts stored alerts. */
    add(records: readonly AlertRecord[]): void {
      for (const record of records) {
        if (hourOf(record.at.getTime()) !== hour) continue;
        const key = keyOf(record);
        received.set(key, (received.get(key) ?? 0) + 1);
        if (record.telegram !== null) unmentioned.delete(key);
      }
    },
    /** Returns the counts of a key in the hour of `at` (epoch ms). */
    of(key: string, at: number) {
      turnTo(at);
      const since = new Date(hour * HOUR).toISOString();
      const counts = { received: received.get(key) ?? 0, heldBack: heldBack.get(key) ?? 0 };
      return { since, limit: limitOf(key), ...counts };
    },
  };
}
