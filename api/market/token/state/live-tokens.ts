import { presentToken } from '../../../tokens/present.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { type LiveToken, liveToken } from './live-token.ts';

/** Tokens in memory; the longest idle ones beyond it are let go of, and come back from MongoDB when they are heard of again. */
export const MAX_LIVE = 30_000;
/** Wallets of all books together: a second bound, for days when single coins have thousands of holders. */
const MAX_WALLETS = 1_500_000;
/** Let go of when idle for so long and too old to enter a list by time alone, ms. */
const IDLE_AFTER = 30 * 60_000;
const TOO_OLD_FOR_LISTS = 2 * 3_600_000;
/** Share that goes when there are too many, so that it happens seldom. */
const EVICT_SHARE = 0.05;

/** The tokens that live in memory. */
export class LiveTokens {
  readonly #tokens = new Map<string, LiveToken>();
  #passing: IterableIterator<LiveToken> = this.#tokens.values();

  get size(): number {
    return this.#tokens.size;
  }

  get(address: string): LiveToken | undefined {
    return this.#tokens.get(address);
  }

  /** True while there is room for tokens that nobody knows yet: those that are not stored cannot be let go of. */
  hasRoom(): boolean {
    return this.#tokens.size < 2 * MAX_LIVE;
  }

  add(live: LiveToken): LiveToken {
    this.#tokens.set(live.record._id, live);
    return live;
  }

  /** Takes up a token as MongoDB has it. It was published before, so only what changes is said again. */
  load(record: TokenRecord, now: number): LiveToken {
    const live = liveToken(record, true, now);
    live.wire = presentToken(record);
    return this.add(live);
  }

  values(): IterableIterator<LiveToken> {
    return this.#tokens.values();
  }

  /** The next `share` of all tokens, going round and round. */
  *nextSlice(share: number): Generator<LiveToken> {
    for (let left = Math.ceil(this.#tokens.size * share); left > 0; left -= 1) {
      let next = this.#passing.next();
      if (next.done) {
        this.#passing = this.#tokens.values();
        next = this.#passing.next();
        if (next.done) return;
      }
      yield next.value;
    }
  }

  /** Takes out those that match, whatever they still have to do, and gives them. */
  remove(matches: (record: TokenRecord) => boolean): Set<LiveToken> {
    const removed = new Set([...this.#tokens.values()].filter(({ record }) => matches(record)));
    for (const { record } of removed) this.#tokens.delete(record._id);
    return removed;
  }

  /** Lets go of a token that has nothing left to do. True when it did. */
  forgetIdle(live: LiveToken, now: number): boolean {
    const { record } = live;
    if (now - live.touchedAt < IDLE_AFTER || now - record.listedAt < TOO_OLD_FOR_LISTS) return false;
    if (record.runner || record.mightRun || !isSaved(live)) return false;
    this.#tokens.delete(record._id);
    return true;
  }

  /** Keeps to the bounds. To be called now and then. */
  trim(): void {
    if (this.#tokens.size <= MAX_LIVE && this.#wallets() <= MAX_WALLETS) return;
    const idle = [...this.#tokens.values()].filter(isSaved).sort((a, b) => a.touchedAt - b.touchedAt);
    const over = Math.max(0, this.#tokens.size - MAX_LIVE);
    for (const live of idle.slice(0, over + Math.ceil(idle.length * EVICT_SHARE))) {
      this.#tokens.delete(live.record._id);
    }
  }

  #wallets(): number {
    let wallets = 0;
    for (const { book } of this.#tokens.values()) wallets += book?.size ?? 0;
    return wallets;
  }
}

function isSaved(live: LiveToken): boolean {
  return live.stored && live.dirty.size === 0 && !live.changed;
}
