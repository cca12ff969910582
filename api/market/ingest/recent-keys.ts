/** Remembers the newest keys, at least `capacity` and at most twice as many. */
export class RecentKeys {
  readonly #capacity: number;
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: string): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  /** True when the key was not known. */
  add(key: string): boolean {
    if (this.has(key)) return false;
    if (this.#newer.size >= this.#capacity) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(key);
    return true;
  }
}
