/** Returns the index of the first item of a sorted list that is not `isBefore`; the length of the list without one. */
export function firstIndex<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Creates a binary heap, whose first item is the least by `compare`. */
export function createHeap<Item extends object | number>(compare: (a: Item, b: Item) => number) {
  const items: Item[] = [];

  /** Puts `item` into the empty place `at`, or above it. */
  function up(item: Item, at: number): void {
    const parent = (at - 1) >> 1;
    const above = items[parent];
    if (above === undefined || compare(item, above) >= 0) items[at] = item;
    else {
      items[at] = above;
      up(item, parent);
    }
  }

  /** Puts `item` into the empty place `at`, or below it. */
  function down(item: Item, at: number): void {
    let child = 2 * at + 1;
    let below = items[child];
    const right = items[child + 1];
    if (below !== undefined && right !== undefined && compare(right, below) < 0) [child, below] = [child + 1, right];
    if (below === undefined || compare(item, below) <= 0) items[at] = item;
    else {
      items[at] = below;
      down(item, child);
    }
  }

  return {
    /** In the order of the heap. */
    items: (): readonly Item[] => items,
    first: (): Item | undefined => items[0],
    add: (item: Item): void => up(item, items.length),
    /** Removes and returns the first item. */
    take(): Item | undefined {
      const first = items[0];
      const last = items.pop();
      if (last !== undefined && items.length > 0) down(last, 0);
      return first;
    },
    /** Adds an item instead of the first one. */
    replaceFirst: (item: Item): void => down(item, 0),
  };
}
