import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../../common/time.ts';
import { isMightRun } from '../../../../common/tokens/lists.ts';
import { addressSchema } from '../../../../common/tokens/model.ts';
import { created, hourOf, PRESENT, share, simulateMarket, trades } from '../../testing/simulated-market.ts';
import type { CreatedObservation, Observation, Reserves, TradeObservation } from '../observation.ts';
import { TOTAL_SUPPLY } from './coin/curve.ts';
import { HISTORY_SPAN } from './history.ts';
import type { MarketShape } from './world/world.ts';

/** Returns the observations of a simulated market in time order. */
function history(options: Parameters<typeof simulateMarket>[0] = {}): Observation[] {
  return simulateMarket(options).all;
}

describe('the same seed gives the same market', () => {
  const span = HOUR / 4;
  const one = history({ span });

  test('observation by observation', () => {
    expect(one.length).toBeGreaterThan(500);
    expect(history({ span })).toEqual(one);
  });

  test('differs for another seed', () => {
    expect(created(history({ span, seed: 'other' }))[0]?.address).not.toBe(created(one)[0]?.address);
  });
});

describe('the history of a first start', () => {
  const all = history();

  test('is in time order, received as it happened, of a bounded size', () => {
    expect(all.every((one, i) => one.at >= (all[i - 1]?.at ?? 0) && one.receivedAt === one.at)).toBe(true);
    expect(all.length).toBeGreaterThan(15_000);
    expect(all.length).toBeLessThan(40_000);
    expect(all[0]?.at).toBeGreaterThanOrEqual(PRESENT - HISTORY_SPAN);
    expect(all.at(-1)?.at).toBeLessThanOrEqual(PRESENT);
  });

  test('names the simulator as the source of every simulated token, on no chain [S3-10]', () => {
    expect(all.every((one) => one.source === 'simulator')).toBe(true);
    const events = [...created(all), ...trades(all)];
    expect(events.filter((one) => one.launchpad !== 'simulator' || one.cluster !== null)).toEqual([]);
  });

  test('has coins of all ages, from minutes to hours', () => {
    const ages = created(all).map((coin) => PRESENT - coin.at);
    expect(ages.length).toBeGreaterThan(300);
    for (const [from, to] of [
      [0, 5 * MINUTE],
      [5 * MINUTE, HOUR],
      [HOUR, 2 * HOUR],
      [2 * HOUR, 5 * HOUR],
      [5 * HOUR, 8 * HOUR],
    ] as const) {
      expect(ages.filter((age) => age >= from && age < to).length).toBeGreaterThan(10);
    }
  });

  test.each([null, 40, 90, 600])('has might-run tokens at the present, with a configured rate of %s too', (solUsd) => {
    expect(mightRun(solUsd === null ? all : history({ solUsd }), PRESENT).length).toBeGreaterThanOrEqual(3);
  });

  test('has coins that climb in their first hour', () => {
    const rising = [...lastTrades(all).values()].filter(
      (trade) => trade.quote === 'SOL' && marketCapSol(trade.reserves) > 50 && trade.at > PRESENT - 5 * MINUTE,
    );
    expect(rising.length).toBeGreaterThan(5);
  });

  test('is thinned, never beyond the configured rate', () => {
    expect(created(history({ rate: 0.2 })).length).toBeLessThan(0.2 * 60 * 8 * 1.6);
    expect(created(history({ rate: 0 }))).toHaveLength(0);
  });
});

describe('might-run tokens keep coming', () => {
  test('after one and two hours of live market', () => {
    const later = history({ seed: 'later', rate: 3, beyond: 2 * HOUR });
    for (const at of [PRESENT + HOUR, PRESENT + 2 * HOUR]) {
      expect(mightRun(later, at).length).toBeGreaterThanOrEqual(2);
    }
  });
});

describe.each(['one', 'two', 'three'])('an hour of the market with seed %s', (seed) => {
  const hour = hourOf(seed);

  test('has valid addresses and signatures that are all different', () => {
    const coins = created(hour);
    expect(new Set(coins.map((coin) => coin.address)).size).toBe(coins.length);
    const addresses = coins.flatMap((coin) => [coin.address, coin.creator, coin.bondingCurve ?? '']);
    const isAddress = (text: string) => addressSchema.safeParse(text).success && bs58.decode(text).length === 32;
    expect(addresses.filter((address) => !isAddress(address))).toEqual([]);
    expect(coins.filter((coin) => bs58.decode(coin.chain.signature).length !== 64)).toEqual([]);
    const places = trades(hour).map((trade) => `${trade.chain.signature}:${trade.chain.index}`);
    expect(new Set(places).size).toBe(places.length);
  });

  test('never lets the product of reserves fall or a reserve go below zero', () => {
    const before = new Map<string, { venue: string; product: bigint }>();
    for (const { address, reserves, venue } of trades(hour)) {
      const product = BigInt(reserves.virtualQuote) * BigInt(reserves.virtualToken);
      const last = before.get(address);
      if (last?.venue === venue && product < last.product) expect.fail(`${address} lost value in the ${venue}`);
      before.set(address, { venue, product });
      if (!Object.values(reserves).every((side) => Number.isSafeInteger(side) && side >= 0))
        expect.fail(`${address}: ${JSON.stringify(reserves)}`);
    }
    expect(before.size).toBeGreaterThan(500);
  });

  test('sells only what a wallet holds', () => {
    const holdings = new Map<string, number>();
    for (const trade of trades(hour)) {
      const key = `${trade.address} ${trade.wallet}`;
      const held = (holdings.get(key) ?? 0) + (trade.side === 'buy' ? 1 : -1) * trade.tokenAmount;
      if (held < 0) expect.fail(`${key} sold ${-held} too much`);
      holdings.set(key, held);
    }
    expect(trades(hour).filter((trade) => trade.side === 'sell').length).toBeGreaterThan(1_000);
  });

  test('sells out curves, opens a pool for each, and trades there', () => {
    const completed = hour.filter((one) => one.kind === 'completed');
    const migrated = hour.filter((one) => one.kind === 'migrated' && one.at < PRESENT + HOUR - MINUTE);
    expect(completed.length).toBeGreaterThan(0);
    for (const one of completed.filter(({ at }) => at < PRESENT + HOUR - MINUTE)) {
      expect(hour.filter((other) => other.kind === 'migrated' && other.address === one.address)).toHaveLength(1);
    }
    expect(migrated.length).toBeGreaterThan(0);
    expect(trades(hour).some((trade) => trade.venue === 'pool')).toBe(true);
  });

  test('follows the rate', () => {
    expect(created(hour).length / (20 * 60)).toBeGreaterThan(0.85);
    expect(created(hour).length / (20 * 60)).toBeLessThan(1.15);
  });

  test('launches at least every ten seconds', () => {
    const times = created(hour).map((coin) => coin.at);
    const gaps = times.map((at, i) => at - (times[i - 1] ?? PRESENT));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_000);
  });

  test('has the recorded shares of mayhem, cashback, blank symbols, USDC quotes, creators and repeated symbols', () => {
    const coins = created(hour);
    expect(share(coins, (coin) => coin.mayhem)).toBeCloseTo(0.1925, 1);
    expect(share(coins, (coin) => coin.cashback)).toBeCloseTo(0.3, 1);
    expect(Math.abs(share(coins, (coin) => coin.symbol === '') - 0.0374)).toBeLessThan(0.03);
    expect(Math.abs(share(coins, (coin) => coin.quote === 'USDC') - 0.051)).toBeLessThan(0.03);
    expect(Math.abs(new Set(coins.map((coin) => coin.creator)).size / coins.length - 0.615)).toBeLessThan(0.12);
    expect(Math.abs(repeatedSymbols(coins) - 0.522)).toBeLessThan(0.12);
  });
});

describe('facts', () => {
  const hour = hourOf('facts');
  const facts = hour.filter((one) => one.kind === 'facts');

  test('have revoked authorities as on pump.fun, and omit unread values', () => {
    const read = facts.filter((one) => one.facts.mintAuthority !== undefined);
    expect(read.length).toBeGreaterThan(500);
    expect(
      read.filter((one) => one.facts.mintAuthority !== 'revoked' || one.facts.freezeAuthority !== 'revoked'),
    ).toEqual([]);
    expect(facts.some((one) => one.facts.mintAuthority === undefined)).toBe(true);
    expect(facts.some((one) => one.facts.largestHolders === undefined)).toBe(true);
  });

  test('have locked liquidity for pools only', () => {
    const pools = new Set(hour.flatMap((one) => (one.kind === 'migrated' ? [one.address] : [])));
    const locked = facts.filter((one) => one.facts.lpLockedPercent !== undefined);
    expect(locked.length).toBeGreaterThan(0);
    expect(locked.every((one) => pools.has(one.address))).toBe(true);
  });

  test('appear up to a minute after the launch', () => {
    const born = new Map(created(hour).map((coin) => [coin.address, coin.at]));
    const first = new Map<string, number>();
    for (const one of facts) if (!first.has(one.address)) first.set(one.address, one.at - (born.get(one.address) ?? 0));
    expect(Math.min(...first.values())).toBeGreaterThan(500);
    expect(share([...first.values()], (wait) => wait <= MINUTE)).toBeGreaterThan(0.9);
  });
});

test('reports the fate of each launch once', () => {
  const { all, fates } = simulateMarket({ span: 0, rate: 200, beyond: 3 * MINUTE });
  expect([...fates.keys()]).toEqual(created(all).map((coin) => coin.address));
});

test('has the same events in the shape of mainnet, in whole seconds and without facts', () => {
  const events = (shape?: MarketShape) =>
    history({ span: 0, beyond: 10 * MINUTE, ...(shape ? { shape } : {}) }).filter((one) => one.kind !== 'facts');
  const mainnet = events('mainnet');
  const simulated = events();
  expect(mainnet.map((one) => one.receivedAt)).toEqual(simulated.map((one) => one.at));
  expect(mainnet.filter((one) => one.at !== Math.floor(one.receivedAt / 1_000) * 1_000)).toEqual([]);
  const launchpads = mainnet.flatMap((one) => ('launchpad' in one ? [one.launchpad] : []));
  expect(new Set(launchpads)).toEqual(new Set(['pump.fun']));
  expect(history({ span: 0, beyond: 10 * MINUTE, shape: 'mainnet' }).some((one) => one.kind === 'facts')).toBe(false);
});

test('follows a rate of 2,000 launches a minute', () => {
  const fast = history({ rate: 2_000, span: 0, beyond: MINUTE });
  expect(created(fast).length).toBeGreaterThan(1_700);
  expect(created(fast).length).toBeLessThan(2_300);
});

test('keeps a configured SOL rate, otherwise wanders a little around 150', () => {
  const rates = (solUsd: number | null): number[] =>
    history({ solUsd, rate: 1, span: HOUR }).flatMap((one) => (one.kind === 'rate' ? [one.solUsd] : []));
  expect(new Set(rates(99))).toEqual(new Set([99]));
  const wandering = rates(null);
  expect(wandering.length).toBeGreaterThanOrEqual(120);
  expect(new Set(wandering).size).toBeGreaterThan(20);
  expect(Math.min(...wandering)).toBeGreaterThan(130);
  expect(Math.max(...wandering)).toBeLessThan(170);
});

function marketCapSol(reserves: Reserves): number {
  return ((reserves.virtualQuote / reserves.virtualToken) * TOTAL_SUPPLY) / 1e9;
}

function lastTrades(observations: readonly Observation[]): Map<string, TradeObservation> {
  return new Map(trades(observations).map((trade) => [trade.address, trade]));
}

/** Returns the addresses of might-run tokens at `at`, by the list's own rule. */
function mightRun(observations: readonly Observation[], at: number): string[] {
  const before = observations.filter((one) => one.at <= at);
  const solUsd = before.flatMap((one) => (one.kind === 'rate' ? [one.solUsd] : [])).at(-1) ?? 0;
  const born = new Map(created(before).map((coin) => [coin.address, coin.at]));
  const volumes = new Map<string, number>();
  for (const trade of trades(before)) {
    volumes.set(trade.address, (volumes.get(trade.address) ?? 0) + trade.quoteAmount / 1e9);
  }
  return [...lastTrades(before)].flatMap(([address, trade]) => {
    const token = {
      createdAt: born.get(address) ?? null,
      marketCapUsd: marketCapSol(trade.reserves) * solUsd,
      volumeUsd: (volumes.get(address) ?? 0) * solUsd,
    };
    return trade.quote === 'SOL' && isMightRun(token, at) ? [address] : [];
  });
}

/** Returns the share of launches with a symbol that another launch within nine minutes has too. */
function repeatedSymbols(coins: readonly CreatedObservation[]): number {
  const named = coins.filter((coin) => coin.symbol !== '');
  const near = (coin: CreatedObservation): boolean =>
    named.some((other) => other !== coin && other.symbol === coin.symbol && Math.abs(other.at - coin.at) <= 9 * MINUTE);
  return share(named, near);
}
