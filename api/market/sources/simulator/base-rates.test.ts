import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../../common/time.ts';
import { PRESENT, share, simulateMarket, trades } from '../../testing/simulated-market.ts';
import type { CreatedObservation, FactsObservation, Funding, Observation, TradeObservation } from '../observation.ts';
import type { Fate } from './lives/fates.ts';

/** Launches are counted for this long, and followed for another hour. */
const LAUNCHES_FOR = 2 * HOUR;
/** Slots of the first 0.8 s of a launch. */
const FIRST_SLOTS = 4;

/** Observations of one coin, with its fate. */
interface Life {
  fate: Fate;
  creation: CreatedObservation;
  trades: TradeObservation[];
  facts: FactsObservation[];
  /** Epoch ms; null for a coin that stays on its curve. */
  migratedAt: number | null;
}

/** Returns the lives of the coins launched within `LAUNCHES_FOR`. */
function livesOf(all: readonly Observation[], fates: ReadonlyMap<string, Fate>): Life[] {
  const lives = new Map<string, Life>();
  for (const one of all) {
    if (one.kind === 'created' && one.at < PRESENT + LAUNCHES_FOR) {
      const fate = fates.get(one.address) ?? 'dead';
      lives.set(one.address, { fate, creation: one, trades: [], facts: [], migratedAt: null });
    }
    const life = 'address' in one ? lives.get(one.address) : undefined;
    if (one.kind === 'trade') life?.trades.push(one);
    if (one.kind === 'facts') life?.facts.push(one);
    if (one.kind === 'migrated' && life) life.migratedAt = one.at;
  }
  return [...lives.values()];
}

const { all, fates } = simulateMarket({ seed: 'rates', span: 0, rate: 40, beyond: LAUNCHES_FOR + HOUR });
const lives = livesOf(all, fates);
const ordinary = lives.filter(({ fate }) => fate !== 'star' && fate !== 'climber');
const dumps = ordinary.filter(({ fate }) => fate === 'dump');
const others = ordinary.filter(({ fate }) => fate !== 'dump');

const isDump = ({ fate }: Life): boolean => fate === 'dump';
const slotsAfter = (life: Life, trade: TradeObservation): number =>
  (trade.chain.slot ?? 0) - (life.creation.chain.slot ?? 0);
const isDeveloper = ({ creation }: Life, wallet: string): boolean => wallet === creation.user;

/** Returns buys by other wallets than the developer's up to `slots` slots after the creation. */
function earlyBuys(life: Life, slots: number): TradeObservation[] {
  return life.trades.filter(
    (trade) => trade.side === 'buy' && !isDeveloper(life, trade.wallet) && slotsAfter(life, trade) <= slots,
  );
}

/** Returns the ages at which early buyers had sold half of what they bought, ms. */
function exits(life: Life): number[] {
  return earlyBuys(life, FIRST_SLOTS).flatMap(({ wallet, tokenAmount }) => {
    let sold = 0;
    const exit = life.trades.find((trade) => {
      if (trade.wallet === wallet && trade.side === 'sell') sold += trade.tokenAmount;
      return sold >= tokenAmount / 2;
    });
    return exit ? [exit.at - life.creation.at] : [];
  });
}

const fundersOf = (life: Life): readonly Funding[] => life.facts.flatMap(({ facts }) => facts.funders ?? []);

describe('base rates of ordinary launches near their public figures', () => {
  test('has thousands of coins', () => {
    expect(ordinary.length).toBeGreaterThan(4_000);
  });

  test('graduates 0.5 to 1 % of them, most within an hour', () => {
    const graduated = ordinary.filter(({ migratedAt }) => migratedAt !== null);
    // Of the launches of two hours about 30 graduate: a share is right within two standard errors.
    const error = 2 * Math.sqrt(graduated.length);
    expect((graduated.length + error) / ordinary.length).toBeGreaterThan(0.005);
    expect((graduated.length - error) / ordinary.length).toBeLessThan(0.01);
    expect(share(graduated, (life) => (life.migratedAt ?? 0) - life.creation.at <= HOUR)).toBeGreaterThan(0.6);
  });

  test('dumps 25 to 30 % and leaves about 45 % without interest', () => {
    expect(share(ordinary, isDump)).toBeGreaterThan(0.25);
    expect(share(ordinary, isDump)).toBeLessThan(0.3);
    expect(share(ordinary, ({ fate }) => fate === 'dead')).toBeCloseTo(0.45, 1);
  });

  test('has another buyer in the slot of the creation in more than half of the launches, honest ones too', () => {
    expect(share(ordinary, (life) => earlyBuys(life, 0).length > 0)).toBeGreaterThan(0.5);
    expect(share(ordinary, (life) => earlyBuys(life, 0).length > 0)).toBeLessThan(0.6);
    expect(share(others, (life) => earlyBuys(life, 0).length > 0)).toBeGreaterThan(0.4);
  });

  test('sees 85 % of the early buyers leave within five minutes, and some much later', () => {
    const ages = lives.flatMap(exits);
    expect(share(ages, (age) => age <= 5 * MINUTE)).toBeGreaterThan(0.75);
    expect(share(ages, (age) => age <= 5 * MINUTE)).toBeLessThan(0.9);
    expect(share(ages, (age) => age > 15 * MINUTE)).toBeGreaterThan(0.01);
  });

  test('lets dumpers earn about one SOL a launch', () => {
    const profits = dumps.filter(({ creation }) => creation.quote === 'SOL').map(profitSol);
    expect(profits.reduce((sum, profit) => sum + profit, 0) / profits.length).toBeCloseTo(1, 0);
    expect(share(profits, (profit) => profit > 0)).toBeGreaterThan(0.85);
  });
});

/** Returns the SOL that the developer and the early buyers gained. */
function profitSol(life: Life): number {
  const early = new Set(earlyBuys(life, FIRST_SLOTS).map(({ wallet }) => wallet));
  const theirs = life.trades.filter(({ wallet }) => early.has(wallet) || isDeveloper(life, wallet));
  return theirs.reduce((sum, { side, quoteAmount }) => sum + (side === 'sell' ? 1 : -1) * quoteAmount, 0) / 1e9;
}

describe('fates follow from what can be known early', () => {
  test('developers who dumped before dump more often', () => {
    const dumped = new Set<string>();
    const again: Life[] = [];
    for (const life of ordinary) {
      const developer = life.creation.user ?? '';
      if (dumped.has(developer)) again.push(life);
      if (isDump(life)) dumped.add(developer);
    }
    expect(again.length).toBeGreaterThan(300);
    expect(share(again, isDump)).toBeGreaterThan(1.25 * share(ordinary, isDump));
  });

  test('copies of a symbol are dumped more often', () => {
    const symbols = new Set<string>();
    const isCopy = ordinary.map(({ creation: { symbol } }) => {
      const copied = symbol !== '' && symbols.has(symbol);
      symbols.add(symbol);
      return copied;
    });
    const copies = ordinary.filter((_, i) => isCopy[i]);
    const originals = ordinary.filter((_, i) => !isCopy[i]);
    expect(share(copies, isDump)).toBeGreaterThan(1.15 * share(originals, isDump));
  });

  test('dumped coins have more wallets in their first slots, often with equal buys', () => {
    const hasBundle = (life: Life): boolean => earlyBuys(life, FIRST_SLOTS).length >= 3;
    expect(share(dumps, hasBundle)).toBeGreaterThan(3 * share(others, hasBundle));
    const hasEqualBuys = (life: Life): boolean => {
      const amounts = earlyBuys(life, FIRST_SLOTS).map(({ quoteAmount }) => quoteAmount);
      return new Set(amounts).size <= amounts.length - 2;
    };
    expect(share(dumps, hasEqualBuys)).toBeGreaterThan(0.2);
    expect(share(others, hasEqualBuys)).toBeLessThan(0.03);
    expect(dumps.some((life) => earlyBuys(life, 0).length === 0 && hasBundle(life))).toBe(true);
  });

  test('the named creator sometimes did not sign, mostly in dumps', () => {
    const isForeign = ({ creation }: Life): boolean => creation.creator !== creation.user;
    expect(share(dumps, isForeign)).toBeGreaterThan(0.02);
    expect(share(others, isForeign)).toBeLessThan(0.02);
    const users = new Set(lives.map(({ creation }) => creation.user));
    expect(lives.filter(isForeign).some(({ creation }) => users.has(creation.creator))).toBe(true);
  });
});

describe('origins', () => {
  const read = lives.filter(({ facts }) => facts.some((one) => one.facts.funders !== undefined));
  const origins = read.flatMap((life) => life.facts.filter((one) => one.facts.funders !== undefined));

  test('are read once, after two minutes, of coins with buyers and liquidity only', () => {
    expect(read.length).toBeGreaterThan(300);
    expect(read.length / lives.length).toBeLessThan(0.3);
    expect(origins.length).toBe(read.length);
    for (const life of read) {
      const at = life.facts.find((one) => one.facts.funders !== undefined)?.at ?? 0;
      expect(at - life.creation.at).toBeGreaterThan(2 * MINUTE + SECOND);
      expect(new Set(life.trades.filter((trade) => trade.at <= at).map(({ wallet }) => wallet)).size).toBeGreaterThan(
        9,
      );
    }
  });

  test('show funding by the developer or one common wallet in some dumps, and exchanges elsewhere', () => {
    const byDeveloper = (life: Life): boolean => fundersOf(life).some(({ funder }) => funder === life.creation.user);
    const mostByOne = (life: Life): number => {
      const funders = fundersOf(life).map(({ funder }) => funder);
      return Math.max(0, ...funders.map((one) => funders.filter((other) => other === one).length));
    };
    expect(read.filter(isDump).filter(byDeveloper).length).toBeGreaterThan(5);
    expect(share(read.filter(isDump), (life) => mostByOne(life) >= 3)).toBeGreaterThan(0.08);
    expect(
      share(
        read.filter((life) => !isDump(life)),
        (life) => mostByOne(life) >= 3,
      ),
    ).toBeLessThan(0.04);
    expect(
      share(
        read.filter((life) => !isDump(life)),
        (life) => fundersOf(life).length > 0,
      ),
    ).toBeGreaterThan(0.5);
  });

  test('name a foreign payer of the fee now and then', () => {
    const paidByOther = (life: Life): boolean =>
      life.facts.some(({ facts }) => typeof facts.feePayer === 'string' && facts.feePayer !== life.creation.user);
    expect(share(read, paidByOther)).toBeGreaterThan(0.003);
    expect(share(read, paidByOther)).toBeLessThan(0.06);
  });
});

describe('a migrated coin', () => {
  const migrated = lives.filter(({ migratedAt }) => migratedAt !== null && migratedAt < PRESENT + LAUNCHES_FOR);

  test('trades in its pool, where price, liquidity and holders move, and has burnt its LP', () => {
    const paths = migrated.filter(({ fate }) => fate === 'graduate' || fate === 'star');
    expect(paths.length).toBeGreaterThan(20);
    for (const life of paths) {
      const inPool = trades(life.trades).filter(({ venue }) => venue === 'pool');
      expect(new Set(inPool.map(({ reserves }) => reserves.virtualQuote / reserves.virtualToken)).size).toBeGreaterThan(
        5,
      );
      expect(new Set(inPool.map(({ reserves }) => reserves.realQuote)).size).toBeGreaterThan(5);
      expect(new Set(inPool.map(({ wallet }) => wallet)).size).toBeGreaterThan(3);
      expect(inPool.every(({ at }) => at >= (life.migratedAt ?? 0))).toBe(true);
      const locked = life.facts
        .filter(({ at }) => at > (life.migratedAt ?? 0))
        .map(({ facts }) => facts.lpLockedPercent);
      expect(locked).toContain(100);
    }
  });
});

test('scheduled coins have ten outside buyers of size within five minutes and keep their liquidity', () => {
  const scheduled = lives.filter(({ fate }) => fate === 'star' || fate === 'climber');
  expect(scheduled.length).toBeGreaterThan(30);
  const isSound = (life: Life): boolean => {
    const early = life.trades.filter((trade) => trade.at - life.creation.at <= 5 * MINUTE);
    const outside = early.filter(
      (trade) => trade.side === 'buy' && slotsAfter(life, trade) > FIRST_SLOTS && trade.quoteAmount >= 0.05e9,
    );
    const liquidity = early.map(({ reserves }) => reserves.realQuote);
    const peak = Math.max(...liquidity);
    return new Set(outside.map(({ wallet }) => wallet)).size >= 10 && (liquidity.at(-1) ?? 0) > peak / 4;
  };
  expect(share(scheduled, isSound)).toBeGreaterThan(0.9);
});
