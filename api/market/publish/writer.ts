import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import type { SampleRecord, TradeRecord } from '../../tokens/record.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import { isTimed, type LiveToken, type RecordPath } from '../token/state/live-token.ts';
import { type MarketStore, type StampedSample, stamped, type TokenWrite } from './store.ts';

/** One write holds so many of each at most: after an outage, many short writes get through where a long one would time out. */
const MAX_TOKENS_PER_WRITE = 1_500;
const MAX_ROWS_PER_WRITE = 3_000;
/** While the database is away, this many trades and samples wait; beyond it the oldest are given up, and it is said. */
const MAX_WAITING = 200_000;
/** Pause before the next try, ms: doubled from the first to the longest, with jitter so that servers do not ask in step. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;
/** A slow database is spoken of this often at most, ms. */
const WARN_EVERY = 10_000;

/** Keeps what MongoDB does not have yet, and writes it, one write at a time. Tokens coalesce; trades and samples queue. */
export class Writer {
  readonly #store: MarketStore;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #tokens = new Set<LiveToken>();
  #trades: TradeRecord[] = [];
  #samples: StampedSample[] = [];
  #rate: Rate | null = null;
  #flying: { trades: TradeRecord[]; done: Promise<boolean> } | null = null;
  #late: boolean = false;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #retryAt = 0;
  #givenUp = 0;

  constructor(deps: { store: MarketStore; clock: Clock; random: Random; log: Logger }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#log = deps.log;
  }

  /** To be called whenever a token has dirty fields. */
  token(live: LiveToken): void {
    this.#tokens.add(live);
  }

  trade(record: TradeRecord): void {
    this.#trades.push(record);
  }

  sample(record: SampleRecord): void {
    this.#samples.push(stamped(record));
  }

  rate(rate: Rate): void {
    this.#rate = rate;
  }

  /** True while the last try failed, or is late: then nobody should wait for the database. */
  get away(): boolean {
    return this.#late || this.#failures > 0;
  }

  /** To be called when the write on its way takes longer than anybody waits. */
  late(): void {
    this.#late = this.#flying !== null;
    const now = this.#clock.now();
    if (!this.#late || now - this.#warnedAt < WARN_EVERY) return;
    this.#warnedAt = now;
    // Said quietly: the first start's history alone may keep a small machine busy for a moment.
    this.#log.info('MongoDB does not answer in time; the feed goes on');
  }

  /** Resolves when no write is on its way. */
  async landed(): Promise<void> {
    await this.#flying?.done;
  }

  /** Gives up what is not written yet of tokens that were removed. To be called when no write is on its way. */
  forget(removed: ReadonlySet<LiveToken>): void {
    const addresses = new Set([...removed].map(({ record }) => record._id));
    for (const live of removed) this.#tokens.delete(live);
    this.#trades = this.#trades.filter(({ address }) => !addresses.has(address));
    this.#samples = this.#samples.filter(({ address }) => !addresses.has(address));
  }

  /** True when everything is in MongoDB. */
  get clean(): boolean {
    return (
      this.#flying === null &&
      this.#tokens.size === 0 &&
      this.#trades.length === 0 &&
      this.#samples.length === 0 &&
      this.#rate === null
    );
  }

  /** Right after `begin`: whether the write has everything. Tokens that MongoDB must be asked about first are left out. */
  get coversAll(): boolean {
    return this.#tokens.size === 0 && this.#trades.length === 0 && this.#samples.length === 0;
  }

  /** Whether everything about tokens is in MongoDB. */
  get coveredAll(): boolean {
    return this.#flying === null && this.coversAll;
  }

  /** Whether the token must not be forgotten yet. */
  holds(live: LiveToken): boolean {
    return this.#tokens.has(live) || this.#flying !== null;
  }

  /** Trades of a token that may not be in MongoDB yet. */
  unstored(address: string): TradeRecord[] {
    return [...(this.#flying?.trades ?? []), ...this.#trades].filter((trade) => trade.address === address);
  }

  /**
   * Writes what there is, oldest first. Resolves with true once it is acknowledged and with false when it failed: then all
   * of it waits again. null when there is nothing to write, a write is still on its way, or the pause after a failure is not over.
   */
  begin(): Promise<boolean> | null {
    if (this.#flying !== null || this.#clock.now() < this.#retryAt) return null;
    if (this.clean && !this.away) return null;
    const tokens = this.#takeTokens();
    const trades = this.#trades.splice(0, MAX_ROWS_PER_WRITE);
    const samples = this.#samples.splice(0, MAX_ROWS_PER_WRITE);
    const rate = this.#rate;
    this.#rate = null;
    const batch = { tokens: tokens.map(({ write }) => write), trades, samples, rate };
    const done = this.#store.write(batch).then(
      () => {
        this.#flying = null;
        this.#succeeded(tokens);
        return true;
      },
      (error: unknown) => {
        this.#flying = null;
        for (const { live, fields } of tokens) this.#putBack(live, fields);
        this.#trades = this.#bounded([...trades, ...this.#trades]);
        this.#samples = this.#bounded([...samples, ...this.#samples]);
        this.#rate ??= rate;
        this.#failed(error);
        return false;
      },
    );
    this.#flying = { trades, done };
    return done;
  }

  #takeTokens(): { live: LiveToken; fields: Set<RecordPath>; write: TokenWrite }[] {
    const taken = [];
    for (const live of this.#tokens) {
      // Whether MongoDB knows it must be asked first, or its record would be overwritten.
      if (live.unsure) continue;
      const fields = live.dirty;
      live.dirty = new Set();
      this.#tokens.delete(live);
      taken.push({ live, fields, write: tokenWrite(live, fields) });
      if (taken.length === MAX_TOKENS_PER_WRITE) break;
    }
    return taken;
  }

  #succeeded(tokens: readonly { live: LiveToken }[]): void {
    if (this.away) this.#log.info({ tokens: tokens.length }, 'the market is stored again');
    this.#late = false;
    this.#failures = 0;
    const now = this.#clock.now();
    for (const { live } of tokens) {
      live.stored = true;
      if (live.record.storedAt !== null || !isTimed(live.record, now)) continue;
      live.record.storedAt = now;
      live.dirty.add('storedAt');
      this.#tokens.add(live);
    }
  }

  #putBack(live: LiveToken, fields: ReadonlySet<RecordPath>): void {
    for (const field of fields) live.dirty.add(field);
    this.#tokens.add(live);
  }

  #failed(error: unknown): void {
    if (this.#failures === 0)
      this.#log.warn(
        { reason: error instanceof Error ? error.name : 'unknown' },
        'the market cannot be stored; the feed goes on',
      );
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures) * (0.5 + this.#random() / 2);
    this.#failures += 1;
    this.#retryAt = this.#clock.now() + pause;
  }

  #bounded<Item>(items: Item[]): Item[] {
    const over = items.length - MAX_WAITING;
    if (over <= 0) return items;
    this.#givenUp += over;
    this.#log.error({ count: this.#givenUp }, 'MongoDB is away too long: the oldest trades or samples are given up');
    return items.slice(over);
  }
}

function tokenWrite({ record, stored }: LiveToken, fields: ReadonlySet<RecordPath>): TokenWrite {
  if (!stored) return { address: record._id, replace: record };
  const set: Record<string, unknown> = {};
  for (const path of fields) set[path] = valueAt(record, path);
  return { address: record._id, set };
}

function valueAt(record: LiveToken['record'], path: RecordPath): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return Reflect.get(record, path);
  return Reflect.get(path.startsWith('facts.') ? record.facts : record.fieldSources, path.slice(dot + 1));
}
