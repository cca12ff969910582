import { expect, test } from 'vitest';
import type { Observation } from '../sources/observation.ts';
import type { Source } from '../sources/source.ts';
import { MemoryStore, testEngine } from '../testing/market.ts';
import { address, created, trade } from '../testing/observations.ts';
import { createRemove, simulatedTokens } from './removal.ts';

/** What the simulator says of a coin. */
function simulated(number: number, creator = 'maker'): Observation[] {
  const where = { address: address(number), source: 'simulator', launchpad: 'simulator', cluster: null } as const;
  return [created({ ...where, creator }), trade({ ...where, wallet: 'buyer' })];
}

function setUp(store = new MemoryStore()) {
  const made = testEngine({ store });
  const { engine, clock } = made;
  let forgotten = 0;
  const source: Source = {
    name: 'simulator',
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    status: () => ({ state: 'live', lastEventAt: null }),
    clear: () => {
      forgotten += 1;
    },
  };
  const deleted: number[] = [];
  const remove = createRemove({
    engine,
    store,
    sources: [source],
    clock,
    onDeleted: () => deleted.push(made.events.length),
  });
  return {
    ...made,
    store,
    deleted,
    forgotten: () => forgotten,
    remove: () => remove(simulatedTokens),
    /** Ticks until the removal is done. */
    async cleanUp(ticks = () => made.tick()) {
      let isOver = false;
      const done = remove(simulatedTokens).finally(() => {
        isOver = true;
      });
      while (!isOver) await ticks();
      return done;
    },
    told: () => made.events.filter(({ event }) => event === 'tokens-removed').map(({ payload }) => payload),
  };
}

test('exactly the simulated tokens go, from memory, store and feed [S7.3-02]', async () => {
  const { see, cleanUp, store, engine, told, forgotten, deleted, events } = setUp();
  await see(...simulated(1), ...simulated(2), ...simulated(3), created({ address: address(9) }));
  expect(engine.size).toBe(4);
  expect(await cleanUp()).toBe(3);
  expect(engine.size).toBe(1);
  expect([...store.records.keys()]).toEqual([address(9)]);
  expect(told()).toEqual([{ addresses: [1, 2, 3].map(address) }]);
  expect(forgotten()).toBe(1);
  expect(deleted).toEqual([events.findIndex(({ event }) => event === 'tokens-removed')]);
});

test('when nothing is left, one event says so', async () => {
  const { see, cleanUp, told, engine, publisher } = setUp();
  await see(...simulated(1), ...simulated(2));
  expect(await cleanUp()).toBe(2);
  expect(told()).toEqual([{ all: true }]);
  expect(engine.stored()).toEqual(publisher.cursor());
});

test('without a simulated token nothing is said', async () => {
  const { see, cleanUp, told, deleted } = setUp();
  await see(created({ address: address(9) }));
  expect(await cleanUp()).toBe(0);
  expect([told(), deleted]).toEqual([[], []]);
});

test('what is said of a removed token meanwhile does not bring it back, and later ones come as ever', async () => {
  const { see, cleanUp, tick, engine, store, events } = setUp();
  await see(...simulated(1));
  // Waiting to be merged when it begins, and said with every tick until it is over.
  engine.observe(simulated(2));
  await cleanUp(async () => {
    engine.observe([...simulated(1), ...simulated(3)]);
    await tick();
  });
  const end = events.length;
  await tick();
  await tick();
  expect([engine.size, store.records.size, store.trades.size]).toEqual([0, 0, 1]);
  await see(...simulated(4));
  expect([...store.records.keys()]).toEqual([address(4)]);
  expect(JSON.stringify(events.slice(end))).not.toContain(address(1));
  expect(JSON.stringify(events.slice(end))).toContain(address(4));
});

test('a write that is on its way lands before anything is deleted', async () => {
  const { see, tick, remove, store, engine, told } = setUp();
  let open = () => {};
  store.gate = new Promise((resolve) => {
    open = resolve;
  });
  await see(...simulated(1));
  const done = remove();
  const ticking = tick();
  expect(store.records.size).toBe(0);
  open();
  await ticking;
  let count: number | null = null;
  void done.then((removed) => {
    count = removed;
  });
  while (count === null) await tick();
  expect([count, store.records.size, engine.size, told()]).toEqual([1, 0, 0, [{ all: true }]]);
});

test('tokens that were published and could not be stored yet are removed, counted and told of as well', async () => {
  const { see, tick, cleanUp, store, told } = setUp();
  await see(created({ address: address(9) }));
  store.away = true;
  await see(...simulated(1));
  store.away = false;
  expect(await cleanUp()).toBe(1);
  expect(told()).toEqual([{ addresses: [address(1)] }]);
  await tick(5_000);
  expect([...store.records.keys()]).toEqual([address(9)]);
});

test('nothing more is said of a token whose record was being looked for, though it is found before it is deleted', async () => {
  const store = new MemoryStore();
  await setUp(store).see(...simulated(1));
  // As after a restart: MongoDB knows it, memory does not, and then MongoDB can't be asked.
  const { see, tick, cleanUp, engine, events } = setUp(store);
  store.away = true;
  await see(...simulated(1));
  store.away = false;
  const page = store.remove.bind(store);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  store.remove = async (filter, after) => {
    await gate;
    return page(filter, after);
  };
  const before = events.length;
  let ticks = 0;
  const count = await cleanUp(async () => {
    await tick(5_000);
    ticks += 1;
    if (ticks === 3) open();
  });
  expect(count).toBe(1);
  expect(events.slice(before)).toEqual([{ event: 'tokens-removed', payload: { all: true } }]);
  expect([engine.size, store.records.size]).toEqual([0, 0]);
});

test('what is said of a removal does not pass for the word that other tokens are stored', async () => {
  const { see, cleanUp, tick, store, engine, publisher } = setUp();
  await see(...simulated(1));
  const write = store.write.bind(store);
  store.write = () => Promise.reject(new Error('too slow'));
  await see(created({ address: address(9) }));
  const before = engine.stored();
  expect(await cleanUp()).toBe(1);
  expect(engine.stored()).toEqual(before);
  store.write = write;
  await tick(5_000);
  await tick();
  expect(engine.stored()).toEqual(publisher.cursor());
});

test('one removal at a time; when the database goes away, what was deleted is told and the next one does the rest', async () => {
  const { see, cleanUp, remove, store, told, engine } = setUp();
  await see(...simulated(1), ...simulated(2), ...simulated(3), created({ address: address(9) }));
  const first = cleanUp();
  await expect(remove()).rejects.toMatchObject({ code: 'already-running', status: 409 });
  expect(await first).toBe(3);

  await see(...simulated(4), ...simulated(5), ...simulated(6));
  const page = store.remove.bind(store);
  let pages = 0;
  store.remove = (filter, after) => {
    pages += 1;
    return pages === 1 ? page(filter, after) : Promise.reject(new Error('away'));
  };
  await expect(cleanUp()).rejects.toThrow('away');
  expect(told().at(-1)).toEqual({ addresses: [4, 5].map(address) });
  store.remove = page;
  expect(await cleanUp()).toBe(1);
  expect(told().at(-1)).toEqual({ addresses: [address(6)] });
  expect(engine.size).toBe(1);
});

test('a removed coin counts no longer as an older one of its creator, nor as anybody’s twin', async () => {
  const { see, cleanUp, store } = setUp();
  await see(...simulated(1, 'Maker'));
  await see(created({ address: address(9), creator: 'Maker' }));
  const factsOf = () => store.records.get(address(9))?.facts;
  expect([factsOf()?.creatorLaunches24h?.value, factsOf()?.symbolTwin?.value]).toEqual([1, address(1)]);
  await cleanUp();
  expect([factsOf()?.creatorLaunches24h?.value, factsOf()?.symbolTwin?.value]).toEqual([0, '']);
});
