/** Items by id, the latest changed last. */
export type Keyed<Item> = ReadonlyMap<string, Item>;

interface Versioned {
  id: string;
  version: number;
}

/** Returns the map with the item, or the same map when it has a newer version. Evicts the items changed longest ago. */
export function withNewest<Item extends Versioned>(known: Keyed<Item>, item: Item, max: number): Keyed<Item> {
  const before = known.get(item.id);
  if (before !== undefined && before.version >= item.version) return known;
  return withLatest(known, item.id, item, max);
}

/** Returns the map with the item as the latest. Evicts the items changed longest ago. */
export function withLatest<Item>(known: Keyed<Item>, id: string, item: Item, max: number): Keyed<Item> {
  return new Map([...without(known, id), [id, item] as const].slice(-max));
}

/** Returns the map without an item. */
export function without<Item>(known: Keyed<Item>, id: string): Keyed<Item> {
  return new Map([...known].filter(([one]) => one !== id));
}

/**
 * Returns a fetched list with the received changes: the newest version of each item, and received items that the list does
 * not have. `fits`: whether an item belongs to the list.
 */
export function mergeNewest<Item extends Versioned>(
  fetched: readonly Item[],
  received: Keyed<Item>,
  fits: (item: Item) => boolean,
): Item[] {
  const ids = new Set(fetched.map(({ id }) => id));
  const added = [...received.values()].filter(({ id }) => !ids.has(id));
  return [...added, ...fetched.map((item) => newestOf(item, received.get(item.id)))].filter(fits);
}

/** Returns the item with the higher version. */
export function newestOf<Item extends { version: number }>(item: Item, other: Item | null | undefined): Item {
  return other != null && other.version > item.version ? other : item;
}
