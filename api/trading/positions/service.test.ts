import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import type { PositionRecord } from './model.ts';
import { createPositionUpdates } from './service.ts';
import type { PositionStore } from './store.ts';
import { openPosition } from './testing/position.ts';

/** A store in memory of which another writer changes a position between the first read and the write. */
function contestedStore(positions: readonly PositionRecord[], contested: PositionRecord | undefined) {
  const stored = new Map(positions.map((position) => [position._id.toHexString(), position]));
  const present = (id: Types.ObjectId) => stored.get(id.toHexString()) ?? null;
  const swap: PositionStore['swap'] = async (before, after) => {
    if (present(before._id)?.version !== before.version) return null;
    const next = { ...after, version: before.version + 1 };
    stored.set(before._id.toHexString(), next);
    return next;
  };
  const store: Pick<PositionStore, 'findAll' | 'swapAll'> = {
    async findAll(ids) {
      const found = ids.flatMap((id) => present(id) ?? []);
      if (contested) await swap(contested, { ...contested, peakPrice: 7 });
      return found;
    },
    async swapAll(changes) {
      const all = await Promise.all(changes.map(({ before, after }) => swap(before, after)));
      const next = all.flatMap((one) => one ?? []);
      return next.length === changes.length ? next : null;
    },
  };
  return { store, stored };
}

test.each([true, false])(
  'changes many positions and reports each once, also when another writer changes one (%s)',
  async (isContested) => {
    const positions = Array.from({ length: 5 }, () => openPosition(new Types.ObjectId()));
    const [first, second] = positions;
    const { store, stored } = contestedStore(positions, isContested ? second : undefined);
    const seen: PositionRecord[] = [];
    const { updateAll } = createPositionUpdates({ store, onStored: (position) => void seen.push(position) });
    const change = (position: PositionRecord) =>
      position._id === first?._id || position.exitSeq > 0 ? null : { ...position, exitSeq: position.exitSeq + 1 };
    const after = await updateAll(positions.map(({ _id }) => ({ id: _id, change })));
    const bySeq = (all: Iterable<PositionRecord>) => [...all].map(({ _id, exitSeq }) => [_id.toHexString(), exitSeq]);
    const expected = positions.map(({ _id }) => [_id.toHexString(), _id === first?._id ? 0 : 1]);
    expect(bySeq(stored.values())).toEqual(expected);
    expect(bySeq(after)).toEqual(expected);
    expect([...stored.values()].map(({ version }) => version)).toEqual([1, isContested ? 3 : 2, 2, 2, 2]);
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ _id }) => _id))).toEqual(new Set(positions.slice(1).map(({ _id }) => _id)));
  },
);
