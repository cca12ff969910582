import { Types } from 'mongoose';
import { describe, expect, test } from 'vitest';
import { CURVE_FEES_BPS, curvePurchase, curveSale } from '../../../common/tokens/curve-trades.ts';
import { poolFeesAt, poolSale, totalPoolFee } from '../../../common/tokens/pool-trades.ts';
import { afterPurchase, emptyLot } from '../../../common/trading/lots.ts';
import type { PositionValue } from '../../../common/trading/position.ts';
import { createEventBus } from '../../events/bus.ts';
import { coin, MINT } from '../testing/coin.ts';
import { lotRecord, type PositionRecord } from './model.ts';
import { createOpenBook } from './open-book.ts';
import { createTestMarket } from './testing/market.ts';
import { AT, costs } from './testing/orders.ts';
import { openPosition } from './testing/position.ts';
import { createPositionValues, initialTokens, positionValue } from './values.ts';

const SOL = 1_000_000_000;

/** A position that one purchase for 1 SOL has opened, at the reserves of `coin()`. */
function position(fields: Partial<PositionRecord> = {}): PositionRecord {
  const trade = curvePurchase(reserves(), SOL, CURVE_FEES_BPS);
  if (!trade) throw new Error('nothing bought');
  const lot = afterPurchase(emptyLot, {
    tokens: BigInt(trade.tokens),
    lamports: trade.quote + trade.fee,
    costs: costs({ launchpadFeeLamports: trade.fee, networkFeeLamports: 5_000, priorityFeeLamports: 0 }),
    price: 0.000_000_05,
    lostFeesLamports: 0,
  });
  const onPaper = { mode: 'paper', cluster: null, wallet: 'wallet' } as const;
  return { ...openPosition(new Types.ObjectId()), ...onPaper, ...lotRecord(lot), ...fields };
}

function reserves() {
  const { reserves: present } = coin();
  if (!present) throw new Error('no reserves');
  return present;
}

const lotOf = (one: PositionRecord) => ({
  tokens: BigInt(one.tokens),
  quoteLamports: one.quoteLamports,
  rentLamports: one.rentLamports,
});

test('the value is what a sale of all brings on the present reserves, after the fees [T-05]', () => {
  const one = position({ mode: 'local' });
  const sale = curveSale(reserves(), Number(one.tokens), CURVE_FEES_BPS);
  const value = positionValue(one, coin(), lotOf(one), AT);
  expect(value.lamports).toBe((sale?.quote ?? 0) - (sale?.fee ?? 0) - 5_000);
  expect(value.profitLamports).toBe((value.lamports ?? 0) - one.costLamports);
});

test('in a pool it is what a sale of all brings on the reserves of the pool, after its fees [T-05]', () => {
  const pool = {
    virtualQuote: 85 * SOL,
    virtualToken: 206_900_000_000_000,
    realQuote: 85 * SOL,
    realToken: 206_900_000_000_000,
  };
  const inPool = coin({ stage: 'pool', reservesVenue: 'pool', reserves: pool });
  for (const mode of ['local', 'paper'] as const) {
    const one = position({ mode });
    const sale = poolSale(pool, Number(one.tokens), poolFeesAt(pool));
    expect(positionValue(one, inPool, lotOf(one), AT).lamports).toBe(
      (sale?.quote ?? 0) - (sale ? totalPoolFee(sale.fees) : 0) - 5_000,
    );
  }
});

test('on paper a purchase and its sale cost the fees only: its own impact is not paid twice', () => {
  const one = position();
  const lost = -(positionValue(one, coin(), lotOf(one), AT).profitLamports ?? 0);
  const fees = 2 * 0.0125 * SOL;
  expect(lost).toBeGreaterThan(0.9 * fees);
  expect(lost).toBeLessThan(1.01 * fees);
  const impact = -(positionValue({ ...one, mode: 'local' }, coin(), lotOf(one), AT).profitLamports ?? 0);
  expect(impact).toBeGreaterThan(2 * fees);
});

test.each([
  ['no-depth', null],
  ['no-depth', coin({ reserves: null })],
  ['no-depth', coin({ launchpad: 'other' })],
  ['no-depth', coin({ reserves: { ...reserves(), realQuote: 1 } })],
  ['not-sol', coin({ quote: 'USDC' })],
  ['between-venues', coin({ stage: 'complete' })],
  ['no-depth', coin({ stage: 'pool', reservesVenue: 'curve' })],
  ['stale', coin({ isLive: false })],
])('an unknown value has its reason: %s', (code, present) => {
  const one = position({ mode: 'local' });
  const value = positionValue(one, present, lotOf(one), AT);
  expect(value).toMatchObject({ lamports: null, profitLamports: null, unknown: { code } });
});

function openValues() {
  const market = createTestMarket(() => AT);
  const book = createOpenBook(market);
  const emitted: { userId: string; values: { id: string; value: PositionValue }[] }[] = [];
  const bus = createEventBus((error) => {
    throw error;
  });
  bus.on('position-values-changed', (values) => void emitted.push(values));
  const listening = new Set<string>();
  let computed = 0;
  const values = createPositionValues({
    book,
    market,
    value: (one) => {
      computed += 1;
      return positionValue(one, market.liveCoin(one.token.address), book.lotOf(one), AT);
    },
    isListening: (userId) => listening.has(userId),
    bus,
  });
  return { market, book, values, emitted, listening, computed: () => computed };
}

test('emits changed values only, to users who listen, once for all of their positions', () => {
  const { market, book, values, emitted, listening, computed } = openValues();
  const [mine, other] = [position(), position()];
  const second = position({ userId: mine.userId, origin: 'rule:1' });
  for (const one of [mine, second, other]) book.set(one);
  values.start();
  values.tick();
  expect([emitted.length, computed()]).toEqual([0, 0]);
  listening.add(mine.userId.toHexString());
  market.move([0.000_000_04]);
  values.tick();
  expect(emitted).toHaveLength(1);
  expect(emitted[0]?.values.map(({ id }) => id)).toEqual([mine, second].map(({ _id }) => _id.toHexString()));
  // Nothing moved, or to the same price.
  values.tick();
  market.move([0.000_000_04]);
  values.tick();
  expect(emitted).toHaveLength(1);
  // No price shows that a source has fallen silent; the next round does.
  market.coins.set(MINT, coin({ isLive: false }));
  for (let round = 0; round < 10; round += 1) values.tick();
  expect(emitted).toHaveLength(2);
  expect(emitted[1]?.values[0]?.value.unknown?.code).toBe('stale');
  values.stop();
});

test('pins the token of open positions once, until the last one closes', () => {
  const market = createTestMarket(() => AT);
  const book = createOpenBook(market);
  const [one, other] = [position(), position()];
  book.set(one);
  book.set(other);
  expect(market.pins.get(MINT)).toBe(1);
  book.set({ ...one, open: false, status: 'closed', version: 2 });
  expect(market.pins.get(MINT)).toBe(1);
  // A late message about the closed position.
  book.set(one);
  expect(book.of(MINT)).toEqual([other]);
  book.set({ ...other, open: false, status: 'closed', version: 2 });
  expect(market.pins.get(MINT)).toBe(0);
});

describe('the initial of a position', () => {
  const FEES = 105_000;
  /** The price of its coin has tripled. */
  const risen = () => {
    const { virtualQuote, virtualToken, ...real } = reserves();
    return coin({
      reserves: { ...real, virtualQuote: virtualQuote * 2, virtualToken: virtualToken / 1.5, realQuote: 60 * SOL },
    });
  };
  const returned = (tokens: bigint) => {
    const sale = curveSale(risen().reserves ?? reserves(), Number(tokens), CURVE_FEES_BPS);
    return (sale?.quote ?? 0) - (sale?.fee ?? 0) - FEES;
  };

  test('is the fewest tokens whose sale returns the rest of the price', () => {
    for (const proceedsLamports of [0, 1, SOL / 3, SOL / 2]) {
      const one = position({ mode: 'local', proceedsLamports });
      const initial = initialTokens(one, risen(), lotOf(one), FEES);
      if (!initial.ok) throw new Error(initial.reason.code);
      expect(initial.value).toBeLessThan(BigInt(one.tokens));
      expect(returned(initial.value)).toBeGreaterThanOrEqual(one.paidLamports - proceedsLamports);
      expect(returned(initial.value - 1n)).toBeLessThan(one.paidLamports - proceedsLamports);
    }
  });

  test('on paper counts the own purchases as part of the curve', () => {
    const paper = position();
    const initial = initialTokens(paper, risen(), lotOf(paper), FEES);
    const onChain = initialTokens({ ...paper, mode: 'local' }, risen(), lotOf(paper), FEES);
    if (!initial.ok || !onChain.ok) throw new Error('impossible');
    expect(initial.value).toBeLessThan(onChain.value);
  });

  test('is impossible with its reason', () => {
    const one = position({ mode: 'local' });
    const reasonOf = (fields: Partial<PositionRecord>, at = risen()) => {
      const initial = initialTokens({ ...one, ...fields }, at, lotOf(one), FEES);
      return initial.ok ? null : initial.reason;
    };
    expect(reasonOf({ proceedsLamports: one.paidLamports })).toMatchObject({ code: 'initial-returned' });
    expect(reasonOf({}, coin())).toEqual({
      code: 'initial-short',
      numbers: { paidLamports: one.paidLamports, returnsLamports: expect.any(Number) },
    });
    expect(reasonOf({}, { ...risen(), isLive: false })).toMatchObject({ code: 'stale' });
    expect(reasonOf({}, { ...risen(), stage: 'complete' })).toMatchObject({ code: 'between-venues' });
  });
});
