import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { feedEvents } from '../../common/live/events.ts';
import { HOUR } from '../../common/time.ts';
import { recordOf, testEngine } from './testing/market.ts';
import {
  address,
  created,
  facts,
  migrated,
  onChain,
  rate,
  reservesWith,
  START,
  trade,
} from './testing/observations.ts';

const SOL = 1_000_000_000;

describe('lists', () => {
  /** Twelve buys of different sizes and wallets, 40 s after the creation. */
  function outsideBuys(lamports: number) {
    return Array.from({ length: 12 }, (_, buy) =>
      trade({
        wallet: `wallet${buy}`,
        at: START + 40_000 + 1_000 * buy,
        chain: onChain({ slot: 1_100 + buy }),
        quoteAmount: lamports + buy,
        tokenAmount: 1_000_000 + buy,
        reserves: reservesWith((buy + 1) * lamports),
      }),
    );
  }

  async function withBuys(lamports: number) {
    const parts = testEngine();
    await parts.see(created());
    await parts.see(...outsideBuys(lamports));
    for (let ticks = 0; ticks < 60; ticks += 1) await parts.tick();
    return parts;
  }

  async function withRunner() {
    const parts = await withBuys(SOL);
    expect(recordOf(parts.store)).toMatchObject({ runner: false, outsideBuyers: 10 });
    await parts.tick(60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await parts.tick();
    return parts;
  }

  test('buys of 0.001 SOL make no runner', async () => {
    const { tick, store } = await withBuys(SOL / 1_000);
    await tick(60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(recordOf(store)).toMatchObject({ runner: false, outsideBuyers: 0, growthScore: 0 });
  });

  test('a runner that is drained leaves the list at once', async () => {
    const { see, store } = await withRunner();
    expect(recordOf(store)).toMatchObject({ runner: true });
    await see(trade({ side: 'sell', wallet: 'wallet1', at: START + 70_000, reserves: reservesWith(SOL) }));
    expect(recordOf(store)).toMatchObject({ runner: false, drained: true });
  });

  test('a token with momentum enters the runners, published after its update [S4-06]', async () => {
    const { events, store } = await withRunner();
    expect(recordOf(store)).toMatchObject({ runner: true });
    const entered = events.findIndex(({ event }) => event === 'runner');
    expect(events[entered]).toMatchObject({ payload: { active: true, token: { address: address(1), runner: true } } });
    expect(events[entered - 1]).toMatchObject({ event: 'token-updates', payload: { patches: [{ runner: true }] } });
  });

  test('a token leaves the runners by time alone [S4-06]', async () => {
    const { events, tick, store } = await withRunner();
    await tick(6 * 60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(events.at(-1)).toMatchObject({ event: 'runner', payload: { active: false, token: { runner: false } } });
    expect(recordOf(store)).toMatchObject({ runner: false, growthScore: 0 });
  });

  test('a token enters Might Run at one hour of age and leaves at two, by time alone [S4-08]', async () => {
    const { see, tick, events, store } = testEngine({ solUsd: 1_000 });
    const reserves = reservesWith(80 * SOL);
    await see(created(), trade({ reserves, quoteAmount: 2_000 * SOL, at: START + 1_000 }));
    expect(recordOf(store).marketCapUsd).toBeGreaterThan(370_000);
    await see(rate(1_100));
    await tick(59 * 60_000);
    for (let ticks = 0; ticks < 20; ticks += 1) await tick();
    expect(events.filter(({ event }) => event === 'might-run')).toEqual([]);
    await tick(60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(events.at(-1)).toMatchObject({ event: 'might-run', payload: { active: true, token: { mightRun: true } } });
    await tick(HOUR);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(events.at(-1)).toMatchObject({ event: 'might-run', payload: { active: false } });
    expect(recordOf(store).mightRun).toBe(false);
  });
});

describe('publishing', () => {
  test('every event conforms to its contract', async () => {
    const { see, tick, events } = testEngine();
    await see(created(), trade(), created({ address: address(2), name: '', symbol: '', chain: onChain() }));
    await see(trade({ address: address(2) }), trade({ address: address(3), quote: 'other' }), migrated());
    await tick(6_000);
    expect(events.length).toBeGreaterThan(3);
    for (const [index, { event, payload }] of events.entries()) {
      expect(feedEvents[event].parse({ seq: index + 1, ...payload })).toBeTruthy();
    }
  });

  test('publishes new tokens first, then one patch for each changed token', async () => {
    const { see, events } = testEngine();
    await see(created());
    await see(trade(), created({ address: address(2) }), trade(), trade());
    expect(events.map(({ event }) => event)).toEqual(['new-token', 'new-token', 'token-updates']);
    // Four observations, and the second coin with its symbol.
    expect(events[2]).toMatchObject({ payload: { at: START + 200, patches: [{ address: address(1), version: 5 }] } });
  });

  test('publishes nothing before it is stored', async () => {
    const parts = testEngine();
    let open = () => {};
    parts.store.gate = new Promise((resolve) => {
      open = resolve;
    });
    parts.engine.queue.add([created()]);
    const tick = parts.engine.tick();
    const stored = new Promise<number>((resolve) => {
      parts.store.onWrite = () => resolve(parts.events.length);
    });
    expect(parts.events).toEqual([]);
    open();
    expect(await stored).toBe(0);
    await tick;
    await parts.engine.settled();
    expect(parts.events).toHaveLength(1);
    expect(parts.engine.published()).toEqual({ epoch: 'test', seq: 1 });
  });

  test('the feed continues while the database is away, and everything is stored afterwards', async () => {
    const { see, tick, store, events, engine } = testEngine();
    await see(created());
    store.away = true;
    await see(trade(), created({ address: address(2) }));
    await see(trade({ address: address(2) }), trade({ address: address(3) }));
    await see(trade());
    expect(events.map(({ event }) => event)).toEqual([
      'new-token',
      'new-token',
      'token-updates',
      'new-token',
      'token-updates',
      'token-updates',
    ]);
    expect(store.records.size).toBe(1);
    // Lists are read from memory, which contains everything that was published.
    expect(engine.published()).toEqual({ epoch: 'test', seq: events.length });
    store.away = false;
    await tick(3_000);
    await tick(100);
    await tick(100);
    expect(store.records.size).toBe(3);
    const patches = events.flatMap((event) => (event.event === 'token-updates' ? event.payload.patches : []));
    const newest = patches.filter((patch) => patch.address === address(1)).at(-1);
    expect(recordOf(store)).toMatchObject({ buys: 2, version: newest?.version });
    expect(store.trades.size).toBe(4);
    expect(engine.idle).toBe(true);
    expect(engine.published()).toEqual({ epoch: 'test', seq: events.length });
  });

  test('the feed waits once for a database that does not respond, and for none of the next writes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { engine, see, clock, store, events } = testEngine();
    await see(created());
    const { write } = store;
    let writes = 0;
    store.write = (batch) => {
      writes += 1;
      return write(batch);
    };
    const tick = async () => {
      engine.queue.add([trade()]);
      // Longer than the pause after a failed write.
      clock.pass(3_000);
      await engine.tick();
    };
    let fail: (error: Error) => void = () => {};
    store.gate = new Promise((_, reject) => {
      fail = reject;
    });
    await tick();
    expect(events).toHaveLength(1);
    await vi.runOnlyPendingTimersAsync();
    await engine.settled();
    expect(events).toHaveLength(2);
    fail(new Error('away'));
    store.gate = new Promise(() => {});
    for (const count of [3, 4]) {
      await tick();
      // No timer fires: it would not settle if it waited.
      await engine.settled();
      expect(events).toHaveLength(count);
    }
    expect(writes).toBe(2);
  });

  test('a stored token that is observed again during an outage keeps its state of both times', async () => {
    const first = testEngine();
    await first.see(created(), trade(), trade({ wallet: 'other' }));
    await first.tick();
    const { store, clock } = first;
    const { outsideBuyers } = recordOf(store);
    expect(outsideBuyers).toBeGreaterThan(1);
    // A start does not load an hour-old token outside the lists.
    const loaded = { ...(await store.loadState(0, 0)), tokens: [] };
    store.loadState = () => Promise.resolve(loaded);
    const second = testEngine({ store, clock });
    await second.engine.load();
    store.away = true;
    await second.see(created({ address: address(2), chain: onChain() }));
    await second.see(trade({ wallet: 'third', reserves: reservesWith(7 * SOL), at: START + 500 }));
    store.away = false;
    await second.tick(3_000);
    await second.tick();
    await second.tick();
    expect(recordOf(store)).toMatchObject({ name: 'Pepe Coin', buys: 3, createdAt: START, liquidityLamports: 7 * SOL });
    expect(recordOf(store).outsideBuyers).toBe(outsideBuyers);
    await second.see(trade({ wallet: 'fourth' }));
    expect(recordOf(store)).toMatchObject({ complete: true, holderCount: 4, buys: 4 });
  });

  test('sends trades and risk only to the room of the token', async () => {
    const { see, publisher } = testEngine();
    await see(created(), trade());
    expect(publisher.sent).toEqual([]);
    publisher.listeners.add(`token:${address(1)}`);
    await see(trade({ side: 'sell', tokenAmount: 2_000_000, quoteAmount: SOL / 4 }), trade({ address: address(2) }));
    await see(facts({ freezeAuthority: 'live' }, { at: START + 5_000 }));
    expect(publisher.sent.map(({ event, room }) => [event, room])).toContainEqual([
      'token-trades',
      `token:${address(1)}`,
    ]);
    expect(publisher.sent[0]?.payload).toMatchObject({ trades: [{ side: 'sell', tokens: 2, sol: 0.25 }] });
    expect(publisher.sent.every(({ room }) => room === `token:${address(1)}`)).toBe(true);
  });

  test('stores the times of receipt, first write and first publication', async () => {
    const { see, tick, store } = testEngine();
    await see(created({ receivedAt: START + 40 }));
    await tick();
    expect(recordOf(store)).toMatchObject({ detectedAt: START + 40, storedAt: START + 100, publishedAt: START + 100 });
  });

  test('stamps the publication after the write that it follows', async () => {
    const { engine, see, tick, clock, store } = testEngine();
    store.onWrite = () => clock.pass(200);
    await see(created({ receivedAt: START + 40 }));
    await engine.settled();
    store.onWrite = () => undefined;
    await tick();
    expect(recordOf(store)).toMatchObject({ storedAt: START + 300, publishedAt: START + 300 });
  });

  test('history loaded late has no times of first write and publication, since they would measure no latency', async () => {
    const { see, tick, store } = testEngine();
    await see(created({ at: START - 3_600_000, receivedAt: START - 3_600_000 }));
    await tick();
    await see(trade());
    await tick();
    expect(recordOf(store)).toMatchObject({ detectedAt: START - 3_600_000, storedAt: null, publishedAt: null });
  });

  test('measures the latency of live observations only, not that of backfilled ones', async () => {
    const { engine, see, tick } = testEngine();
    engine.queue.add([created({ at: START - 50_000, receivedAt: START - 50_000 })], 'backfill');
    await tick();
    expect(engine.latency()).toEqual({ p50: null, p99: null });
    await see(trade({ receivedAt: START + 100 }));
    expect(engine.latency().p99).toBeLessThanOrEqual(120);
    expect(engine.latency().p99).toBeGreaterThanOrEqual(100);
  });
});
