import type { Types } from 'mongoose';
import type { PositionRecord } from './record.ts';
import type { PositionStore } from './store.ts';

/** Changes open positions. A change that other writers are faster with again and again is rejected, for its caller's next round. */
export interface PositionUpdates {
  /** Changes an open position as `change` returns it; null leaves it. Resolves with the position afterwards, null for a closed one. */
  update(id: Types.ObjectId, change: PositionChange): Promise<PositionRecord | null>;
  /**
   * Changes many open positions in the same way, with few calls of the database. Resolves with the positions that are open
   * afterwards.
   */
  updateAll(changes: readonly { id: Types.ObjectId; change: PositionChange }[]): Promise<PositionRecord[]>;
}

/** Returns a position as it is to be stored; null when it stays as it is. */
export type PositionChange = (position: PositionRecord) => PositionRecord | null;

export interface PositionUpdatesDeps {
  store: Pick<PositionStore, 'find' | 'findAll' | 'swap' | 'swapAll'>;
  /** Receives every position that was stored. */
  onStored(position: PositionRecord): void;
}

/** Most tries of a change whose position was changed by another writer meanwhile. */
const TRIES = 4;

export function createPositionUpdates({ store, onStored }: PositionUpdatesDeps): PositionUpdates {
  /** Changes a position. `isStored`: whether this call wrote and reported it. */
  async function changed(
    id: Types.ObjectId,
    change: PositionChange,
  ): Promise<{ position: PositionRecord | null; isStored: boolean }> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const position = await store.find(id);
      if (!position?.open) return { position: null, isStored: false };
      const after = change(position);
      if (after === null) return { position, isStored: false };
      const stored = await store.swap(position, after);
      if (!stored) continue;
      onStored(stored);
      return { position: stored, isStored: true };
    }
    throw new Error('other writers were faster with a position');
  }

  const updateAll: PositionUpdates['updateAll'] = async (changes) => {
    const changeOf = new Map(changes.map(({ id, change }) => [id.toHexString(), change]));
    const open = (await store.findAll(changes.map(({ id }) => id))).filter((position) => position.open);
    const wanted = open.flatMap((before) => {
      const after = changeOf.get(before._id.toHexString())?.(before) ?? null;
      return after === null ? [] : [{ before, after }];
    });
    const stored = await store.swapAll(wanted);
    if (stored) {
      for (const position of stored) onStored(position);
      const after = new Map(stored.map((position) => [position._id.toHexString(), position]));
      return open.map((position) => after.get(position._id.toHexString()) ?? position);
    }
    // Another writer was faster with one of them: the stored ones are read, and the others changed one by one.
    const written = new Set(wanted.map(({ before }) => before._id.toHexString()));
    const present: PositionRecord[] = [];
    for (const { id, change } of changes) {
      const { position, isStored } = await changed(id, change);
      if (!position) continue;
      if (!isStored && written.has(id.toHexString())) onStored(position);
      present.push(position);
    }
    return present;
  };

  return { update: async (id, change) => (await changed(id, change)).position, updateAll };
}
