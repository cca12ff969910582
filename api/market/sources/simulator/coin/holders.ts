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
  /** Balances of the wallets whose trades follow a plan. */
  readonly #planned = new Map<string, number>();

  /** Number of wallets with a balance. */
  get size(): number {
    let size = this.#entries.length;
    for (const amount of this.#planned.values()) if (amount > 0) size += 1;
    return size;
  }

  /** Keeps a wallet without a balance out of `pick`, because its sales follow a plan. */
  plan(wallet: string): void {
    if (!this.#places.has(wallet) && !this.#planned.has(wallet)) this.#planned.set(wallet, 0);
  }

  balanceOf(wallet: string): number {
    const planned = this.#planned.get(wallet);
    if (planned !== undefined) return planned;
    const place = this.#places.get(wallet);
    return place === undefined ? 0 : (this.#entries[place]?.amount ?? 0);
  }

  add(wallet: string, amount: number): void {
    const planned = this.#planned.get(wallet);
    if (planned !== undefined) {
      this.#planned.set(wallet, planned + amount);
      return;
    }
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
    const planned = this.#planned.get(wallet);
    if (planned !== undefined) {
      const taken = Math.min(amount, planned);
      this.#planned.set(wallet, planned - taken);
      return taken;
    }
    const place = this.#places.get(wallet);
    const entry = place === undefined ? undefined : this.#entries[place];
    if (place === undefined || !entry) return 0;
    const taken = Math.min(amount, entry.amount);
    entry.amount -= taken;
    if (entry.amount === 0) this.#remove(place, wallet);
    return taken;
  }

  /** Returns a random holder without a plan, or the largest of `tries` random ones; null without such holders. */
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
    const planned = [...this.#planned].flatMap(([wallet, amount]) => (amount > 0 ? [{ wallet, amount }] : []));
    return [...this.#entries.map((entry) => ({ ...entry })), ...planned]
      .sort((a, b) => b.amount - a.amount)
      .slice(0, count);
  }

  /** Returns the same balances, which change independently. */
  copy(): Holders {
    const copy = new Holders();
    for (const wallet of this.#planned.keys()) copy.plan(wallet);
    for (const [wallet, amount] of this.#planned) copy.add(wallet, amount);
    for (const { wallet, amount } of this.#entries) copy.add(wallet, amount);
    return copy;
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
