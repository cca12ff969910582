import type { Dice } from '../random.ts';

interface Entry {
  wallet: string;
  amount: number;
}

/**
 * Balances of one coin, base units. A class because thousands of instances are alive at once, and a closure per method would
 * cost memory.
 */
export class Holders {
  readonly #entries: Entry[] = [];
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#entries.length;
  }

  balanceOf(wallet: string): number {
    const place = this.#places.get(wallet);
    return place === undefined ? 0 : (this.#entries[place]?.amount ?? 0);
  }

  add(wallet: string, amount: number): void {
    const place = this.#places.get(wallet);
    const entry = place === undefined ? undefined : this.#entries[place];
    if (entry) {
      entry.amount += amount;
      return;
    }
    this.#places.set(wallet, this.#entries.length);
    this.#entries.push({ wallet, amount });
  }

  /** Removes up to `amount` and returns the removed amount. */
  take(wallet: string, amount: number): number {
    const place = this.#places.get(wallet);
    const entry = place === undefined ? undefined : this.#entries[place];
    if (place === undefined || !entry) return 0;
    const taken = Math.min(amount, entry.amount);
    entry.amount -= taken;
    if (entry.amount === 0) this.#remove(place, wallet);
    return taken;
  }

  /** Returns a random holder, or the largest of `tries` random ones; null without holders. */
  pick(dice: Dice, tries = 1): Entry | null {
    let best: Entry | null = null;
    for (let i = 0; i < tries && this.#entries.length > 0; i += 1) {
      const entry = dice.pick(this.#entries);
      if (!best || entry.amount > best.amount) best = entry;
    }
    return best;
  }

  /** Returns the largest holders, largest first. */
  largest(count: number): Entry[] {
    return this.#entries
      .map((entry) => ({ ...entry }))
      .sort((a, b) => b.amount - a.amount)
      .slice(0, count);
  }

  /** Moves the last entry to the free place, so that removal takes constant time. */
  #remove(place: number, wallet: string): void {
    const last = this.#entries.pop();
    this.#places.delete(wallet);
    if (!last || last.wallet === wallet) return;
    this.#entries[place] = last;
    this.#places.set(last.wallet, place);
  }
}
