import { pino } from 'pino';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { roomOf } from '../../../common/live/rooms.ts';
import type { FeedEvent, Publisher } from '../../../realtime/publisher.ts';
import { createEventBus, type EventBus } from '../../events/bus.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import { createEngine } from '../engine.ts';
import type { WriteBatch } from '../publish/bulk-write.ts';
import type { MarketStore } from '../publish/store.ts';
import type { Observation } from '../sources/observation.ts';
import type { Source, SourceContext } from '../sources/source.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import { launchOf } from '../token/score/creator-history.ts';
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

/** A fake store that copies like MongoDB and can become unavailable. */
export class MemoryStore implements MarketStore {
  readonly records = new Map<string, TokenRecord>();
  readonly trades = new Map<string, TradeRecord>();
  readonly samples: SampleRecord[] = [];
  readonly writes: WriteBatch[] = [];
  storedRate: Rate | null = null;
  away: boolean = false;
  /** While set, writes wait for it. */
  gate: Promise<void> | null = null;
  onWrite: () => void = () => {};

  #read<Value>(value: Value): Promise<Value> {
    return this.away ? Promise.reject(new Error('away')) : Promise.resolve(structuredClone(value));
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  loadState() {
    return this.#read({
      tokens: [...this.records.values()],
      trades: [...this.trades.values()],
      tradeIds: [...this.trades.keys()],
      launches: [...this.records.values()].map(launchOf),
      rate: this.storedRate,
    });
  }

  tokens(addresses: readonly string[]) {
    return this.#read(addresses.flatMap((address) => this.records.get(address) ?? []));
  }

  tradesOf(address: string) {
    return this.#read([...this.trades.values()].filter((trade) => trade.address === address));
  }

  launches() {
    return this.#read([...this.records.values()].map(launchOf));
  }

  /** Stands for the filter of `remove`; default: simulated tokens. */
  isRemoved: (record: TokenRecord) => boolean = ({ launchpad }) => launchpad === 'simulator';

  /** Two at a time. */
  async remove(_filter: unknown, after: string, beforeDelete?: (addresses: readonly string[]) => Promise<void>) {
    const found = [...this.records.values()]
      .filter((record) => record._id > after && this.isRemoved(record))
      .map(({ _id }) => _id)
      .sort((a, b) => (a < b ? -1 : 1))
      .slice(0, 2);
    if (found.length > 0) await beforeDelete?.(found);
    for (const address of found) this.records.delete(address);
    return this.#read(found);
  }

  listFields(after: string) {
    return this.#read(this.#after(after));
  }

  identityFields(after: string) {
    return this.#read(this.#after(after));
  }

  /** Two at a time. */
  #after(after: string) {
    return [...this.records.values()]
      .filter(({ _id }) => _id > after)
      .sort((a, b) => (a._id < b._id ? -1 : 1))
      .slice(0, 2);
  }

  isEmpty() {
    return this.#read(this.records.size === 0);
  }

  recentTokens() {
    return this.#read([...this.records.values()]);
  }

  async write(batch: WriteBatch): Promise<void> {
    // Copied at the call: later changes of the market belong to the next write.
    const { tokens, trades, samples, rate } = structuredClone({ ...batch, samples: batch.samples.map(withoutId) });
    await this.gate;
    if (this.away) throw new Error('away');
    for (const write of tokens) {
      if ('replace' in write) this.records.set(write.address, write.replace);
      else for (const [path, value] of Object.entries(write.set)) this.#set(write.address, path, value);
    }
    for (const trade of trades) this.trades.set(trade._id, trade);
    this.samples.push(...samples);
    this.storedRate = rate ?? this.storedRate;
    this.writes.push(batch);
    this.onWrite();
  }

  #set(address: string, path: string, value: unknown): void {
    const record = this.records.get(address);
    if (!record) throw new Error(`there is no ${address} to update`);
    const [field = '', inner] = path.split('.');
    if (inner === undefined) Reflect.set(record, field, value);
    else Reflect.set(Reflect.get(record, field), inner, value);
  }
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

/** Returns a bus on which a failing handler fails the test. */
export function testBus(): EventBus {
  return createEventBus((error, event) => {
    throw new Error(`handler of ${event} failed`, { cause: error });
  });
}

/** Returns a publisher that records everything. */
export function recordingPublisher() {
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
    listens: (target) => listeners.has(roomOf(target)),
    cursor,
  };
  return { ...publisher, events, sent, listeners };
}

/** Returns an engine on a fake store; `tick(ms)` advances the clock first. */
export function testEngine(options: { store?: MemoryStore; clock?: FakeClock; solUsd?: number | null } = {}) {
  const { store = new MemoryStore(), clock = fakeClock(), solUsd = 100 } = options;
  const publisher = recordingPublisher();
  const bus = testBus();
  const engine = createEngine({ store, publisher, bus, clock, random: () => 0.5, log: silentLog, solUsd });
  return {
    engine,
    bus,
    store,
    clock,
    publisher,
    events: publisher.events,
    async tick(ms = 100) {
      clock.pass(ms);
      await engine.tick();
      await engine.settled();
    },
    async see(...observations: Observation[]) {
      engine.queue.add(observations);
      clock.pass(100);
      await engine.tick();
      await engine.settled();
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
