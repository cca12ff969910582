import { pino } from 'pino';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { roomOf } from '../../../common/live/rooms.ts';
import { HOUR } from '../../../common/time.ts';
import { RISK_RULES_VERSION } from '../../../common/tokens/risk/score.ts';
import type { FeedEvent, Publisher } from '../../../realtime/publisher.ts';
import { createEventBus, type EventBus } from '../../events/bus.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import { createEngine } from '../engine.ts';
import type { WriteBatch } from '../publish/bulk-write.ts';
import type { JournalEntry } from '../publish/journal.ts';
import type { MarketStore } from '../publish/store.ts';
import type { Observation } from '../sources/observation.ts';
import type { Source, SourceContext } from '../sources/source.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import type { ChainWatch } from '../token/merge/trade-chain.ts';
import { launchOf } from '../token/score/creator-history.ts';
import { RETENTION } from '../token/state/live-token.ts';
import { address, START } from './observations.ts';

export const silentLog = pino({ level: 'silent' });

/** Returns a clock that the test advances. */
export function fakeClock(at = START) {
  return {
    at,
    now() {
      return this.at;
    },
    pass(ms: number) {
      this.at += ms;
    },
  };
}
export type FakeClock = ReturnType<typeof fakeClock>;

/** Fake store that copies like MongoDB and can become unavailable. */
export interface MemoryStore extends MarketStore {
  readonly records: Map<string, TokenRecord>;
  readonly trades: Map<string, TradeRecord>;
  /** The journal by position. */
  readonly entries: Map<number, JournalEntry>;
  readonly samples: SampleRecord[];
  readonly writes: WriteBatch[];
  storedRate: Rate | null;
  away: boolean;
  /** Steps of writes until a crash; the store is away from then on. */
  stepsLeft: number;
  onCrash: () => void;
  /** While set, writes wait for it. */
  gate: Promise<void> | null;
  onWrite: () => void;
  /** Stands for the filter of `remove`; default: simulated tokens. */
  isRemoved: (record: TokenRecord) => boolean;
}

export function createMemoryStore(): MemoryStore {
  const records = new Map<string, TokenRecord>();
  const trades = new Map<string, TradeRecord>();
  const entries = new Map<number, JournalEntry>();

  const read = <Value>(value: Value): Promise<Value> =>
    store.away ? Promise.reject(new Error('away')) : Promise.resolve(structuredClone(value));

  /** Two at a time. */
  const pageAfter = (after: string, matches: (record: TokenRecord) => boolean = () => true) =>
    [...records.values()]
      .filter((record) => record._id > after && matches(record))
      .sort((a, b) => (a._id < b._id ? -1 : 1))
      .slice(0, 2);

  const launches = () => [...records.values()].map(launchOf);

  function step(change: () => unknown): void {
    if (store.stepsLeft === 0) {
      store.away = true;
      store.onCrash();
      throw new Error('killed');
    }
    store.stepsLeft -= 1;
    change();
  }

  function writeToken(write: WriteBatch['tokens'][number]): void {
    if ('replace' in write) records.set(write.address, write.replace);
    else for (const [path, value] of Object.entries(write.set)) setPath(records.get(write.address), path, value);
  }

  const store: MemoryStore = {
    stepsLeft: Number.POSITIVE_INFINITY,
    records,
    trades,
    entries,
    samples: [],
    writes: [],
    storedRate: null,
    away: false,
    gate: null,
    onWrite: () => {},
    onCrash: () => {},
    isRemoved: ({ launchpad }) => launchpad === 'simulator',

    prepare: () => Promise.resolve(),
    loadState: () =>
      read({
        tokens: [...records.values()],
        trades: [...trades.values()],
        tradeIds: [...trades.keys()],
        launches: launches(),
        rate: store.storedRate,
        highestNumber: Math.max(0, ...[...records.values()].map(({ number }) => number)),
        position: Math.max(0, ...store.entries.keys()),
      }),
    async journalEnd() {
      const [, end = null] = [...store.entries].toSorted(([a], [b]) => a - b).at(-1) ?? [];
      return read(end);
    },
    async leapVersions(since) {
      const isLeapt = ({ keepUntil, runner, mightRun }: TokenRecord) =>
        keepUntil.getTime() >= since - HOUR + RETENTION || runner || mightRun;
      for (const record of [...records.values()].filter(isLeapt))
        step(() => Object.assign(record, { version: record.version + VERSION_LEAP }));
      await read(null);
    },
    async *journal() {
      for (const entry of await read([...store.entries.values()])) yield entry;
    },
    tokens: (addresses) => read(addresses.flatMap((address) => records.get(address) ?? [])),
    tradesOf: (address) => read([...trades.values()].filter((trade) => trade.address === address)),
    firstTradesOf: (address) => read([...trades.values()].filter((trade) => trade.address === address)),
    launches: () => read(launches()),
    async remove(_filter, after, beforeDelete) {
      const found = pageAfter(after, store.isRemoved).map(({ _id }) => _id);
      if (found.length > 0) await beforeDelete?.(found);
      for (const address of found) records.delete(address);
      return read(found);
    },
    outdatedScores: () => read([...records.values()].filter(isOutdated).slice(0, 2)),
    writeScores(scores) {
      const due = scores.filter(({ address }) => isOutdated(records.get(address)));
      for (const { address, set } of due) {
        for (const [path, value] of Object.entries(set)) setPath(records.get(address), path, value);
      }
      return read(due.length);
    },
    listFields: (after) => read(pageAfter(after)),
    identityFields: (after) => read(pageAfter(after)),
    isEmpty: () => read(records.size === 0),
    recentTokens: () => read([...records.values()]),
    async write(batch) {
      // Copied at the call: later changes of the market belong to the next write.
      const copy = structuredClone({ ...batch, samples: batch.samples.map(withoutId) });
      await store.gate;
      if (store.away) throw new Error('away');
      // In the order of MongoDB, and in steps between which a crash may come.
      if (copy.journal.length > 0) step(() => copy.journal.forEach((entry) => void entries.set(entry._id, entry)));
      if (copy.trades.length > 0) step(() => copy.trades.forEach((trade) => void trades.set(trade._id, trade)));
      store.samples.push(...copy.samples);
      for (const write of copy.tokens) step(() => writeToken(write));
      if (copy.journalBelow !== null) step(() => trim(entries, copy.journalBelow ?? 0));
      store.storedRate = copy.rate ?? store.storedRate;
      store.writes.push(batch);
      store.onWrite();
    },
  };
  return store;
}

const VERSION_LEAP = 100_000;

function trim(entries: Map<number, JournalEntry>, below: number): void {
  for (const position of entries.keys()) if (position < below) entries.delete(position);
}

function isOutdated(record: TokenRecord | undefined): boolean {
  return record !== undefined && record.riskRulesVersion !== RISK_RULES_VERSION;
}

function setPath(record: TokenRecord | undefined, path: string, value: unknown): void {
  if (!record) throw new Error('there is no token to update');
  const [field = '', inner] = path.split('.');
  if (inner === undefined) Reflect.set(record, field, value);
  else Reflect.set(Reflect.get(record, field), inner, value);
}

function withoutId({ _id, ...sample }: WriteBatch['samples'][number]): SampleRecord {
  return sample;
}

/** Returns the stored record of a token, by default of the first. */
export function recordOf(store: MemoryStore, number = 1): TokenRecord {
  const found = store.records.get(address(number));
  if (!found) throw new Error('not stored');
  return found;
}

/** Returns a token without the fields about its first observation, and its facts without times, which depend on their first report. */
export function comparable(token: TokenRecord) {
  const { number, version, journaled, lastUpdated, detectedAt, detectedBy, storedAt, publishedAt, ...others } = token;
  const { keepUntil, spark, openSample, ...rest } = others;
  const known = Object.entries(token.facts).map(([key, fact]) => [key, fact && { ...fact, at: null }]);
  return { ...rest, facts: Object.fromEntries(known) };
}

/** Returns a bus on which a failing handler fails the test. */
export function testBus(): EventBus {
  return createEventBus((error, event) => {
    throw new Error(`handler of ${event} failed`, { cause: error });
  });
}

/** Returns a publisher that records everything. */
function recordingPublisher() {
  const events: FeedEvent[] = [];
  const sent: { room: string; event: string; payload: unknown }[] = [];
  const listeners = new Set<string>();
  const cursor = (): FeedCursor => ({ epoch: 'test', seq: events.length });
  const publisher: Publisher = {
    publish(published) {
      events.push(...structuredClone(published));
      return Promise.resolve(cursor());
    },
    send: (event, target, payload) => void sent.push({ room: roomOf(target), event, payload }),
    hasMembers: (target) => listeners.has(roomOf(target)),
    cursor,
  };
  return { ...publisher, events, sent, listeners };
}

/** Returns an engine on a fake store; `tick(ms)` advances the clock first. */
export function testEngine(
  options: { store?: MemoryStore; clock?: FakeClock; solUsd?: number | null; chainWatch?: ChainWatch } = {},
) {
  const { store = createMemoryStore(), clock = fakeClock(), solUsd = 100, chainWatch } = options;
  const publisher = recordingPublisher();
  const bus = testBus();
  const engine = createEngine({
    store,
    publisher,
    bus,
    clock,
    random: () => 0.5,
    log: silentLog,
    solUsd,
    ...(chainWatch && { chainWatch }),
  });
  return {
    engine,
    bus,
    store,
    clock,
    publisher,
    events: publisher.events,
    /** Stores everything in the same turn, as a stop does. */
    async tick(ms = 100) {
      clock.pass(ms);
      await engine.tick();
      await engine.settled();
      await engine.flush();
    },
    async see(...observations: Observation[]) {
      engine.queue.add(observations);
      clock.pass(100);
      await engine.tick();
      await engine.settled();
      await engine.flush();
    },
  };
}

/** Returns a source whose observations come from the test. */
export function fakeSource(name: Source['name'] = 'solana') {
  let context: SourceContext | null = null;
  let stopped = false;
  const source: Source = {
    name,
    start(given) {
      context = given;
      return Promise.resolve();
    },
    stop() {
      stopped = true;
      return Promise.resolve();
    },
    status: () => ({ state: stopped ? 'stopped' : 'live', lastEventAt: null }),
  };
  return {
    source,
    get context(): SourceContext {
      if (context === null) throw new Error('the source is not started');
      return context;
    },
  };
}
