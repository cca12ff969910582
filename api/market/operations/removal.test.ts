import { expect, test } from 'vitest';
import type { Observation } from '../sources/observation.ts';
import { createMemoryStore } from '../testing/market.ts';
import { address, created, trade } from '../testing/observations.ts';
import { setUpRemoval } from '../testing/removal.ts';
import { simulatedTokens } from './removal.ts';

/** Observations of the simulator about a coin. */
function simulated(number: number, creator = 'maker'): Observation[] {
  const where = { address: address(number), source: 'simulator', launchpad: 'simulator', cluster: null } as const;
  return [created({ ...where, creator }), trade({ ...where, wallet: 'buyer' })];
}

function setUp(store = createMemoryStore()) {
  const { remove, cleanUp, ...parts } = setUpRemoval(store);
  return Object.assign(parts, {
    remove: () => remove(simulatedTokens),
    cleanUp: (tick?: () => Promise<void>) => cleanUp(simulatedTokens, tick ? { tick } : {}),
  });
}

test('removes exactly the simulated tokens, from memory, store and clients [S7.3-02]', async () => {
  const { see, cleanUp, store, engine, removals, cleared, removedAfter, events } = setUp();
  await see(...simulated(1), ...simulated(2), ...simulated(3), created({ address: address(9) }));
  expect(engine.size).toBe(4);
  expect(await cleanUp()).toBe(3);
  expect(engine.size).toBe(1);
  expect([...store.records.keys()]).toEqual([address(9)]);
  expect(removals()).toEqual([{ addresses: [1, 2, 3].map(address) }]);
  expect(cleared()).toBe(1);
  expect(removedAfter).toEqual([events.findIndex(({ event }) => event === 'tokens-removed')]);
});

test('publishes one event when no token is left', async () => {
  const { see, cleanUp, removals, engine, publisher } = setUp();
  await see(...simulated(1), ...simulated(2));
  expect(await cleanUp()).toBe(2);
  expect(removals()).toEqual([{ all: true }]);
  expect(engine.published()).toEqual(publisher.cursor());
});

test('publishes nothing without a simulated token', async () => {
  const { see, cleanUp, removals, removedAfter } = setUp();
  await see(created({ address: address(9) }));
  expect(await cleanUp()).toBe(0);
  expect([removals(), removedAfter]).toEqual([[], []]);
});

test('observations of removed tokens do not bring them back, and new tokens follow as usual', async () => {
  const { see, cleanUp, tick, engine, store, events } = setUp();
  await see(...simulated(1));
  // In the queue at the start, and observed again with every tick until the end.
  engine.queue.add(simulated(2));
  await cleanUp(async () => {
    engine.queue.add([...simulated(1), ...simulated(3)]);
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

test('a write in progress ends before anything is deleted', async () => {
  const { see, tick, remove, store, engine, removals } = setUp();
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
  expect([count, store.records.size, engine.size, removals()]).toEqual([1, 0, 0, [{ all: true }]]);
});

test('removes, counts and publishes tokens that could not be stored yet', async () => {
  const { see, tick, cleanUp, store, removals } = setUp();
  await see(created({ address: address(9) }));
  store.away = true;
  await see(...simulated(1));
  store.away = false;
  expect(await cleanUp()).toBe(1);
  expect(removals()).toEqual([{ addresses: [address(1)] }]);
  await tick(5_000);
  expect([...store.records.keys()]).toEqual([address(9)]);
});

test('publishes no update of a token whose record is verified just before the deletion', async () => {
  const store = createMemoryStore();
  await setUp(store).see(...simulated(1));
  // As after a restart: the token is in MongoDB but not in memory, and MongoDB becomes unavailable.
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

test('allows one removal at a time; after a database failure the deleted tokens are published and the next removal completes', async () => {
  const { see, cleanUp, remove, store, removals, engine } = setUp();
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
  expect(removals().at(-1)).toEqual({ addresses: [4, 5].map(address) });
  store.remove = page;
  expect(await cleanUp()).toBe(1);
  expect(removals().at(-1)).toEqual({ addresses: [address(6)] });
  expect(engine.size).toBe(1);
});

test('a removed coin counts neither for its creator nor as a copied symbol', async () => {
  const { see, cleanUp, store } = setUp();
  await see(...simulated(1, 'Maker'));
  await see(created({ address: address(9), creator: 'Maker' }));
  const factsOf = () => store.records.get(address(9))?.facts;
  expect([factsOf()?.creatorLaunches24h?.value, factsOf()?.symbolTwin?.value]).toEqual([1, address(1)]);
  await cleanUp();
  expect([factsOf()?.creatorLaunches24h?.value, factsOf()?.symbolTwin?.value]).toEqual([0, '']);
});
