/**
 * Keeps the first `limit` of the rows that are added, in the order of `compare`: a heap with the last of them on top, so that
 * a page of thousands of rows needs no sort of all.
 */
export function createTopRows(limit: number, compare: (a: number, b: number) => number) {
  const heap: number[] = [];
  let added = 0;

  function swap(a: number, b: number): void {
    const row = heap[a] ?? 0;
    heap[a] = heap[b] ?? 0;
    heap[b] = row;
  }

  function up(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (compare(heap[at] ?? 0, heap[parent] ?? 0) <= 0) return;
      swap(at, parent);
      at = parent;
    }
  }

  function down(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= heap.length) return;
      const later = right < heap.length && compare(heap[right] ?? 0, heap[left] ?? 0) > 0 ? right : left;
      if (compare(heap[later] ?? 0, heap[at] ?? 0) <= 0) return;
      swap(at, later);
      at = later;
    }
  }

  return {
    add(row: number): void {
      added += 1;
      if (heap.length < limit) {
        heap.push(row);
        up(heap.length - 1);
      } else if (compare(row, heap[0] ?? 0) < 0) {
        heap[0] = row;
        down();
      }
    },
    /** Returns the rows in order. */
    rows: (): number[] => heap.toSorted(compare),
    /** Returns whether more rows were added than are kept. */
    hasMore: () => added > heap.length,
  };
}
