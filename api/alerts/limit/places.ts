import { HOUR } from '../../../common/time.ts';
import { type AlertRecord, PLACES } from '../model.ts';
import type { AlertStore } from '../store.ts';

/** Returns the number of the hour, counted from 1970. `at`: epoch ms. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR);
}

/** Returns whether the place is the user's first of an hour. */
export function isFirst(place: number | null): boolean {
  return place !== null && place % PLACES === 0;
}

interface PlacesDeps {
  store: Pick<AlertStore, 'placesTaken'>;
  /** Returns the user's alerts per hour. */
  limitOf(userId: string): number;
}

/**
 * The numbered places of the users' alerts in an hour. A place is stored in its alert, and a unique index gives each place
 * to one alert: so neither a restart nor a second process exceeds the limit, and an alert that is not stored takes none.
 */
export interface Places {
  /**
   * Returns the next place of each user who has one left at `at` (epoch ms); null: a place without a number. With
   * `isUnlimited` every user has one.
   */
  next(userIds: readonly string[], at: number, isUnlimited: boolean): Promise<Map<string, number | null>>;
  /** Counts the places of stored alerts. */
  take(records: readonly Pick<AlertRecord, 'userId' | 'place'>[]): void;
  /** Reads the users' places again: another process took some of them. */
  forget(userIds: readonly string[]): void;
}

export function createPlaces({ store, limitOf }: PlacesDeps): Places {
  /** Places that are taken in `hour`, by user: the users matched in this hour. */
  const taken = new Map<string, number>();
  let hour = Number.NaN;

  async function load(userIds: readonly string[]): Promise<void> {
    const unknown = userIds.filter((id) => !taken.has(id));
    if (unknown.length === 0) return;
    const stored = await store.placesTaken(unknown, hour);
    for (const id of unknown) taken.set(id, stored.get(id) ?? 0);
  }

  return {
    async next(userIds, at, isUnlimited) {
      if (hourOf(at) !== hour) {
        hour = hourOf(at);
        taken.clear();
      }
      await load(userIds);
      const places = new Map<string, number | null>();
      for (const id of userIds) {
        const count = taken.get(id) ?? 0;
        if (isUnlimited || count < limitOf(id)) places.set(id, count < PLACES ? hour * PLACES + count : null);
      }
      return places;
    },
    take(records) {
      for (const { userId, place } of records)
        if (place !== null) taken.set(userId.toHexString(), (place % PLACES) + 1);
    },
    forget(userIds) {
      for (const id of userIds) taken.delete(id);
    },
  };
}
