import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../common/time.ts';
import { createMemoryStore, fakeClock, testEngine } from '../testing/market.ts';
import { address, created, onChain, reservesWith, START, trade } from '../testing/observations.ts';
import type { MarketTick } from './market-feed.ts';

const SOL = 1_000_000_000;

/** Returns an engine whose ticks are collected while it is followed. */
function tested(options: Parameters<typeof testEngine>[0] = {}) {
  const market = testEngine(options);
  const ticks: MarketTick[] = [];
  return {
    ...market,
    ticks,
    follow: (from: number) => market.engine.follow(from, (tick) => ticks.push(tick)),
    /** Returns the changes since the last call. */
    taken: () => ticks.splice(0).flatMap(({ changes }) => changes),
  };
}

const typesOf = (changes: readonly { type: string }[]) => changes.map(({ type }) => type);

test('hands over a new token with its price, then every price of a tick in merged order, then its facts', async () => {
  const { see, follow, taken, clock } = tested();
  follow(START);
  await see(created());
  const first = taken();
  expect(typesOf(first)).toEqual(['token', 'price', 'facts']);
  expect(first[0]).toMatchObject({ token: { address: address(1), symbol: 'PEPE', isNew: true, source: 'solana' } });
  const deep = [10 * SOL, 2 * SOL, 10 * SOL].map(reservesWith);
  await see(...deep.map((reserves, i) => trade({ at: START + i, reserves, chain: onChain({ slot: 1_001 + i }) })));
  const prices = taken().flatMap((change) => (change.type === 'price' ? change.price : []));
  expect(prices.map(({ reserves }) => reserves)).toEqual(deep);
  expect(prices.map(({ liquidity }) => liquidity)).toEqual([10, 2, 10]);
  expect(prices.every(({ at }) => at <= clock.now() && at >= START)).toBe(true);
});

test('hands over every tick, also without changes, before it is stored', async () => {
  const { tick, follow, ticks, see, engine, store } = tested();
  const stored: number[] = [];
  engine.follow(START, () => stored.push(store.records.size));
  await see(created());
  expect(stored).toEqual([0]);
  follow(START);
  await tick();
  await tick();
  expect(ticks.map(({ changes }) => changes)).toEqual([[], []]);
});

test('hands over nothing of tokens that were detected before, or that were not new at their detection', async () => {
  const { see, follow, taken } = tested();
  await see(created());
  follow(START + MINUTE);
  await see(
    created({ address: address(2), receivedAt: START + MINUTE, at: START + MINUTE }),
    // A coin that was created long before its first trade was seen.
    trade({ address: address(3), receivedAt: START + MINUTE }),
    trade({ receivedAt: START + MINUTE }),
  );
  expect(new Set(taken().map((change) => addressOf(change)))).toEqual(new Set([address(2)]));
});

test('hands over tokens in memory when an earlier time is asked for, and marks that they had figures', async () => {
  const { see, follow, tick, ticks } = tested();
  await see(created(), trade());
  follow(START);
  await tick();
  expect(ticks[0]?.known).toEqual(new Set([address(1)]));
  expect(typesOf(ticks[0]?.changes ?? [])).toEqual(['token', 'price', 'facts']);
  ticks.length = 0;
  follow(START + HOUR);
  follow(START);
  await tick();
  expect(ticks[0]?.changes).toEqual([]);
});

test('marks a token that was loaded from the database', async () => {
  const store = createMemoryStore();
  const first = testEngine({ store });
  await first.see(created(), trade());
  const { see, follow, ticks } = tested({ store, clock: fakeClock(START + MINUTE) });
  follow(START);
  await see(trade({ at: START + MINUTE, chain: onChain({ slot: 2_000 }), reserves: reservesWith(3 * SOL) }));
  expect(ticks[0]?.known).toEqual(new Set([address(1)]));
});

test('hands over that a token was removed or evicted, once', async () => {
  const { engine, see, tick, follow, taken } = tested();
  follow(START);
  await see(created(), created({ address: address(2) }));
  taken();
  engine.evict(({ _id }) => _id === address(1));
  await tick();
  expect(taken()).toEqual([{ type: 'gone', address: address(1) }]);
  await tick(3 * HOUR);
  for (let ticks = 0; ticks < 20; ticks += 1) await tick();
  expect(taken().filter(({ type }) => type === 'gone')).toEqual([{ type: 'gone', address: address(2) }]);
});

test('ends with the subscription, and begins again with all tokens', async () => {
  const { engine, see, tick, follow, taken } = tested();
  follow(START);
  await see(created());
  engine.unfollow();
  taken();
  await see(trade());
  expect(taken()).toEqual([]);
  follow(START);
  await tick();
  expect(typesOf(taken())).toEqual(['token', 'price', 'facts']);
});

test('a failing listener does not harm the tick', async () => {
  const { engine, see, store } = tested();
  engine.follow(START, () => {
    throw new Error('broken');
  });
  await see(created());
  expect(store.records.size).toBe(1);
});

function addressOf(change: MarketTick['changes'][number]): string {
  if (change.type === 'token') return change.token.address;
  if (change.type === 'price') return change.price.address;
  return change.type === 'facts' ? change.facts.address : change.address;
}
