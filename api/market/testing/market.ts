import { pino } from 'pino';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { roomOf } from '../../../common/live/rooms.ts';
import type { FeedEvent, Publisher } from '../../../realtime/publisher.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import { Engine } from '../engine.ts';
import type { MarketStore, WriteBatch } from '../publish/store.ts';
import type { Observation } from '../sources/observation.ts';
import type { Source, SourceContext } from '../sources/source.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import { launchOf } from '../token/score/creator-history.ts';
import { address, START } from './observations.ts';

export const silentLog = pino({ level: 'silent' });

/** A clock that a test moves. */
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

/** A store in memory that keeps copies, as MongoDB would, and can be taken away. */
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

  #ask<Value>(value: Value): Promise<Value> {
    return this.away ? Promise.reject(new Error('away')) : Promise.resolve(structuredClone(value));
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  kept() {
    return this.#ask({
      tokens: [...this.records.values()],
      trades: [...this.trades.values()],
      tradeIds: [...this.trades.keys()],
      launches: [...this.records.values()].map(launchOf),
      rate: this.storedRate,
    });
  }

  tokens(addresses: readonly string[]) {
    return this.#ask(addresses.flatMap((address) => this.records.get(address) ?? []));
  }

  tradesOf(address: string) {
    return this.#ask([...this.trades.values()].filter((trade) => trade.address === address));
  }

  launches() {
    return this.#ask([...this.records.values()].map(launchOf));
  }

  /** Which ones `remove` takes for those that its filter means; the simulated ones unless told otherwise. */
  isRemoved: (record: TokenRecord) => boolean = ({ launchpad }) => launchpad === 'simulator';

  /** Two at a time. */
  async remove(_filter: unknown, after: string, letGo?: (addresses: readonly string[]) => Promise<void>) {
    const found = [...this.records.values()]
      .filter((record) => record._id > after && this.isRemoved(record))
      .map(({ _id }) => _id)
      .sort((a, b) => (a < b ? -1 : 1))
      .slice(0, 2);
    if (found.length > 0) await letGo?.(found);
    for (const address of found) this.records.delete(address);
    return this.#ask(found);
  }

  listFields(after: string) {
    return this.#ask(this.#after(after));
  }

  identityFields(after: string) {
    return this.#ask(this.#after(after));
  }

  /** Two at a time. */
  #after(after: string) {
    return [...this.records.values()]
      .filter(({ _id }) => _id > after)
      .sort((a, b) => (a._id < b._id ? -1 : 1))
      .slice(0, 2);
  }

  isEmpty() {
    return this.#ask(this.records.size === 0);
  }

  known() {
    return this.#ask([...this.records.values()]);
  }

  async write(batch: WriteBatch): Promise<void> {
    // As they are at the call: what the market changes afterwards must be written by the next one.
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

/** The stored record of a token; the first one unless told otherwise. */
export function recordOf(store: MemoryStore, number = 1): TokenRecord {
  const found = store.records.get(address(number));
  if (!found) throw new Error('not stored');
  return found;
}

/** A publisher that remembers everything it was told. */
export function recordingPublisher() {
  const events: FeedEvent[] = [];
  const sent: { room: string; event: string; payload: unknown }[] = [];
  const heard = new Set<string>();
  const cursor = (): FeedCursor => ({ epoch: 'test', seq: events.length });
  const publisher: Publisher = {
    publish(said) {
      events.push(...structuredClone(said));
      return Promise.resolve(cursor());
    },
    send: (event, target, payload) => void sent.push({ room: roomOf(target), event, payload }),
    listens: (target) => heard.has(roomOf(target)),
    cursor,
  };
  return { ...publisher, events, sent, heard };
}

/** An engine on a memory store; `tick(ms)` lets time pass first. */
export function testEngine(options: { store?: MemoryStore; clock?: FakeClock; solUsd?: number | null } = {}) {
  const { store = new MemoryStore(), clock = fakeClock(), solUsd = 100 } = options;
  const publisher = recordingPublisher();
  const engine = new Engine({ store, publisher, clock, random: () => 0.5, log: silentLog, solUsd });
  return {
    engine,
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
      engine.observe(observations);
      clock.pass(100);
      await engine.tick();
      await engine.settled();
    },
  };
}

/** A source whose observations a test makes by hand. */
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
