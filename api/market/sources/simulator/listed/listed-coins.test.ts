import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../../../common/time.ts';
import {
  afterCurveTrade,
  CURVE_FEES_BPS,
  curvePurchase,
  quoteForSale,
} from '../../../../../common/tokens/curve-trades.ts';
import { PRESENT } from '../../../testing/simulated-market.ts';
import type { Observation, Reserves, TradeObservation } from '../../observation.ts';
import { worldWithPast } from '../history.ts';
import { seededRandom } from '../random.ts';
import type { ChainEvent, CoinChain, CoinToList, CrowdOrder, FollowedCoin, Listing } from './coin-chain.ts';
import { createListedCoins } from './listed-coins.ts';

/** A chain that trades by the same maths at once; the test decides when its events arrive. */
function fakeChain() {
  const coins = new Map<string, { creator: string; reserves: Reserves }>();
  let events: ChainEvent[] = [];
  let onEvents: (events: readonly ChainEvent[]) => void = () => undefined;
  let count = 0;
  let isAway = false;
  let losesResponse = false;
  let followed: () => FollowedCoin[] = () => [];
  const chain = {
    leave(): void {
      isAway = true;
    },
    /** Lists coins from now on, but its responses are lost. */
    loseResponses(loses: boolean): void {
      losesResponse = loses;
    },
    followed: () => followed(),
    orders: [] as CrowdOrder[],
    coins,
    trade(
      { address, side, wallet, amount }: Omit<CrowdOrder, 'creator'>,
      at: number,
      isCrowd = false,
    ): TradeObservation {
      const coin = coins.get(address) ?? expect.fail('not listed');
      const { reserves } = coin;
      const bought = side === 'buy' ? curvePurchase(reserves, amount, CURVE_FEES_BPS) : null;
      const [quoteAmount, tokenAmount] = bought
        ? [bought.quote, bought.tokens]
        : [quoteForSale(reserves, amount), amount];
      coin.reserves = afterCurveTrade(reserves, side, quoteAmount, tokenAmount);
      count += 1;
      const observation: TradeObservation = {
        kind: 'trade',
        source: 'solana',
        at: at - (at % 1_000),
        receivedAt: at,
        chain: { signature: `signature${count}`, index: 0, slot: count },
        ...{ address, side, wallet, quote: 'SOL', quoteAmount, tokenAmount, reserves: { ...coin.reserves } },
        ...{ creator: coin.creator, launchpad: 'pump.fun', cluster: 'local', venue: 'curve' },
      };
      events.push({ observation, isCrowd });
      return observation;
    },
    flush(): void {
      const waiting = events;
      events = [];
      onEvents(waiting);
    },
    port: {
      listed: async () => [...coins.keys()],
      async list({ address, creator, reserves }: CoinToList): Promise<Listing> {
        if (isAway) return { ok: false, code: 'node-away' };
        const there = coins.get(address);
        if (!there) coins.set(address, { creator, reserves: { ...reserves } });
        if (losesResponse) return { ok: false, code: 'node-away' };
        return { ok: true, reserves: there?.reserves ?? reserves, isNew: !there };
      },
      async trade(order: CrowdOrder) {
        chain.orders.push(order);
        return true;
      },
      missed: async () => [],
      follow(handlers) {
        onEvents = handlers.onEvents;
        followed = handlers.coins;
        return () => undefined;
      },
    } satisfies CoinChain,
  };
  return chain;
}

const STEP = 1_000;

/** A simulated market without a past, whose coins can be listed on a fake chain. */
function simulation(seed = 'listed') {
  const chain = fakeChain();
  const clock = { at: PRESENT, now: () => clock.at };
  const world = worldWithPast({ random: seededRandom(seed), from: PRESENT, present: PRESENT, rate: 20, solUsd: 150 });
  const listed = createListedCoins({ chain: chain.port, random: seededRandom('crowd'), clock });
  const observations: Observation[] = [];
  const context = { observe: (some: readonly Observation[]) => void observations.push(...some) };
  listed.start({ world, context, stored: [], now: PRESENT });
  return {
    chain,
    clock,
    listed,
    observations,
    /** Lets time pass; the chain makes every trade of the crowd at once. */
    pass(ms: number) {
      for (const end = clock.at + ms; clock.at < end; ) {
        clock.at += STEP;
        context.observe(world.advance(clock.at, clock.at));
        listed.advance(clock.at);
        for (const order of chain.orders.splice(0)) chain.trade(order, clock.at, true);
        chain.flush();
      }
    },
    trades: (address: string) => observations.filter((one) => one.kind === 'trade' && one.address === address),
    /** Returns the coin with the most trades in the last minute, as it was launched. */
    busiest(): CoinToList {
      const counts = new Map<string, number>();
      for (const one of observations) {
        if (one.kind !== 'trade' || one.quote !== 'SOL' || one.at < clock.at - MINUTE) continue;
        if (one.reserves.realToken > 500_000_000_000_000) counts.set(one.address, (counts.get(one.address) ?? 0) + 1);
      }
      const [address] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? expect.fail('no trades');
      const created = observations.find((one) => one.kind === 'created' && one.address === address);
      if (created?.kind !== 'created') return expect.fail('no creation');
      return { address, creator: created.creator, createdAt: created.at, reserves: created.reserves };
    },
  };
}

const isTrade = (one: Observation): one is TradeObservation => one.kind === 'trade';

describe('a listed coin', () => {
  test('leaves the events of all other coins as they are with the same seed', async () => {
    const [plain, other] = [simulation(), simulation()];
    for (const market of [plain, other]) market.pass(6 * MINUTE);
    const coin = other.busiest();
    expect(await other.listed.ensure(coin)).toBeNull();
    for (const market of [plain, other]) market.pass(10 * MINUTE);
    const without = ({ observations }: typeof plain) =>
      observations.filter((one) => !('address' in one && one.address === coin.address));
    expect(without(other)).toEqual(without(plain));
    expect(plain.trades(coin.address).length).toBeGreaterThan(0);
    expect(other.trades(coin.address)).not.toEqual(plain.trades(coin.address));
  });

  test('is listed with its newest reserves and trades from there without a gap', async () => {
    const { listed, pass, busiest, chain, trades } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    const before = trades(coin.address).filter(isTrade).at(-1) ?? expect.fail();
    const both = [listed.ensure(coin), listed.ensure(coin)];
    expect(await Promise.all(both)).toEqual([null, null]);
    expect(chain.coins.get(coin.address)?.reserves).toEqual(before.reserves);
    pass(10 * MINUTE);
    const after = trades(coin.address)
      .filter(isTrade)
      .filter(({ cluster }) => cluster === 'local');
    expect(after.length).toBeGreaterThan(2);
    let [{ reserves }, { at, chain: place }] = [before, before];
    for (const trade of after) {
      const { side, quoteAmount, tokenAmount } = trade;
      expect(trade.reserves).toEqual(afterCurveTrade(reserves, side, quoteAmount, tokenAmount));
      expect(trade).toMatchObject({ source: 'simulator', launchpad: 'simulator' });
      expect(trade.at).toBeGreaterThanOrEqual(at);
      expect(trade.chain.slot ?? 0).toBeGreaterThanOrEqual(place.slot ?? 0);
      ({ reserves, at, chain: place } = trade);
    }
  });

  test('is sold by simulated wallets that hold it only, never by one outside', async () => {
    const { listed, pass, busiest, chain, trades, clock } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    const held = new Map<string, number>();
    await listed.ensure(coin);
    chain.trade({ address: coin.address, side: 'buy', wallet: 'outside', amount: 2_000_000_000 }, clock.at);
    chain.flush();
    pass(10 * MINUTE);
    for (const { wallet, side, tokenAmount } of trades(coin.address).filter(isTrade)) {
      held.set(wallet, (held.get(wallet) ?? 0) + (side === 'buy' ? tokenAmount : -tokenAmount));
      expect(held.get(wallet)).toBeGreaterThanOrEqual(0);
    }
    expect(held.get('outside')).toBeGreaterThan(0);
  });

  test('is traded soon after a trade from outside, also when it was silent', async () => {
    const { listed, pass, observations, chain, trades, clock } = simulation();
    pass(20 * MINUTE);
    const isSilent = (address: string): boolean => {
      const last = trades(address).filter(isTrade).at(-1);
      return last !== undefined && last.reserves.realToken > 0 && last.at < clock.at - 10 * MINUTE;
    };
    const silent = observations.find((one) => one.kind === 'created' && one.quote === 'SOL' && isSilent(one.address));
    if (silent?.kind !== 'created') return expect.fail('no silent coin');
    const { address, creator, at: createdAt, reserves } = silent;
    expect(await listed.ensure({ address, creator, createdAt, reserves })).toBeNull();
    const before = trades(address).length;
    chain.trade({ address, side: 'buy', wallet: 'outside', amount: 1_000_000_000 }, clock.at);
    pass(15_000);
    expect(trades(address).length).toBeGreaterThan(before + 1);
  });

  test('goes on as before when the chain does not list it', async () => {
    const [plain, other] = [simulation(), simulation()];
    for (const market of [plain, other]) market.pass(6 * MINUTE);
    const coin = other.busiest();
    other.chain.leave();
    const listing = other.listed.ensure(coin);
    for (const market of [plain, other]) market.pass(MINUTE);
    expect(await listing).toBe('node-away');
    for (const market of [plain, other]) market.pass(MINUTE);
    const timeless = (trades: readonly Observation[]) => trades.map((one) => ({ ...one, receivedAt: 0 }));
    expect(timeless(other.trades(coin.address))).toEqual(timeless(plain.trades(coin.address)));
  });

  test('is followed from its reserves on the chain when it was listed before, unheard', async () => {
    const { listed, pass, busiest, chain, observations, trades } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    chain.loseResponses(true);
    expect(await listed.ensure(coin)).toBe('node-away');
    expect(listed.has(coin.address)).toBe(false);
    pass(2 * MINUTE);
    chain.loseResponses(false);
    const there = chain.coins.get(coin.address)?.reserves;
    expect(trades(coin.address).filter(isTrade).at(-1)?.reserves).not.toEqual(there);
    expect(await listed.ensure(coin)).toBeNull();
    expect(listed.has(coin.address)).toBe(true);
    expect(chain.followed()).toMatchObject([{ address: coin.address, reserves: there }]);
    const last = observations.findLast((one) => 'reserves' in one && one.address === coin.address);
    expect(last).toMatchObject({ kind: 'reserves', source: 'simulator', venue: 'curve', reserves: there });
  });

  test('is never sold out by simulated wallets', async () => {
    const { listed, pass, busiest, chain, clock } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    await listed.ensure(coin);
    const amount = 84_000_000_000 - (chain.coins.get(coin.address)?.reserves.realQuote ?? 0);
    chain.trade({ address: coin.address, side: 'buy', wallet: 'outside', amount }, clock.at);
    pass(20 * MINUTE);
    expect(chain.coins.get(coin.address)?.reserves.realToken).toBeGreaterThan(0);
  });

  test('is forgotten with all tokens', async () => {
    const { listed, pass, busiest, chain, trades, clock } = simulation();
    pass(6 * MINUTE);
    const coin = busiest();
    await listed.ensure(coin);
    const before = trades(coin.address).length;
    listed.clear();
    chain.trade({ address: coin.address, side: 'buy', wallet: 'outside', amount: 1_000_000_000 }, clock.at);
    pass(MINUTE);
    expect(trades(coin.address).length).toBe(before);
  });
});
