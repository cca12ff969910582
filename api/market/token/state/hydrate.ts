import { withTimeout } from '../../../platform/resilience.ts';
import type { TokenRecord, TradeRecord } from '../../../tokens/record.ts';
import type { MarketStore } from '../../publish/store.ts';
import type { Writer } from '../../publish/writer.ts';
import type { TokenObservation } from '../merge/merge.ts';
import { UNKNOWN_LAUNCHPAD } from '../merge/preferred-fields.ts';
import { createLedger, type HolderLedger } from './holder-ledger.ts';
import { createLiveToken, type FirstSeen, freshRecord, type LiveToken, set } from './live-token.ts';
import type { LiveTokens } from './live-tokens.ts';
import { reconcile } from './reconcile.ts';

/** Longest wait of a tick for a read from MongoDB, ms; afterwards it continues without and reads again later. */
const READ_TIMEOUT = 500;
/** Ledgers rebuilt in one tick: after a restart many tokens trade at once, and no tick may take long. */
const LEDGERS_PER_TICK = 20;

export type Hydrator = ReturnType<typeof createHydrator>;

interface HydratorDeps {
  tokens: LiveTokens;
  store: Pick<MarketStore, 'tokens' | 'tradesOf'>;
  writer: Pick<Writer, 'away' | 'unstored'>;
}

/** Loads the tokens of a batch from MongoDB before they are merged, and the holder ledgers they need. */
export function createHydrator({ tokens, store, writer }: HydratorDeps) {
  /** Addresses of this batch for which the read from MongoDB failed. */
  let unread: ReadonlySet<string> = new Set();
  /** Tokens created while MongoDB could not be read. */
  const unverified = new Set<LiveToken>();
  /** False once the tick has moved on: a result that arrives later is outdated. */
  let isReading = false;
  const detections = createDetections();
  const numbers = createNumbers();

  async function load(addresses: ReadonlySet<string>, now: number): Promise<void> {
    const found = await withTimeout(store.tokens([...addresses]), READ_TIMEOUT);
    if (!found) return;
    for (const record of found.value) tokens.load(record, now);
    for (const address of addresses) tokens.unloadedPins.delete(address);
    unread = new Set();
  }

  async function verify(now: number): Promise<LiveToken[]> {
    if (unverified.size === 0) return [];
    const found = await withTimeout(store.tokens([...unverified].map(({ record }) => record._id)), READ_TIMEOUT);
    if (!found) return [];
    const reconciled = reconcileAll(unverified, found.value, now);
    unverified.clear();
    return reconciled;
  }

  async function rebuildLedgers(batch: readonly TokenObservation[]): Promise<void> {
    const due = new Set<LiveToken>();
    for (const { kind, address } of batch) {
      const live = tokens.get(address);
      if (kind === 'trade' && live?.ledgerDue) due.add(live);
      if (due.size === LEDGERS_PER_TICK) break;
    }
    if (due.size > 0) await withTimeout(Promise.all([...due].map(readLedger)), READ_TIMEOUT);
  }

  async function readLedger(live: LiveToken): Promise<void> {
    // Read first: a write that ends meanwhile would show in neither.
    const pending = writer.unstored(live.record._id).trades;
    const stored = await store.tradesOf(live.record._id);
    const trades = new Map([...stored, ...pending].map((trade) => [trade._id, trade]));
    if (isReading && live.ledgerDue) rebuildLedger(live, [...trades.values()]);
  }

  return {
    /** Returns the tokens that turned out to be in MongoDB after an outage: they must be published and stored. */
    async hydrate(batch: readonly TokenObservation[], now: number) {
      const unknown = new Set<string>();
      for (const { address } of batch) if (!tokens.get(address)) unknown.add(address);
      for (const address of tokens.unloadedPins) unknown.add(address);
      unread = unknown;
      if (writer.away) return [];
      isReading = true;
      const reconciled = await verify(now);
      if (unknown.size > 0) await load(unknown, now);
      await rebuildLedgers(batch);
      isReading = false;
      return reconciled;
    },
    /** Stops verifying tokens that were removed. */
    forget(removed: ReadonlySet<LiveToken>) {
      for (const live of removed) unverified.delete(live);
    },
    firstSeenBy: detections.by,
    numberAfter: numbers.startAfter,
    /** Returns the token of an observation; null when the observation has too little to create one, or without room. */
    findOrCreate(observation: TokenObservation, now: number) {
      const known = tokens.get(observation.address);
      if (known) return known;
      const first = firstSeen(observation);
      if (first === null || !tokens.hasRoom()) return null;
      const live = tokens.add(createLiveToken(freshRecord(first, numbers.next(), now), false, now));
      detections.add(first.source);
      live.unverified = unread.has(observation.address);
      if (live.unverified) unverified.add(live);
      return live;
    },
  };
}

/** Creates the numbers of new tokens. */
function createNumbers() {
  let last = 0;
  return {
    /** Continues after the highest stored number. */
    startAfter(highest: number): void {
      last = highest;
    },
    next: (): number => ++last,
  };
}

/** Creates the counts of detected tokens, since the start. */
function createDetections() {
  const bySource = new Map<string, number>();
  let all = 0;
  return {
    add(source: string): void {
      bySource.set(source, (bySource.get(source) ?? 0) + 1);
      all += 1;
    },
    /** Returns the number of tokens that this source was the first to report; null: any source. */
    by: (source: string | null): number => (source === null ? all : (bySource.get(source) ?? 0)),
  };
}

/** Reconciles tokens created without a read with their stored records. Returns the tokens that had one. */
function reconcileAll(created: Iterable<LiveToken>, records: readonly TokenRecord[], now: number): LiveToken[] {
  const stored = new Map(records.map((record) => [record._id, record]));
  const reconciled: LiveToken[] = [];
  for (const live of created) {
    live.unverified = false;
    const record = stored.get(live.record._id);
    if (!record) continue;
    reconcile(live, record, now);
    reconciled.push(live);
  }
  return reconciled;
}

/** Returns the origin of a new token; null for an observation that only concerns known tokens. */
function firstSeen(observation: TokenObservation): FirstSeen | null {
  const { kind } = observation;
  // A coin that is first seen in its pool is not new.
  if (kind === 'trade' && observation.venue === 'pool') return null;
  if (kind === 'created' || kind === 'trade') return observation;
  if (kind !== 'listed' || !observation.mayBegin) return null;
  const { address, source, receivedAt } = observation;
  // The listing itself is merged right after. Data services cover mainnet only, and most launches are quoted in SOL;
  // a source with better knowledge replaces both.
  return { address, source, receivedAt, launchpad: UNKNOWN_LAUNCHPAD, cluster: 'mainnet', quote: 'SOL' };
}

/**
 * Rebuilds the holder ledger from the coin's trades, after a restart or an eviction. When some trades are no longer
 * stored the holders are unknown, and their list stays as of the last counted trade: the coin then counts as one whose creation
 * was not observed.
 */
export function rebuildLedger(live: LiveToken, trades: readonly TradeRecord[]): void {
  const { record } = live;
  live.ledgerDue = false;
  const counted = record.buys + record.sells;
  if (trades.length < counted) {
    set(live, 'complete', false);
    set(live, 'sinceCreation', false);
    set(live, 'holderCount', null);
    set(live, 'holdersFrozen', true);
    return;
  }
  live.ledger = ledgerOf(record, trades);
  if (trades.length === counted) return;
  // The process ended after storing the trades and before storing the token: the trades are right.
  const buys = trades.filter((trade) => trade.side === 'buy').length;
  set(live, 'buys', buys);
  set(live, 'sells', trades.length - buys);
}

/** Returns a ledger of stored trades, given in any order. */
export function ledgerOf(record: TokenRecord, trades: readonly TradeRecord[]): HolderLedger {
  const ledger = createLedger(record);
  const ordered = [...trades].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || (a.slot ?? 0) - (b.slot ?? 0) || eventIndex(a) - eventIndex(b),
  );
  for (const { side, wallet, amount, lamports, at, slot } of ordered) {
    ledger.apply({ side, wallet, amount, lamports, at: at.getTime(), slot });
  }
  return ledger;
}

/** Returns the index of a trade within its transaction: the end of its id. */
function eventIndex(trade: TradeRecord): number {
  return Number(trade._id.slice(trade._id.lastIndexOf(':') + 1));
}
