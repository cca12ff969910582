import { createHeap } from '../../../common/sorted.ts';

/**
 * Keeps the first `limit` of the rows that are added, in the order of `compare`: a heap with the last of them on top, so that
 * a page of thousands of rows needs no sort of all.
 */
export function createTopRows(limit: number, compare: (a: number, b: number) => number) {
  const heap = createHeap<number>((a, b) => compare(b, a));
  let added = 0;
  return {
    add(row: number): void {
      added += 1;
      const last = heap.first();
      if (heap.items().length < limit) heap.add(row);
      else if (last !== undefined && compare(row, last) < 0) heap.replaceFirst(row);
    },
    /** Returns the rows in order. */
    rows: (): number[] => heap.items().toSorted(compare),
    /** Returns whether more rows were added than are kept. */
    hasMore: () => added > heap.items().length,
  };
}
