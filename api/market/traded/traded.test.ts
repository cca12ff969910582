import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../common/time.ts';
import { createMemoryStore, fakeClock, recordOf, testEngine } from '../testing/market.ts';
import { address, created, onChain, rate, reservesWith, START, startReserves, trade } from '../testing/observations.ts';
import { createLiveToken, freshRecord } from '../token/state/live-token.ts';
import { createLiveTokens, MAX_LIVE } from '../token/state/live-tokens.ts';
import type { MarketMove } from './price-steps.ts';
import { tradedCoin } from './traded-coin.ts';

const SOL = 1_000_000_000;

/** Returns an engine with the moves that its listener received. */
function followed(options: Parameters<typeof testEngine>[0] = {}) {
  const tested = testEngine(options);
  const moves: MarketMove[] = [];
  const unsubscribe = tested.engine.onMoved((move) => moves.push(move));
  return { ...tested, moves, unsubscribe };
}

describe('price steps', () => {
  test('contain every price of a tick in merged order, also one that recovers within it', async () => {
    const { engine, see, moves, clock } = followed();
    await see(created());
    engine.pin(address(1));
    const deep = [10 * SOL, 2 * SOL, 10 * SOL].map(reservesWith);
    await see(...deep.map((reserves, i) => trade({ at: START + i, reserves, chain: onChain({ slot: 1_001 + i }) })));
    expect(moves).toHaveLength(1);
    expect(moves[0]?.now).toBe(clock.now());
    expect(moves[0]?.steps.map(({ reserves }) => reserves)).toEqual(deep);
    const prices = moves[0]?.steps.map(({ price }) => price) ?? [];
    expect(prices[1]).toBeLessThan(prices[0] ?? 0);
    expect(prices[2]).toBe(prices[0]);
  });

  test('are reported before the tick is stored', async () => {
    const { engine, see, store } = followed();
    await see(created());
    engine.pin(address(1));
    const stored: (number | undefined)[] = [];
    engine.onMoved(() => stored.push(store.records.get(address(1))?.buys));
    await see(trade());
    expect(stored).toEqual([0]);
    expect(recordOf(store).buys).toBe(1);
  });

  test('are of pinned tokens only, until they are unpinned as often as they were pinned', async () => {
    const { engine, see, moves } = followed();
    const traded = (number: number, lamports: number) =>
      trade({ address: address(number), reserves: reservesWith(lamports) });
    await see(created(), created({ address: address(2) }));
    engine.pin(address(1));
    engine.pin(address(1));
    await see(traded(1, SOL), traded(2, SOL));
    engine.unpin(address(1));
    await see(traded(1, 2 * SOL));
    engine.unpin(address(1));
    engine.unpin(address(1));
    await see(traded(1, 3 * SOL));
    expect(moves.map(({ steps }) => steps.map((step) => step.address))).toEqual([[address(1)], [address(1)]]);
  });

  test('have the time at which the market learned of them, which never goes back', async () => {
    const { engine, see, moves } = followed();
    await see(created());
    engine.pin(address(1));
    // The first claims a time in the future, the second one before it.
    await see(trade({ receivedAt: START + HOUR }), trade({ receivedAt: START, reserves: reservesWith(2 * SOL) }));
    const steps = moves[0]?.steps ?? [];
    expect(steps).toHaveLength(2);
    expect(steps.map(({ at }) => at)).toEqual([moves[0]?.now, moves[0]?.now]);
  });

  test('leave out a late trade, whose price is not in force any more', async () => {
    const { engine, see, moves } = followed();
    await see(created(), trade({ chain: onChain({ slot: 1_005 }), reserves: reservesWith(5 * SOL) }));
    engine.pin(address(1));
    await see(trade({ chain: onChain({ slot: 1_004 }), reserves: reservesWith(SOL) }));
    expect(moves).toEqual([]);
  });

  test('contain the price that a new rate makes of a coin in dollars, without a trade', async () => {
    const { engine, see, tick, moves } = followed({ solUsd: null });
    await see(rate(100), created({ quote: 'USDC' }));
    engine.pin(address(1));
    const before = engine.live(address(1))?.record.price ?? 0;
    await see(rate(200));
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(moves.flatMap(({ steps }) => steps.map(({ price }) => price))).toEqual([before / 2]);
  });

  test('a failing listener harms neither the tick nor the others', async () => {
    const { engine, see, store } = testEngine();
    const moves: MarketMove[] = [];
    await see(created());
    engine.onMoved(() => {
      throw new Error('broken');
    });
    engine.onMoved((move) => moves.push(move));
    engine.pin(address(1));
    await see(trade());
    expect(moves).toHaveLength(1);
    expect(recordOf(store).buys).toBe(1);
  });

  test('end with the subscription', async () => {
    const { engine, see, moves, unsubscribe } = followed();
    await see(created());
    engine.pin(address(1));
    unsubscribe();
    await see(trade());
    expect(moves).toEqual([]);
  });
});

describe('the recent steps of a pinned token', () => {
  test('begin with the price at which it was pinned, and end with its last pin', async () => {
    const { engine, see, clock } = followed();
    await see(created());
    expect(engine.stepAt(address(1), clock.now())).toBeNull();
    engine.pin(address(1));
    const pinned = engine.stepAt(address(1), clock.now());
    expect(pinned?.price).toBe(engine.live(address(1))?.record.price);
    await see(trade({ receivedAt: START + HOUR, reserves: reservesWith(2 * SOL) }));
    expect(engine.stepsSince(address(1), pinned?.at ?? 0).map(({ reserves }) => reserves)).toEqual([
      reservesWith(2 * SOL),
    ]);
    engine.unpin(address(1));
    expect(engine.stepAt(address(1), clock.now())).toBeNull();
  });

  test('tell the reserves in force at each time, which later observations do not change [T-29]', async () => {
    const { engine, see, tick } = followed();
    await see(created());
    engine.pin(address(1));
    await see(trade({ receivedAt: START + 1, reserves: reservesWith(2 * SOL) }));
    const merged = engine.tickedAt ?? expect.fail();
    expect([engine.hasMerged(merged - 1), engine.hasMerged(merged)]).toEqual([true, false]);
    const before = engine.stepAt(address(1), merged - 1);
    // Received long ago, and merged only now: a time that was merged before stays as it was.
    await see(trade({ receivedAt: START, reserves: reservesWith(5 * SOL) }));
    expect(engine.stepAt(address(1), merged - 1)).toBe(before);
    expect(engine.stepAt(address(1), engine.tickedAt ?? 0)?.reserves).toEqual(reservesWith(5 * SOL));
    await tick();
    expect(engine.hasMerged(merged)).toBe(true);
  });

  test('are kept for a token that is loaded after it was pinned', async () => {
    const store = createMemoryStore();
    const first = testEngine({ store });
    await first.see(created(), trade({ reserves: reservesWith(3 * SOL) }));
    const { engine, tick, clock } = testEngine({ store, clock: fakeClock(START + 5 * HOUR) });
    engine.pin(address(1));
    await tick();
    expect(engine.stepAt(address(1), clock.now())?.reserves).toEqual(reservesWith(3 * SOL));
  });
});

describe('pinned tokens', () => {
  const ended = { at: START - 5 * HOUR, receivedAt: START - 5 * HOUR };

  test('stay in memory when idle; others are evicted', async () => {
    const { engine, see, tick } = testEngine();
    await see(created(ended), created({ address: address(2), ...ended }));
    engine.pin(address(1));
    await tick(31 * MINUTE);
    for (let ticks = 0; ticks < 20; ticks += 1) await tick();
    expect([engine.has(address(1)), engine.has(address(2))]).toEqual([true, false]);
    engine.unpin(address(1));
    for (let ticks = 0; ticks < 20; ticks += 1) await tick();
    expect(engine.has(address(1))).toBe(false);
  });

  test('stay in memory beyond its bound', () => {
    const tokens = createLiveTokens();
    tokens.pin('coin0');
    for (let i = 0; i <= MAX_LIVE; i += 1) {
      const first = { source: 'solana', launchpad: 'pump.fun', cluster: 'mainnet', quote: 'SOL' } as const;
      const record = freshRecord({ ...first, address: `coin${i}`, receivedAt: START }, i + 1, START);
      tokens.add(createLiveToken(record, true, START));
    }
    tokens.trim();
    expect(tokens.size).toBeLessThan(MAX_LIVE);
    expect(tokens.get('coin0')).toBeDefined();
    expect(tokens.get('coin1')).toBeUndefined();
  });

  test('are loaded with the next tick, once the database can be read', async () => {
    const store = createMemoryStore();
    const first = testEngine({ store });
    await first.see(created(), trade());
    const clock = fakeClock(START + 5 * HOUR);
    const { engine, tick } = testEngine({ store, clock });
    store.away = true;
    engine.pin(address(1));
    await tick();
    expect(engine.has(address(1))).toBe(false);
    store.away = false;
    await tick();
    expect(engine.live(address(1))?.record.name).toBe('Pepe Coin');
    expect(engine.live(address(1))?.pin).not.toBeNull();
  });

  test('stay removed, whether pinned before or after the removal', async () => {
    const { engine, see, tick } = testEngine();
    await see(created());
    engine.pin(address(1));
    engine.queue.block([address(1)]);
    engine.evict(({ _id }) => _id === address(1));
    engine.pin(address(1));
    await tick();
    await see(trade());
    expect(engine.has(address(1))).toBe(false);
  });

  test('are polled first', async () => {
    const { engine, see } = testEngine();
    await see(created(), created({ address: address(2) }), trade({ address: address(2), at: START + 1_000 }));
    expect(engine.pollCandidates(2)).toEqual([address(2), address(1)]);
    engine.pin(address(1));
    expect(engine.pollCandidates(2)).toEqual([address(1), address(2)]);
  });
});

describe('the view of a token', () => {
  test('has exact reserves with slot, time and the source that reported them', async () => {
    const { engine, see } = testEngine();
    const reserves = reservesWith(SOL);
    await see(created(), trade({ at: START + 400, reserves, chain: onChain({ slot: 1_002 }) }));
    const live = engine.live(address(1));
    if (live === undefined) throw new Error('not in memory');
    const asked: string[] = [];
    const coin = tradedCoin(live, (source) => asked.push(source) > 0);
    expect(coin).toMatchObject({
      address: address(1),
      name: 'Pepe Coin',
      symbol: 'PEPE',
      decimals: 6,
      totalSupply: '1000000000000000',
      stage: 'curve',
      quote: 'SOL',
      cluster: 'mainnet',
      launchpad: 'pump.fun',
      detectedBy: 'solana',
      creator: 'creator',
      mayhem: false,
      reserves,
      reservesVenue: 'curve',
      areReservesExact: true,
      reservesSlot: 1_002,
      reservesAt: START + 400,
      liquidityLamports: SOL,
      lastTradeAt: START + 400,
      isLive: true,
    });
    expect(asked).toEqual(['solana']);
    expect(coin.reserves).not.toBe(live.record.reserves);
  });

  test('names the wallet that earns the creator fees since a change', async () => {
    const { engine, see } = testEngine();
    await see(created(), {
      kind: 'creator-changed',
      source: 'solana',
      at: START,
      receivedAt: START,
      chain: onChain(),
      address: address(1),
      previous: 'creator',
      creator: 'successor',
    });
    const live = engine.live(address(1));
    if (live === undefined) throw new Error('not in memory');
    expect(tradedCoin(live, () => true).creator).toBe('successor');
  });

  test('has no exact reserves of a launchpad that does not report them to the unit, nor unknown ones', () => {
    const first = { address: address(1), source: 'launchlab', cluster: 'mainnet', quote: 'SOL' } as const;
    const record = freshRecord({ ...first, launchpad: 'letsbonk.fun', receivedAt: START }, 1, START);
    const unknown = tradedCoin(createLiveToken({ ...record }, true, START), () => false);
    expect(unknown).toMatchObject({ reserves: null, areReservesExact: false, reservesAt: null, isLive: false });
    const known = createLiveToken({ ...record, reserves: startReserves() }, true, START);
    expect(tradedCoin(known, () => false)).toMatchObject({ areReservesExact: false, reservesAt: START });
  });
});
