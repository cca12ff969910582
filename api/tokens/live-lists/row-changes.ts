import type { ListIndex, RowFollower } from '../list-index/list-index.ts';
import { type AgeOrder, createAgeOrder } from './age-order.ts';
import { dropRow, type WatchedList } from './watched-list.ts';

/** Clocks of a range and of the order may differ by rounding, ms. */
const MARGIN = 1;

/**
 * Collects the rows of the index that changed, and finds those that reached an age. `onMove`: called when a row is removed and the row
 * `from` takes its place.
 */
export function createRowChanges(
  index: Pick<ListIndex, 'rows' | 'follow'>,
  lists: ReadonlyMap<string, WatchedList>,
  onMove?: (row: number, from: number) => void,
) {
  const dirty = new Set<number>();
  let order: AgeOrder | null = null;
  let end: (() => void) | null = null;

  const follower: RowFollower = {
    put(row) {
      dirty.add(row);
      const { addresses, columns } = index.rows();
      order?.add(addresses[row] ?? '', columns.figures.detected[row] ?? 0);
    },
    removing(row, from) {
      for (const list of lists.values()) {
        dropRow(list, index.rows(), row);
        if (row === from) continue;
        list.members.put(row, list.members.has(from));
        list.members.put(from, false);
      }
      onMove?.(row, from);
      dirty.delete(row);
      if (dirty.delete(from) && row !== from) dirty.add(row);
    },
    clearing() {
      const rows = index.rows();
      for (const list of lists.values()) for (const row of rows.addresses.keys()) dropRow(list, rows, row);
      dirty.clear();
      order = null;
    },
  };

  return {
    start() {
      end ??= index.follow(follower);
    },
    stop() {
      end?.();
      end = null;
      dirty.clear();
      order = null;
    },
    /** Takes the rows that changed since the last call, and those of further tokens. */
    take(addresses: readonly string[]): number[] {
      const { byAddress } = index.rows();
      for (const address of addresses) {
        const row = byAddress.get(address);
        if (row !== undefined) dirty.add(row);
      }
      const rows = [...dirty];
      dirty.clear();
      return rows;
    },
    /** Returns the rows whose age reached a bound of the list between two times, epoch ms. */
    aged({ ageBounds }: WatchedList, since: number, now: number): number[] {
      if (ageBounds.length === 0) return [];
      order ??= createAgeOrder(index.rows);
      const { byAddress } = index.rows();
      const aged: number[] = [];
      for (const bound of ageBounds) {
        for (const address of order.between(since - bound - MARGIN, now - bound + MARGIN)) {
          const row = byAddress.get(address);
          if (row !== undefined) aged.push(row);
        }
      }
      return aged;
    },
  };
}
