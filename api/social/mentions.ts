/** An address in a post. */
export interface Mention {
  address: string;
  /** Handle of the account, without the @; null when unknown. */
  account: string | null;
  postId: string;
  /** Epoch ms. */
  at: number;
}

/** Mentions of one address. */
export interface MentionCount {
  address: string;
  posts: number;
  lastAt: number;
}

/** A mention is kept for a day, ms. */
const KEPT = 24 * 3_600_000;
/** Most mentions kept: far more than a few accounts write in a day. */
const MAX_MENTIONS = 1_000;

/** Mentions of the last day, bounded in number. */
export interface Mentions {
  add(mention: Mention): void;
  /** Returns the mentions of an address; null without any. */
  of(address: string, now: number): MentionCount | null;
  /** Returns the newest mentions, newest first. */
  newest(count: number, now: number): Mention[];
}

export function createMentions(): Mentions {
  let all: Mention[] = [];

  function fresh(now: number): Mention[] {
    all = all.filter(({ at }) => now - at < KEPT);
    return all;
  }

  return {
    add(mention) {
      all.push(mention);
      if (all.length > MAX_MENTIONS) all.shift();
    },
    of(address, now) {
      const found = fresh(now).filter((mention) => mention.address === address);
      const last = found.at(-1);
      return last === undefined ? null : { address, posts: found.length, lastAt: last.at };
    },
    newest: (count, now) => fresh(now).slice(-count).reverse(),
  };
}
