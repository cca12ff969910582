import { withTimeout } from '../../../platform/resilience.ts';
import type { MarketStore } from '../../publish/store.ts';
import type { Writer } from '../../publish/writer.ts';
import type { TokenObservation } from '../merge/merge.ts';
import { UNKNOWN_LAUNCHPAD } from '../merge/preferred-fields.ts';
import { type FirstSeen, freshRecord, type LiveToken, liveToken } from './live-token.ts';
import type { LiveTokens } from './live-tokens.ts';
import { adopt } from './reconcile.ts';
import { rebuildBook } from './restore-holder-ledger.ts';

/** A tick waits this long for what MongoDB knows, ms; then it goes on without, and asks again later. */
const READ_PATIENCE = 500;
/** Wallet books read again in one tick: after a restart many tokens trade at once, and no tick may take long. */
const BOOKS_PER_TICK = 20;

interface Deps {
  tokens: LiveTokens;
  store: MarketStore;
  writer: Writer;
}

/** Brings the tokens of a batch into memory before it is merged: those that MongoDB has, and the wallets they need. */
export class Admission {
  readonly #deps: Deps;
  /** Addresses of this batch that MongoDB could not be asked about, and the tokens that were begun like that. */
  #unasked: ReadonlySet<string> = new Set();
  readonly #unsure = new Set<LiveToken>();
  /** How many tokens each source was the first to tell of. */
  readonly #begun = new Map<string, number>();
  /** Answers that come after their tick has gone on are too old to be used. */
  #reading: boolean = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Gives the tokens that MongoDB turned out to have, so that they are published and stored. */
  async prepare(batch: readonly TokenObservation[], now: number): Promise<LiveToken[]> {
    const unknown = new Set<string>();
    for (const { address } of batch) if (!this.#deps.tokens.get(address)) unknown.add(address);
    this.#unasked = unknown;
    if (this.#deps.writer.away) return [];
    this.#reading = true;
    const adopted = await this.#askAgain(now);
    if (unknown.size > 0) await this.#load(unknown, now);
    await this.#readBooks(batch);
    this.#reading = false;
    return adopted;
  }

  /** Asks no more about tokens that were removed. */
  forget(removed: ReadonlySet<LiveToken>): void {
    for (const live of removed) this.#unsure.delete(live);
  }

  /** Since the start. */
  firstToldBy(source: string): number {
    return this.#begun.get(source) ?? 0;
  }

  async #load(unknown: ReadonlySet<string>, now: number): Promise<void> {
    const found = await withTimeout(this.#deps.store.tokens([...unknown]), READ_PATIENCE);
    if (!found) return;
    for (const record of found.value) this.#deps.tokens.load(record, now);
    this.#unasked = new Set();
  }

  async #askAgain(now: number): Promise<LiveToken[]> {
    if (this.#unsure.size === 0) return [];
    const addresses = [...this.#unsure].map(({ record }) => record._id);
    const found = await withTimeout(this.#deps.store.tokens(addresses), READ_PATIENCE);
    if (!found) return [];
    const stored = new Map(found.value.map((record) => [record._id, record]));
    const adopted: LiveToken[] = [];
    for (const live of this.#unsure) {
      live.unsure = false;
      const record = stored.get(live.record._id);
      if (!record) continue;
      adopt(live, record, now);
      adopted.push(live);
    }
    this.#unsure.clear();
    return adopted;
  }

  async #readBooks(batch: readonly TokenObservation[]): Promise<void> {
    const due = new Set<LiveToken>();
    for (const { kind, address } of batch) {
      const live = this.#deps.tokens.get(address);
      if (kind === 'trade' && live?.bookDue) due.add(live);
      if (due.size === BOOKS_PER_TICK) break;
    }
    if (due.size > 0) await withTimeout(Promise.all([...due].map((live) => this.#readBook(live))), READ_PATIENCE);
  }

  async #readBook(live: LiveToken): Promise<void> {
    const { store, writer } = this.#deps;
    // Asked first: a write that ends meanwhile would be in neither answer.
    const waiting = writer.unstored(live.record._id);
    const stored = await store.tradesOf(live.record._id);
    const trades = new Map([...stored, ...waiting].map((trade) => [trade._id, trade]));
    if (this.#reading && live.bookDue) rebuildBook(live, [...trades.values()]);
  }

  /** The live token an observation is about; null when it tells too little to begin one, or when there is no room. */
  find(observation: TokenObservation, now: number): LiveToken | null {
    const { tokens } = this.#deps;
    const known = tokens.get(observation.address);
    if (known) return known;
    const first = firstSeen(observation);
    if (first === null || !tokens.hasRoom()) return null;
    const { address } = observation;
    const live = tokens.add(liveToken(freshRecord(first, now), false, now));
    this.#begun.set(first.source, this.firstToldBy(first.source) + 1);
    live.unsure = this.#unasked.has(address);
    if (live.unsure) this.#unsure.add(live);
    return live;
  }
}

/** What begins a token; null for news that only mean something about a known one. */
function firstSeen(observation: TokenObservation): FirstSeen | null {
  const { kind } = observation;
  if (kind === 'created' || kind === 'trade') return observation;
  if (kind !== 'listed' || !observation.mayBegin) return null;
  const { address, source, receivedAt } = observation;
  // What the listing says is merged in right after. Data services know no other cluster, and by far most launches are
  // quoted in SOL; whoever knows better says so.
  return { address, source, receivedAt, launchpad: UNKNOWN_LAUNCHPAD, cluster: 'mainnet', quote: 'SOL' };
}
