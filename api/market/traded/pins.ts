/** Addresses of tokens that stay in memory. An address pinned twice must be unpinned twice. */
export interface Pins {
  has(address: string): boolean;
  /** Returns true when the address was not pinned before. */
  add(address: string): boolean;
  /** Returns true when the address is not pinned any more. */
  remove(address: string): boolean;
  addresses(): IterableIterator<string>;
}

export function createPins(): Pins {
  const counts = new Map<string, number>();
  return {
    has: (address) => counts.has(address),
    add(address) {
      const count = counts.get(address) ?? 0;
      counts.set(address, count + 1);
      return count === 0;
    },
    remove(address) {
      const count = counts.get(address) ?? 0;
      if (count > 1) counts.set(address, count - 1);
      return count === 1 && counts.delete(address);
    },
    addresses: () => counts.keys(),
  };
}
