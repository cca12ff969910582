import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../common/time.ts';
import { createMemoryStore } from '../testing/market.ts';
import { address, created, START, trade } from '../testing/observations.ts';
import { setUpRemoval } from '../testing/removal.ts';
import { freshRecord } from '../token/state/live-token.ts';
import { allTokens, detectedBetween, tokensAt } from './removal.ts';

const seenAt = (number: number, at: number) => created({ address: address(number), at, receivedAt: at });

describe('tokens of the last hours [S7.3-06]', () => {
  test('are removed and stay blocked, and the simulator goes on with the others', async () => {
    const { see, cleanUp, tick, engine, store, removals, cleared } = setUpRemoval();
    await see(seenAt(1, START - 3 * HOUR), seenAt(2, START - 2 * HOUR), seenAt(3, START));
    const progress: number[] = [];
    const removing = cleanUp(detectedBetween(START - 2 * HOUR, START), {
      onProgress: (removed) => progress.push(removed),
    });
    engine.queue.add([trade({ address: address(1) }), trade({ address: address(2) })]);
    expect(await removing).toBe(2);
    expect(removals()).toEqual([{ addresses: [2, 3].map(address) }]);
    expect(progress).toEqual([2]);
    await see(trade({ address: address(2) }), seenAt(3, START), seenAt(4, START));
    await tick();
    expect([...store.records.keys()]).toEqual([address(1), address(4)]);
    expect(store.records.get(address(1))?.buys).toBe(1);
    expect(cleared()).toBe(0);
  });

  test('a token hydrated during the removal is removed as well', async () => {
    const store = createMemoryStore();
    await setUpRemoval(store).see(seenAt(1, START), seenAt(2, START), seenAt(3, START));
    // As after a restart, with nothing in memory.
    const { cleanUp, engine, removals, tick } = setUpRemoval(store);
    const removing = cleanUp(detectedBetween(START, START + HOUR));
    engine.queue.add([trade({ address: address(3) })]);
    expect(await removing).toBe(3);
    await tick();
    expect([engine.size, store.records.size]).toEqual([0, 0]);
    expect(removals()).toEqual([{ all: true }]);
  });
});

test('tokens at given addresses are removed and stay blocked [S7.3-05]', async () => {
  const { see, cleanUp, store, engine, removals } = setUpRemoval();
  await see(created({ address: address(1) }), created({ address: address(2) }), created({ address: address(3) }));
  expect(await cleanUp(tokensAt(new Set([address(1), address(3), address(8)])))).toBe(2);
  await see(created({ address: address(1) }), trade({ address: address(3) }));
  expect([engine.size, [...store.records.keys()]]).toEqual([1, [address(2)]]);
  expect(removals()).toEqual([{ addresses: [1, 3].map(address) }]);
});

test('pinned tokens are announced while they are still in memory', async () => {
  const { see, cleanUp, engine, announced } = setUpRemoval();
  await see(created({ address: address(1) }), created({ address: address(2) }), created({ address: address(3) }));
  for (const number of [1, 2]) engine.pin(address(number));
  await cleanUp(tokensAt(new Set([address(1), address(3)])));
  expect(announced).toEqual([[address(1), true]]);
  expect(engine.has(address(1))).toBe(false);
});

test('all tokens are removed, the simulator discards its own, and new ones follow [S7.3-07]', async () => {
  const { see, cleanUp, store, engine, removals, cleared } = setUpRemoval();
  await see(created({ address: address(1) }), created({ address: address(2), launchpad: 'simulator' }));
  expect(await cleanUp(allTokens)).toBe(2);
  expect([engine.size, store.records.size, cleared(), removals()]).toEqual([0, 0, 1, [{ all: true }]]);
  await see(trade({ address: address(1) }), created({ address: address(3) }));
  expect([...store.records.keys()]).toEqual([address(3)]);
});

describe('an analysis [S7.3-11]', () => {
  const record = (number: number, overrides: object) => {
    const first = { launchpad: 'pump.fun', cluster: 'mainnet', quote: 'SOL', source: 'solana' } as const;
    const fresh = freshRecord({ ...first, address: address(number), receivedAt: START }, number, START);
    return { ...fresh, version: 1, createdAt: START - 90 * 60_000, ...overrides };
  };

  test('corrects the lists of every token, and publishes and stores the changes', async () => {
    const store = createMemoryStore();
    const { analyze, see, events } = setUpRemoval(store);
    const mightRun = { marketCapUsd: 500_000, volumeUsd: 1_250_000 };
    for (const token of [
      record(1, { ...mightRun, mightRun: true }),
      // Still in a list after a crash, and too old for any.
      record(2, { createdAt: START - 30 * 24 * HOUR, listedAt: START - 30 * 24 * HOUR, runner: true, growthScore: 90 }),
      record(3, { createdAt: START - 30 * 24 * HOUR, listedAt: START - 30 * 24 * HOUR }),
    ]) {
      store.records.set(token._id, token);
    }
    await see(created({ address: address(4) }));
    const before = events.length;
    expect(await analyze()).toEqual({ analyzed: 4, runners: 0, mightRun: 1, moved: 1 });
    expect(store.records.get(address(2))).toMatchObject({ runner: false });
    const lists = events.slice(before).filter(({ event }) => event === 'runner' || event === 'might-run');
    expect(lists).toMatchObject([{ event: 'runner', payload: { active: false, token: { address: address(2) } } }]);
    expect(await analyze()).toMatchObject({ analyzed: 4, moved: 0 });
  });

  test('keeps no token in memory that a removal deletes meanwhile [S7.3-07]', async () => {
    const store = createMemoryStore();
    const { analyze, cleanUp, engine, tick, removals } = setUpRemoval(store);
    const old = START - 30 * 24 * HOUR;
    for (const number of [1, 2, 3]) {
      const token = record(number, { createdAt: old, listedAt: old, runner: true, growthScore: 90 });
      store.records.set(token._id, token);
    }
    const page = store.remove.bind(store);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    store.remove = async (...about) => {
      await gate;
      return page(...about);
    };
    const removing = cleanUp(allTokens);
    expect(await analyze()).toMatchObject({ moved: 3 });
    expect(engine.size).toBe(3);
    open();
    expect(await removing).toBe(3);
    expect([engine.size, store.records.size, removals()]).toEqual([0, 0, [{ all: true }]]);
    await tick();
    expect([engine.size, store.records.size]).toEqual([0, 0]);
  });

  test('ends early when the server stops', async () => {
    const { analyze, see } = setUpRemoval();
    await see(created({ address: address(1) }), created({ address: address(2) }), created({ address: address(3) }));
    const stopping = new AbortController();
    stopping.abort();
    expect(await analyze(stopping.signal)).toMatchObject({ analyzed: 0 });
  });
});
