/** Coins whose trades are asked for: the newest ones, as nobody can listen to all of them for good. */
export class TrackedMints {
  readonly #limit: number;
  readonly #mints = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What is to be asked for, and what no longer, once this coin is tracked. */
  add(mint: string): { subscribe: string[]; unsubscribe: string[] } {
    if (this.#mints.has(mint)) return { subscribe: [], unsubscribe: [] };
    this.#mints.add(mint);
    if (this.#mints.size <= this.#limit) return { subscribe: [mint], unsubscribe: [] };
    // A set lists its members in the order they came: the first is the oldest.
    const oldest = [...this.#mints].slice(0, this.#mints.size - this.#limit);
    for (const old of oldest) this.#mints.delete(old);
    return { subscribe: [mint], unsubscribe: oldest };
  }

  all(): string[] {
    return [...this.#mints];
  }
}
