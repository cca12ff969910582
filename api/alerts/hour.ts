import { HOUR } from '../../common/time.ts';
import type { AlertRecord } from './model.ts';
import type { AlertStore } from './store.ts';

/** Returns the number of the hour UTC, counted from 1970. `at`: epoch ms. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR);
}

interface HoursDeps {
  store: Pick<AlertStore, 'countByUser'>;
  /** Returns the user's alerts per hour. */
  limitOf(userId: string): number;
}

export type Hours = ReturnType<typeof createHours>;

/**
 * Counts the alerts about tokens of the present hour by user, in memory: received ones and the ones that the limit held back.
 * A start counts the received ones from the stored alerts; the held-back ones are counted again as it matches young tokens.
 */
export function createHours({ store, limitOf }: HoursDeps) {
  let hour = Number.NaN;
  let received = new Map<string, number>();
  let heldBack = new Map<string, number>();
  /** Alerts held back in the hour before, of users whose next message has not mentioned them yet. */
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
      received = await store.countByUser(hour * HOUR);
    },
    /** Returns the users whose limit allows another alert at `at` (epoch ms). */
    free(userIds: readonly string[], at: number): string[] {
      turnTo(at);
      return userIds.filter((id) => (received.get(id) ?? 0) < limitOf(id));
    },
    /** Counts an alert that the limit held back from each of these users at `at` (epoch ms). */
    holdBack(userIds: readonly string[], at: number): void {
      turnTo(at);
      for (const id of userIds) heldBack.set(id, (heldBack.get(id) ?? 0) + 1);
    },
    /** Returns the number of alerts held back in the hour before, until a stored message mentions it; 0: none. */
    unmentioned: (userId: string) => unmentioned.get(userId) ?? 0,
    /** Counts stored alerts. */
    add(records: readonly AlertRecord[]): void {
      for (const { userId, at, telegram } of records) {
        if (hourOf(at.getTime()) !== hour) continue;
        const id = userId.toHexString();
        received.set(id, (received.get(id) ?? 0) + 1);
        if (telegram !== null) unmentioned.delete(id);
      }
    },
    /** Returns the user's counts of the hour of `at` (epoch ms). */
    of(userId: string, at: number) {
      turnTo(at);
      const since = new Date(hour * HOUR).toISOString();
      const counts = { received: received.get(userId) ?? 0, heldBack: heldBack.get(userId) ?? 0 };
      return { since, limit: limitOf(userId), ...counts };
    },
  };
}
