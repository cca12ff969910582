import { describe, expect, test } from 'vitest';
import { feedEvents } from '../../common/live/events.ts';
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
const HOUR = 3_600_000;

describe('lists', () => {
  async function withRunner() {
    const made = testEngine();
    await made.see(created());
    const buys = Array.from({ length: 12 }, (_, buy) =>
      trade({ wallet: `wallet${buy}`, at: START + 1_000 * buy, reserves: reservesWith((buy + 1) * SOL) }),
    );
    await made.see(...buys);
    for (let ticks = 0; ticks < 60; ticks += 1) await made.tick();
    return made;
  }

  test('a token with momentum enters the runners, and is told so after its update [S4-06]', async () => {
    const { events, store } = await withRunner();
    expect(recordOf(store)).toMatchObject({ runner: true });
    const entered = events.findIndex(({ event }) => event === 'runner');
    expect(events[entered]).toMatchObject({ payload: { active: true, token: { address: address(1), runner: true } } });
    expect(events[entered - 1]).toMatchObject({ event: 'token-updates', payload: { patches: [{ runner: true }] } });
  });

  test('it leaves the runners by the mere passing of time [S4-06]', async () => {
    const { events, tick, store } = await withRunner();
    await tick(6 * 60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(events.at(-1)).toMatchObject({ event: 'runner', payload: { active: false, token: { runner: false } } });
    expect(recordOf(store)).toMatchObject({ runner: false, growthScore: 0 });
  });

  test('a token enters Might Run when it is an hour old, and leaves when it is two, without any news [S4-08]', async () => {
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
  test('every event keeps its contract', async () => {
    const { see, tick, events } = testEngine();
    await see(created(), trade(), created({ address: address(2), name: '', symbol: '', chain: onChain() }));
    await see(trade({ address: address(2) }), trade({ address: address(3), quote: 'other' }), migrated());
    await tick(6_000);
    expect(events.length).toBeGreaterThan(3);
    for (const [index, { event, payload }] of events.entries()) {
      expect(feedEvents[event].parse({ seq: index + 1, ...payload })).toBeTruthy();
    }
  });

  test('new tokens come first, then updates, and a token that changed often is one patch', async () => {
    const { see, events } = testEngine();
    await see(created());
    await see(trade(), created({ address: address(2) }), trade(), trade());
    expect(events.map(({ event }) => event)).toEqual(['new-token', 'new-token', 'token-updates']);
    expect(events[2]).toMatchObject({ payload: { at: START + 200, patches: [{ address: address(1), version: 4 }] } });
  });

  test('nothing is published before it is stored', async () => {
    const made = testEngine();
    let open = () => {};
    made.store.gate = new Promise((resolve) => {
      open = resolve;
    });
    made.engine.observe([created()]);
    const tick = made.engine.tick();
    const stored = new Promise<number>((resolve) => {
      made.store.onWrite = () => resolve(made.events.length);
    });
    expect(made.events).toEqual([]);
    open();
    expect(await stored).toBe(0);
    await tick;
    await made.engine.settled();
    expect(made.events).toHaveLength(1);
    expect(made.engine.stored()).toEqual({ epoch: 'test', seq: 1 });
  });

  test('while the database is away the feed goes on, and all of it is stored when it is back', async () => {
    const { see, tick, store, events, engine } = testEngine();
    await see(created());
    const stored = engine.stored();
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
    expect(engine.stored()).toEqual(stored);
    store.away = false;
    await tick(3_000);
    await tick(100);
    await tick(100);
    expect(store.records.size).toBe(3);
    const told = events.flatMap((event) => (event.event === 'token-updates' ? event.payload.patches : []));
    const newest = told.filter((patch) => patch.address === address(1)).at(-1);
    expect(recordOf(store)).toMatchObject({ buys: 2, version: newest?.version });
    expect(store.trades.size).toBe(4);
    expect(engine.idle).toBe(true);
    expect(engine.stored()).toEqual({ epoch: 'test', seq: events.length });
  });

  test('a token that MongoDB knew, first heard of again while it was away, keeps both its pasts', async () => {
    const first = testEngine();
    await first.see(created(), trade(), trade({ wallet: 'other' }));
    await first.tick();
    const { store, clock } = first;
    // An hour-old token that no list needs is not in memory after a start.
    const kept = { ...(await store.kept()), tokens: [] };
    store.kept = () => Promise.resolve(kept);
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
    await second.see(trade({ wallet: 'fourth' }));
    expect(recordOf(store)).toMatchObject({ complete: true, holderCount: 4, buys: 4 });
  });

  test('trades and risk are told to those who look at the token, and to nobody else', async () => {
    const { see, publisher } = testEngine();
    await see(created(), trade());
    expect(publisher.sent).toEqual([]);
    publisher.heard.add(`token:${address(1)}`);
    await see(trade({ side: 'sell', tokenAmount: 2_000_000, quoteAmount: SOL / 4 }), trade({ address: address(2) }));
    await see(facts({ freezeAuthority: 'live' }, { at: START + 5_000 }));
    expect(publisher.sent.map(({ event, room }) => [event, room])).toContainEqual([
      'token-trades',
      `token:${address(1)}`,
    ]);
    expect(publisher.sent[0]?.payload).toMatchObject({ trades: [{ side: 'sell', tokens: 2, sol: 0.25 }] });
    expect(publisher.sent.every(({ room }) => room === `token:${address(1)}`)).toBe(true);
  });

  test('the times received, stored and published are kept', async () => {
    const { see, tick, store } = testEngine();
    await see(created({ receivedAt: START + 40 }));
    await tick();
    expect(recordOf(store)).toMatchObject({ detectedAt: START + 40, storedAt: START + 100, publishedAt: START + 100 });
  });

  test('history that is handed in later has no times stored and published: they would tell of no delay', async () => {
    const { see, tick, store } = testEngine();
    await see(created({ at: START - 3_600_000, receivedAt: START - 3_600_000 }));
    await tick();
    await see(trade());
    await tick();
    expect(recordOf(store)).toMatchObject({ detectedAt: START - 3_600_000, storedAt: null, publishedAt: null });
  });
});
