import { pino } from 'pino';
import { createEventBus, type EventBus } from '../../../api/events/bus.ts';
import { createEngine, type Engine } from '../../../api/market/engine.ts';
import type { MarketStore } from '../../../api/market/publish/store.ts';
import type { Clock } from '../../../common/time.ts';
import type { Publisher } from '../../../realtime/publisher.ts';

/** Dollars for 1 SOL throughout a bench. */
export const SOL_USD = 150;

/** Creates the product's engine on the bench's clock, with a store that stays empty and a feed that no client reads. */
export function engineWithoutStorage(clock: Clock): { engine: Engine; bus: EventBus } {
  const log = pino({ level: 'error' }, pino.destination(2));
  const bus = createEventBus((error) => {
    throw new Error('an event handler failed', { cause: error });
  });
  const engine = createEngine({
    store: emptyStore(),
    publisher: silentPublisher(),
    bus,
    clock,
    // Only the delay after a failed write is random, and no write fails here.
    random: () => 0.5,
    log,
    solUsd: SOL_USD,
  });
  return { engine, bus };
}

function emptyStore(): MarketStore {
  const none = <Value>(): Promise<Value[]> => Promise.resolve([]);
  return {
    prepare: () => Promise.resolve(),
    loadState: () =>
      Promise.resolve({
        ...{ tokens: [], trades: [], tradeIds: [], launches: [], rate: null },
        ...{ highestNumber: 0, position: 0 },
      }),
    async *journal() {},
    journalEnd: () => Promise.resolve(null),
    leapVersions: () => Promise.resolve(),
    tokens: none,
    tradesOf: none,
    firstTradesOf: none,
    recentTokens: none,
    write: () => Promise.resolve(),
    launches: none,
    outdatedScores: none,
    writeScores: () => Promise.resolve(0),
    remove: none,
    isEmpty: () => Promise.resolve(true),
    listFields: none,
    identityFields: none,
  };
}

function silentPublisher(): Publisher {
  const cursor = { epoch: 'bench', seq: 0 };
  return { publish: () => Promise.resolve(cursor), send() {}, hasMembers: () => false, cursor: () => cursor };
}
