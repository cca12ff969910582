import { expect, test } from 'vitest';
import { DAY, HOUR, iso, MINUTE } from '../../../common/time.ts';
import { noFacts } from '../../../common/tokens/risk/score.ts';
import { creatorRecordSchema } from '../../../common/tokens/wallets/creator.ts';
import { holderSchema } from '../../../common/tokens/wallets/model.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import type { TokenRecord } from '../record.ts';
import { labelWallets } from './labels.ts';
import { presentHolders, presentWallets } from './present.ts';
import { presentCreator } from './present-creator.ts';

const NOW = Date.UTC(2026, 8, 1, 12);
const SOL = 1_000_000_000;
const noLabels = new Map();

test('holders carry their share of the supply; without a supply the list is empty', () => {
  const record = tokenRecord(1, { creator: 'c', topHolders: [{ wallet: 'c', amount: 250_000_000_000_000 }] });
  const holders = presentHolders(record, new Map([['c', ['developer', 'top-10']]]), null);
  expect(holders).toEqual([
    {
      ...{ wallet: 'c', tokens: 250_000_000, share: 25, isCreator: true, labels: ['developer', 'top-10'] },
      ...{ bought: null, sold: null, remaining: null, profit: null, firstBuyAfter: null },
    },
  ]);
  for (const holder of holders) expect(holderSchema.parse(holder)).toEqual(holder);
  expect(presentHolders({ ...record, totalSupply: null }, noLabels, null)).toEqual([]);
});

test('profit counts the rest at the present price, and is unknown when a part of it is', () => {
  const record = tokenRecord(1, { createdAt: NOW, price: 0.001, topHolders: [{ wallet: 'w', amount: 75_000_000 }] });
  const sums = { paid: SOL, received: SOL / 2, bought: 100_000_000, sold: 25_000_000, firstBuyAt: NOW + 4_000 };
  const of = (fields: Partial<typeof sums>, over: Partial<TokenRecord> = {}) =>
    presentHolders({ ...record, ...over }, noLabels, new Map([['w', { ...sums, ...fields }]]))[0];
  // 75 tokens for 0.001 SOL each.
  expect(of({})).toMatchObject({ bought: 1, sold: 0.5, remaining: 75, profit: -0.425, firstBuyAfter: 4_000 });
  expect(of({ sold: 100_000_001 })).toMatchObject({ remaining: 0, profit: null });
  expect(of({}, { price: null })).toMatchObject({ bought: 1, profit: null });
  expect(of({ bought: 0, sold: 0 })?.remaining).toBeNull();
  expect(of({ firstBuyAt: NOW - 900 })?.firstBuyAfter).toBe(0);
  expect(of({}, { createdAt: null })?.firstBuyAfter).toBeNull();
});

test('labels the wallets of a token by weight', () => {
  const holders = Array.from({ length: 11 }, (_, place) => ({ wallet: `h${place}`, amount: 100 - place }));
  const record = tokenRecord(1, {
    creator: 'named',
    creationUser: 'signer',
    creationFeePayer: 'signer',
    topHolders: [{ wallet: 'signer', amount: 200 }, ...holders],
    funders: [{ wallet: 'fresh', funder: 'f' }],
  });
  const early = { insiders: ['h0', 'in'], firstBuyers: ['in', 'fresh'] };
  const labels = Object.fromEntries(
    presentWallets(labelWallets(record, early)).map(({ wallet, labels }) => [wallet, labels.join(' ')]),
  );
  expect(labels).toMatchObject({
    signer: 'developer top-10',
    named: 'developer',
    h0: 'insider top-10',
    h8: 'top-10',
    in: 'insider first-20',
    fresh: 'first-20 new',
  });
  expect(labels).not.toHaveProperty('h9');
  expect(labelWallets(record, null).get('in')).toBeUndefined();
});

test("a creator's record counts what became of its coins, and has the best first", () => {
  const coin = (number: number, age: number, fields: Partial<TokenRecord> = {}) =>
    tokenRecord(number, { createdAt: NOW - age, price: 0.000_001, lastTradeAt: NOW - age, ...fields });
  const drained = (at: number) => ({ ...noFacts(), drained: { value: true, at, source: 'test' } });
  const coins = [
    coin(1, MINUTE),
    coin(2, 2 * HOUR),
    coin(3, DAY, { drained: true, facts: drained(NOW - DAY + HOUR) }),
    coin(4, 2 * DAY, { drained: true, stage: 'pool', facts: drained(NOW - DAY) }),
    coin(5, 3 * DAY, { stage: 'pool', peakPrice: 0.000_4 }),
    coin(6, 4 * DAY, { price: null, rugged: true }),
  ];
  const record = presentCreator({ wallet: 'w', coins, hasMore: false }, NOW);
  expect(creatorRecordSchema.parse(record)).toEqual(record);
  expect(record).toMatchObject({ launched: 6, migrated: 1, drained: 3, drainedWithinHour: 1 });
  expect(record.coins.map(({ address, end }) => [address, end])).toEqual(
    (
      [
        [5, 'migrated'],
        [1, 'alive'],
        [2, 'quiet'],
        [3, 'drained'],
        [4, 'drained'],
        [6, 'drained'],
      ] as const
    ).map(([number, end]) => [addressNumber(number), end]),
  );
  expect(record.coins[0]).toMatchObject({ highestMarketCap: 400_000, launchedAt: iso(NOW - 3 * DAY) });
  expect(record.coins.at(-1)?.highestMarketCap).toBeNull();
});
