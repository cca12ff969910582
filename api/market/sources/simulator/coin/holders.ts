import type { Dice } from '../random.ts';

interface Holder {
  wallet: string;
  amount: number;
}

/** Holder with its place among those without a plan; null for one whose sales follow a plan. */
interface Entry extends Holder {
  place: number | null;
}

/**
 * Balances of one coin, base units. A class because thousands of instances are alive at once, and a closure per method would
 * cost memory.
 */
export class Holders {
  /** Wallets with a balance or a plan. */
  readonly #entries = new Map<string, Entry>();
  /** Those without a plan. */
  readonly #unplanned: Entry[] = [];

  /** Number of wallets with a balance. */
  get size(): number {
    let size = 0;
    for (const { amount } of this.#entries.values()) if (amount > 0) size += 1;
    return size;
  }

  /** Keeps a wallet without a balance out of `pick`, because its sales follow a plan. */
  plan(wallet: string): void {
    if (!this.#entries.has(wallet)) this.#entries.set(wallet, { wallet, amount: 0, place: null });
  }

  balanceOf(wallet: string): number {
    return this.#entries.get(wallet)?.amount ?? 0;
  }

  add(wallet: string, amount: number): void {
    const known = this.#entries.get(wallet);
    if (known !== undefined) {
      known.amount += amount;
      return;
    }
    const entry = { wallet, amount, place: this.#unplanned.length };
    this.#entries.set(wallet, entry);
    this.#unplanned.push(entry);
  }

  /** Removes up to `amount` and returns the removed amount. */
  take(wallet: string, amount: number): number {
    const entry = this.#entries.get(wallet);
    if (entry === undefined) return 0;
    const taken = Math.min(amount, entry.amount);
    entry.amount -= taken;
    if (entry.amount === 0 && entry.place !== null) this.#remove(wallet, entry.place);
    return taken;
  }

  /** Returns a random holder without a plan, or the largest of `tries` random ones; null without such holders. */
  pick(dice: Dice, tries = 1): Holder | null {
    let best: Holder | null = null;
    for (let i = 0; i < tries && this.#unplanned.length > 0; i += 1) {
      const entry = dice.pick(this.#unplanned);
      if (!best || entry.amount > best.amount) best = entry;
    }
    return best;
  }

  /** Returns the largest holders, largest first. */
  largest(count: number): Holder[] {
    return [...this.#entries.values()]
      .filter(({ amount }) => amount > 0)
      .map(({ wallet, amount }) => ({ wallet, amount }))
      .sort((a, b) => b.amount - a.amount)
      .slice(0, count);
  }

  /** Moves the last entry to the free place, so that removal takes constant time. */
  #remove(wallet: string, place: number): void {
    this.#entries.delete(wallet);
    const last = this.#unplanned.pop();
    if (last === undefined || last.wallet === wallet) return;
    this.#unplanned[place] = last;
    last.place = place;
  }
}
