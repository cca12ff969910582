/** One post that named an address. */
export interface Mention {
  address: string;
  /** Handle of the account, without the @; null when X did not name it. */
  account: string | null;
  postId: string;
  /** Epoch ms. */
  at: number;
}

/** What posts said of one address. */
export interface MentionCount {
  address: string;
  posts: number;
  lastAt: number;
}

/** A mention is news for a day, ms. */
const KEPT = 24 * 3_600_000;
/** Mentions remembered: far more than a few accounts write in a day. */
const MAX_MENTIONS = 1_000;

/** The mentions of the last day, newest last; no more than a fixed number of them. */
export class Mentions {
  #all: Mention[] = [];

  add(mention: Mention): void {
    this.#all.push(mention);
    if (this.#all.length > MAX_MENTIONS) this.#all.shift();
  }

  /** How often an address was named in the last day; null when it was not. */
  of(address: string, now: number): MentionCount | null {
    const found = this.#fresh(now).filter((mention) => mention.address === address);
    const last = found.at(-1);
    return last === undefined ? null : { address, posts: found.length, lastAt: last.at };
  }

  /** The newest ones, newest first. */
  newest(count: number, now: number): Mention[] {
    return this.#fresh(now).slice(-count).reverse();
  }

  #fresh(now: number): Mention[] {
    this.#all = this.#all.filter(({ at }) => now - at < KEPT);
    return this.#all;
  }
}
