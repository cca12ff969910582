import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../common/time.ts';
import { RISK_RULES_VERSION } from '../../common/tokens/risk/score.ts';
import { presentDetail } from '../tokens/present.ts';
import { volumeUsd } from '../tokens/volume.ts';
import { type MemoryStore, recordOf, testEngine } from './testing/market.ts';
import { address, created, facts, rate, reservesWith, START, trade } from './testing/observations.ts';

const SOL = 1_000_000_000;
/** After some of these ticks, ms, time alone no longer changes the score. */
const SETTLING = 10_000;

describe('restart', () => {
  test('continues with the stored lists, ledgers, event ids and rate', async () => {
    const first = testEngine({ solUsd: null });
    const bought = trade({ wallet: 'a' });
    await first.see(rate(120), created(), bought, trade({ wallet: 'b' }));
    await first.tick();
    const second = testEngine({ store: first.store, clock: first.clock, solUsd: null });
    await second.engine.load();
    expect(second.engine.solUsd()?.rate).toBe(120);
    await second.see(bought, trade({ wallet: 'c' }));
    expect(recordOf(first.store)).toMatchObject({ buys: 3, holderCount: 3, complete: true });
    expect(second.events.map(({ event }) => event)).toEqual(['token-updates']);
  });

  test('the volume of 24 hours falls with its trades after an end within an hour', async () => {
    const first = testEngine({ solUsd: 100 });
    await first.see(created());
    for (let minute = 0; minute < 40; minute += 1) await first.see(trade({ at: START + minute * MINUTE }));
    const stored = recordOf(first.store);
    const [at5, at10, at30] = [5, 10, 30].map((minute) => volumeUsd(stored, START + DAY + minute * MINUTE));
    expect([at5, at10, at30]).toEqual([3_500, 3_000, 1_000]);
  });

  test('the holders are unknown once trades of the coin are no longer stored', async () => {
    const first = testEngine();
    const gone = trade({ wallet: 'a' });
    await first.see(created(), gone, trade({ wallet: 'b' }));
    await first.engine.close();
    first.store.trades.delete(`${gone.chain.signature}:${gone.chain.index}`);
    const second = testEngine({ store: first.store, clock: first.clock });
    await second.engine.load();
    await second.see(trade({ wallet: 'c' }));
    const record = recordOf(first.store);
    expect(record).toMatchObject({ complete: false, holderCount: null, buys: 3 });
    // The list of the holders is the one that was stored before.
    expect(record.topHolders.map(({ wallet }) => wallet)).toEqual(['a', 'b']);
    expect(presentDetail(record, null).holdersFrom).toBe('past-trades');
    // Accounts that are read afterwards replace it.
    await second.see(facts({ largestHolders: [{ wallet: 'd', amount: 1_000 }] }));
    expect(recordOf(first.store).topHolders.map(({ wallet }) => wallet)).toEqual(['d']);
    expect(presentDetail(recordOf(first.store), null).holdersFrom).toBe('accounts');
  });
});

describe('a flush before the next tick', () => {
  test('stores figures whose checkpoint is not due', async () => {
    const { engine, store, clock, see } = testEngine();
    await see(created(), trade({ wallet: 'a' }));
    engine.queue.add([trade({ wallet: 'b' })]);
    clock.pass(100);
    await engine.tick();
    await engine.settled();
    expect(recordOf(store).buys).toBe(1);
    const stored = engine.flushBeforeTick(1_000);
    await engine.tick();
    expect(await stored).toBe(true);
    expect(recordOf(store).buys).toBe(2);
  });
});

describe('numbers', () => {
  const numbersOf = ({ records }: MemoryStore) => [...records.values()].map(({ number }) => number);

  test('are given in the order of detection, and continue after the highest stored one', async () => {
    const first = testEngine();
    await first.see(created(), created({ address: address(2) }));
    const second = testEngine({ store: first.store, clock: first.clock });
    await second.engine.load();
    await second.see(trade(), created({ address: address(3) }));
    expect(numbersOf(first.store)).toEqual([1, 2, 3]);
    expect(second.events.at(0)).toMatchObject({ event: 'new-token', payload: { token: { number: 3 } } });
  });

  test('a token detected while the database is away gets its stored number back, and clients get it whole', async () => {
    const first = testEngine();
    await first.see(created(), trade());
    const second = testEngine({ store: first.store, clock: first.clock });
    await second.engine.load();
    // As after a long idle time.
    second.engine.evict(() => true);
    first.store.away = true;
    await second.see(created({ address: address(2) }), trade());
    first.store.away = false;
    for (let ticks = 0; ticks < 3; ticks += 1) await second.tick(3_000);
    const replaced = second.events.filter(({ event }) => event === 'new-token').at(-1);
    expect(replaced).toMatchObject({ payload: { token: { address: address(1), number: 1 } } });
    expect(recordOf(first.store).number).toBe(1);
  });
});

describe('scores of earlier rules', () => {
  test('are unknown after a restart until the token is scored, and then published even if they are the same', async () => {
    const first = testEngine();
    await first.see(created(), trade({ wallet: 'a' }));
    for (let ticks = 0; ticks < 20; ticks += 1) await first.tick(SETTLING);
    const record = recordOf(first.store);
    expect(record).toMatchObject({ riskScore: expect.any(Number), riskRulesVersion: RISK_RULES_VERSION });
    record.riskRulesVersion = RISK_RULES_VERSION - 1;
    const second = testEngine({ store: first.store, clock: first.clock });
    await second.engine.load();
    for (let ticks = 0; ticks < 20; ticks += 1) await second.tick();
    const patches = [expect.objectContaining({ scamProbability: record.riskScore, riskReason: record.riskReason })];
    expect(second.events).toContainEqual({ event: 'token-updates', payload: expect.objectContaining({ patches }) });
    expect(recordOf(first.store).riskRulesVersion).toBe(RISK_RULES_VERSION);
  });
});

describe('samples', () => {
  test('writes a full point with every tick that traded, and one point at the end of each minute and hour', async () => {
    const { see, tick, store } = testEngine();
    await see(created(), trade({ at: START + 1_000 }), trade({ at: START + 1_000 }));
    await see(trade({ at: START + 2_000, reserves: reservesWith(2 * SOL) }));
    expect(store.samples.map(({ grain, volumeLamports }) => [grain, volumeLamports])).toEqual([
      ['full', 2 * SOL],
      ['full', SOL],
    ]);
    await tick(60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(store.samples.at(-1)).toMatchObject({
      grain: 'minute',
      at: new Date(START + 60_000),
      volumeLamports: 3 * SOL,
      liquidityLamports: 2 * SOL,
      expiresAt: new Date(START + 60_000 + 8 * HOUR),
    });
    await tick(HOUR);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(store.samples.at(-1)).toMatchObject({ grain: 'hour', at: new Date(START + HOUR), volumeLamports: 3 * SOL });
    expect(store.samples).toHaveLength(4);
  });

  test('a minute and an hour keep their first, highest, lowest and last price, so that a spike is seen', async () => {
    const { see, tick, store } = testEngine();
    const at = (second: number, lamports: number) =>
      trade({ at: START + second * 1_000, reserves: reservesWith(lamports) });
    const priceAt = ({ virtualQuote, virtualToken }: ReturnType<typeof reservesWith>) =>
      virtualQuote / SOL / (virtualToken / 1e6);
    await see(created(), at(1, 2 * SOL), at(2, 25 * SOL), at(3, SOL), at(4, 2 * SOL));
    const range = {
      open: priceAt(reservesWith(2 * SOL)),
      high: priceAt(reservesWith(25 * SOL)),
      low: priceAt(reservesWith(SOL)),
      price: priceAt(reservesWith(2 * SOL)),
    };
    expect(store.samples).toMatchObject([{ grain: 'full', ...range }]);
    await tick(60_000);
    await see(at(70, 3 * SOL));
    await tick(HOUR);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    const last = priceAt(reservesWith(3 * SOL));
    expect(store.samples.filter(({ grain }) => grain !== 'full')).toMatchObject([
      { grain: 'minute', ...range },
      { grain: 'minute', open: last, high: last, low: last, price: last },
      { grain: 'hour', ...range, price: last },
    ]);
  });

  test('a replay with recorded times has the volume of its own day', async () => {
    const { see, tick, store } = testEngine({ solUsd: 100 });
    const begin = START - 100 * 24 * HOUR;
    const recorded = (minutes: number) => trade({ source: 'replay', at: begin + minutes * 60_000 });
    await see(created({ source: 'replay', at: begin }), recorded(1), recorded(2), recorded(61));
    for (let ticks = 0; ticks < 12; ticks += 1) await tick();
    expect(recordOf(store).volumeUsd).toBe(300);
    expect(store.samples.filter(({ grain }) => grain === 'hour')).toMatchObject([
      { at: new Date(begin + HOUR), volumeLamports: 2 * SOL },
      { at: new Date(begin + 2 * HOUR), volumeLamports: SOL },
    ]);
  });

  test('the volume of a shifted replay falls a day after its trades', async () => {
    const { see, tick, store } = testEngine({ solUsd: 100 });
    await see(created({ source: 'replay' }), trade({ source: 'replay' }));
    for (let ticks = 0; ticks < 12; ticks += 1) await tick();
    expect(recordOf(store).volumeUsd).toBe(100);
    await tick(DAY + HOUR);
    for (let ticks = 0; ticks < 12; ticks += 1) await tick();
    expect(recordOf(store).volumeUsd).toBe(0);
  });

  test('loaded history becomes one point for each of its minutes', async () => {
    const { see, store } = testEngine();
    const trades = [0, 1, 1, 5].map((minute, index) =>
      trade({ at: START - HOUR + minute * 60_000, reserves: reservesWith((index + 1) * SOL) }),
    );
    await see(created({ at: START - HOUR }), ...trades);
    expect(
      store.samples.map(({ grain, at, volumeLamports }) => [
        grain,
        (at.getTime() - START + HOUR) / 60_000,
        volumeLamports,
      ]),
    ).toEqual([
      ['minute', 1, SOL],
      ['minute', 2, 2 * SOL],
      ['minute', 6, SOL],
      ['hour', 60, 4 * SOL],
    ]);
    expect(recordOf(store).spark.map(({ at }) => at - START + HOUR)).toEqual([0, 60_000, 300_000]);
  });
});
