import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../common/time.ts';
import type { Observation } from '../sources/observation.ts';
import { createMemoryStore, fakeClock, type MemoryStore, recordOf, testEngine } from '../testing/market.ts';
import { address, created, firstBuy, onChain, rate, reservesWith, START, trade } from '../testing/observations.ts';

const SOL = 1_000_000_000;
const WALLETS = 7;

/** A rising coin: each trade continues the reserves of the one before. */
function chainedTrades(number: number, count: number, from = 0) {
  return Array.from({ length: count }, (_, index) => {
    const place = from + index + 1;
    const { tokenAmount } = firstBuy(SOL);
    return trade({
      address: address(number),
      at: START + place * 1_000,
      wallet: `wallet${place % WALLETS}`,
      quoteAmount: SOL,
      tokenAmount: place === 1 ? tokenAmount : tokenAmountOf(place),
      chain: onChain({ slot: 1_001 + place }),
      reserves: reservesWith(place * SOL),
    });
  });
}

function tokenAmountOf(place: number): number {
  return reservesWith((place - 1) * SOL).virtualToken - reservesWith(place * SOL).virtualToken;
}

/** Figures that follow from the trades alone. */
function figuresOf(store: MemoryStore, number: number) {
  const record = recordOf(store, number);
  const { buys, sells, price, reserves, liquidityLamports, volumeByHour, holderCount, topHolders, complete } = record;
  const { peakLiquidityLamports, lastTradeAt, lastSignature, marketCapUsd, volumeUsd, tradesMissed } = record;
  return {
    ...{ buys, sells, price, reserves, liquidityLamports, volumeByHour, holderCount, topHolders, complete },
    ...{ peakLiquidityLamports, lastTradeAt, lastSignature, marketCapUsd, volumeUsd, tradesMissed },
  };
}

/** The end of a coin's curve, which is a fact. */
const completed = (at: number): Observation => ({
  kind: 'completed',
  source: 'solana',
  at,
  receivedAt: at,
  chain: { signature: 'end of the curve', index: 0, slot: 1_900 },
  address: address(1),
});

/** Runs ticks without a stop: rows and checkpoints are written as they become due. */
async function tick({ engine, clock }: Pick<ReturnType<typeof testEngine>, 'engine' | 'clock'>, ms = 100) {
  clock.pass(ms);
  await engine.tick();
  await engine.settled();
}

/** Versions that were published, with the first price of each, by address. */
function versionsOf(events: ReturnType<typeof testEngine>['events']): Map<string, number> {
  const found = new Map<string, number>();
  for (const { event, payload } of events) {
    if (event === 'new-token') found.set(payload.token.address, payload.token.version);
    if (event !== 'token-updates') continue;
    for (const { address: of, version } of payload.patches) found.set(of, version);
  }
  return found;
}

/** The same coins and trades in a market that never crashed. */
async function expected(observations: Parameters<ReturnType<typeof testEngine>['see']>) {
  const whole = testEngine();
  await whole.see(created(), created({ address: address(2), chain: onChain({ slot: 1_000 }) }));
  for (const observation of observations) await whole.see(observation);
  await whole.tick(10_000);
  await whole.tick();
  return whole.store;
}

describe('a crash', () => {
  test('loses no figure of a trade that was published before its checkpoint', async () => {
    const parts = testEngine();
    await parts.see(created(), created({ address: address(2), chain: onChain({ slot: 1_000 }) }));
    const trades = chainedTrades(1, 5);
    for (const one of trades) {
      parts.engine.queue.add([one]);
      await tick(parts);
    }
    expect(recordOf(parts.store).buys).toBe(0);
    expect(versionsOf(parts.events).get(address(1))).toBeGreaterThan(1);
    const second = testEngine({ store: parts.store, clock: parts.clock });
    await second.engine.load();
    expect(recordOf(parts.store)).toMatchObject({ buys: 5, holderCount: 5, complete: true });
    expect(parts.store.trades.size).toBe(5);
    await second.tick(10_000);
    await second.tick();
    expect(figuresOf(parts.store, 1)).toEqual(figuresOf(await expected(trades), 1));
  });

  test('at each step of a write leaves the figures of all journaled trades, and no version is used twice', async () => {
    const first = chainedTrades(1, 14);
    const other = chainedTrades(2, 14);
    const observations = first.flatMap((one, index) => [one, ...(other[index] ? [other[index]] : [])]);
    let steps = 1;
    for (let isKilled = true; isKilled; steps += 1) {
      const store = createMemoryStore();
      const parts = testEngine({ store, clock: fakeClock() });
      await parts.see(created(), created({ address: address(2), chain: onChain({ slot: 1_000 }) }));
      store.stepsLeft = steps;
      let published = new Map<string, number>();
      // The process ends here: events after it do not count.
      store.onCrash = () => {
        published = versionsOf(parts.events);
      };
      for (let at = 0; at < observations.length && !store.away; at += 2) {
        parts.engine.queue.add(observations.slice(at, at + 2));
        await tick(parts, 400);
      }
      isKilled = store.away;
      Object.assign(store, { away: false, stepsLeft: Number.POSITIVE_INFINITY });
      const journaled = observations.filter(({ chain }) => isStored(store, chain.signature));
      if (!isKilled) published = versionsOf(parts.events);

      const second = testEngine({ store, clock: parts.clock });
      await second.engine.load();
      for (const { chain } of journaled) expect(store.trades.has(`${chain.signature}:0`)).toBe(true);
      const whole = await expected(journaled);
      await second.tick(10_000);
      await second.tick();
      for (const number of [1, 2]) expect(figuresOf(store, number), `step ${steps}`).toEqual(figuresOf(whole, number));
      for (const [of, version] of versionsOf(second.events)) expect(version).toBeGreaterThan(published.get(of) ?? 0);
    }
    expect(steps).toBeGreaterThan(30);
  });

  test('within the recovery is made good by the next start', async () => {
    const parts = testEngine();
    const trades = chainedTrades(1, 6);
    await parts.see(created());
    for (const one of trades) {
      parts.engine.queue.add([one]);
      await tick(parts);
    }
    const { store, clock } = parts;
    for (let steps = 0; steps < 8; steps += 1) {
      store.stepsLeft = steps;
      await testEngine({ store, clock })
        .engine.load()
        .catch(() => undefined);
      Object.assign(store, { away: false, stepsLeft: Number.POSITIVE_INFINITY });
    }
    const last = testEngine({ store, clock });
    await last.engine.load();
    expect(recordOf(store)).toMatchObject({ buys: 6, holderCount: 6 });
    expect(store.trades.size).toBe(6);
  });

  test('loses no figure when a checkpoint fails while the next facts of its token wait for it', async () => {
    const parts = testEngine();
    const { store, clock, engine } = parts;
    await parts.see(created());
    engine.queue.add(chainedTrades(1, 2));
    await tick(parts);
    const { write } = store;
    let fail: () => void = () => {};
    let isHeld = false;
    store.write = async (batch) => {
      if (isHeld || !batch.tokens.some((token) => 'set' in token && 'buys' in token.set)) return write(batch);
      isHeld = true;
      await new Promise<void>((resolve) => {
        fail = resolve;
      });
      throw new Error('no response in time');
    };
    for (let ticks = 0; ticks < 30 && !isHeld; ticks += 1) await tick(parts);
    expect(isHeld).toBe(true);
    engine.queue.add([completed(clock.now())]);
    clock.pass(100);
    await engine.tick();
    fail();
    await engine.settled();
    const second = testEngine({ store, clock });
    store.write = write;
    await second.engine.load();
    expect(recordOf(store)).toMatchObject({ buys: 2, holderCount: 2 });
  });

  test('loses no point of a minute whose token was written with new facts', async () => {
    const parts = testEngine();
    const { store, clock } = parts;
    const [first, second] = chainedTrades(1, 2).map((one, minute) => ({ ...one, at: START + minute * MINUTE }));
    if (!first || !second) throw new Error('two trades are needed');
    await parts.see(created(), first);
    clock.pass(MINUTE);
    parts.engine.queue.add([second, completed(clock.now())]);
    clock.pass(50);
    await parts.engine.tick();
    await parts.engine.settled();
    const next = testEngine({ store, clock });
    await next.engine.load();
    for (let minute = 0; minute < 3; minute += 1) await next.tick(MINUTE);
    const minutes = store.samples
      .filter(({ grain }) => grain === 'minute')
      .map(({ at }) => (at.getTime() - START) / MINUTE);
    expect(new Set(minutes)).toEqual(new Set([1, 2]));
  });

  test('uses no published version again of a token that had been idle for hours', async () => {
    const parts = testEngine();
    const { store, clock } = parts;
    const trades = chainedTrades(1, 4);
    await parts.see(created(), ...trades.slice(0, 1));
    await parts.engine.close();
    clock.pass(6 * HOUR);
    const second = testEngine({ store, clock });
    await second.engine.load();
    for (const [index, one] of trades.slice(1).entries()) {
      second.engine.queue.add([{ ...one, at: clock.now() }, rate(100 + index, { at: clock.now() })]);
      await tick(second);
    }
    const published = versionsOf(second.events).get(address(1)) ?? 0;
    expect(published).toBeGreaterThan(0);
    const third = testEngine({ store, clock });
    await third.engine.load();
    expect(recordOf(store).version).toBeGreaterThan(published);
  });

  test('does not bring back a removed token', async () => {
    const parts = testEngine();
    await parts.see(created());
    parts.engine.queue.add(chainedTrades(1, 3));
    await tick(parts);
    parts.store.records.delete(address(1));
    const second = testEngine({ store: parts.store, clock: parts.clock });
    await second.engine.load();
    expect([second.engine.size, parts.store.records.size, parts.store.trades.size]).toEqual([0, 0, 0]);
  });
});

/** Returns whether the journal or the stored trades have a trade. */
function isStored(store: MemoryStore, signature: string): boolean {
  if (store.trades.has(`${signature}:0`)) return true;
  return [...store.entries.values()].some(({ trades }) => trades.includes(`"${signature}"`));
}

describe('checkpoints', () => {
  test('of a token that trades all the time are at least two seconds apart, and the journal is deleted behind them', async () => {
    const parts = testEngine();
    await parts.see(created());
    const writes: number[] = [];
    const { write } = parts.store;
    parts.store.write = async (batch) => {
      if (batch.tokens.length > 0) writes.push(parts.clock.now());
      await write(batch);
    };
    for (const one of chainedTrades(1, 100)) {
      parts.engine.queue.add([one]);
      await tick(parts);
    }
    const gaps = writes.slice(1).map((at, index) => at - (writes[index] ?? 0));
    expect(writes.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
    expect(parts.store.entries.size).toBeLessThan(60);
  });

  test('a database that is slower than the market holds up the merge, and no trade is dropped', async () => {
    const parts = testEngine();
    await parts.see(created());
    const { write } = parts.store;
    let [isSlow, waiting] = [false, 0];
    parts.store.write = async (batch) => {
      // Many rounds of the event loop for each write of trades, and no time of the clock.
      const turns = isSlow && batch.trades.length > 0 ? 300 : 0;
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await write(batch);
    };
    isSlow = true;
    for (let round = 0; round < 18; round += 1) {
      parts.engine.queue.add(Array.from({ length: 2_000 }, () => trade()));
      await tick(parts, 50);
      waiting = Math.max(waiting, parts.engine.backlog());
    }
    expect(waiting).toBeGreaterThan(15_000);
    expect(waiting).toBeLessThan(25_000);
    isSlow = false;
    await parts.tick();
    expect([recordOf(parts.store).buys, parts.store.trades.size]).toEqual([36_000, 36_000]);
  });

  test('new facts are stored before they are published', async () => {
    const parts = testEngine();
    await parts.see(created());
    parts.engine.queue.add([trade({ reserves: reservesWith(SOL) })]);
    await tick(parts);
    const before = recordOf(parts.store).version;
    parts.engine.queue.add([
      { kind: 'completed', source: 'solana', at: START, receivedAt: START, chain: onChain(), address: address(1) },
    ]);
    await tick(parts);
    expect(recordOf(parts.store)).toMatchObject({ stage: 'complete', buys: 1 });
    expect(recordOf(parts.store).version).toBeGreaterThan(before);
  });
});
