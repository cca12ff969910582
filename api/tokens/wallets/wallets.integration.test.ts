import { beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../common/time.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import { expectIndexed, explainer } from '../../testing/explain.ts';
import { addressNumber, tokenRecord, tradeRecord } from '../../testing/tokens.ts';
import { tokenModels } from '../model.ts';
import type { TokenRecord, TradeRecord } from '../record.ts';
import { createCreatorCoins } from './creator-coins.ts';
import { createHolderFigures } from './holder-figures.ts';

const connection = await testConnection({ monitorCommands: true });
const { tokens, trades } = tokenModels(connection);
const NOW = Date.now();
const clock = { now: () => NOW };
const explained = explainer(connection);

let pending: TradeRecord[] = [];
const figures = createHolderFigures({ trades, unstored: () => ({ trades: pending }), clock });

const holders = (...wallets: string[]) => wallets.map((wallet) => ({ wallet, amount: 1 }));
const coin = tokenRecord(1, { createdAt: NOW - HOUR, topHolders: holders('a', 'b', 'none') });

beforeAll(async () => {
  await ensureIndexes(tokens);
  await ensureIndexes(trades);
});
beforeEach(async () => {
  pending = [];
  await Promise.all([tokens.deleteMany({}), trades.deleteMany({})]);
});

/** A trade of the coin so many ms after its creation: bought, unless the amount is negative. */
function trade(number: number, wallet: string, amount: number, lamports: number | null = 10): TradeRecord {
  const at = new Date(NOW - HOUR + number * 1_000);
  const side = amount < 0 ? 'sell' : 'buy';
  return { ...tradeRecord(coin._id, number, at), wallet, side, amount: Math.abs(amount), lamports };
}

test('sums the trades of the largest holders by side, each once, also before they are stored', async () => {
  await trades.insertMany([
    trade(2, 'a', 100),
    trade(3, 'a', -30, 7),
    trade(4, 'b', 5, null),
    trade(5, 'small', 9),
    { ...trade(6, 'a', 1_000), address: addressNumber(2) },
  ]);
  pending = [trade(3, 'a', -30, 7), trade(1, 'a', 50, 4), trade(9, 'small', 1)];
  expect(await figures(coin)).toEqual(
    new Map([
      ['a', { paid: 14, received: 7, bought: 150, sold: 30, firstBuyAt: NOW - HOUR + 1_000 }],
      ['b', { paid: null, received: null, bought: 5, sold: 0, firstBuyAt: NOW - HOUR + 4_000 }],
    ]),
  );
});

test.each<[string, Partial<TokenRecord>]>([
  ['trades before the first observation are missing', { complete: false }],
  ['the first trades have expired', { listedAt: NOW - DAY - 1 }],
  ['trades in a pool are not followed', { stage: 'pool', reservesVenue: 'curve' }],
  ['there are too many trades', { buys: 50_000, sells: 1 }],
])('the sums are unknown when %s', async (_, fields) => {
  await trades.insertMany([trade(1, 'a', 1)]);
  expect(await figures({ ...coin, ...fields })).toBeNull();
});

test('a creator has the other coins that it signed, and those that name it while their signer is unknown', async () => {
  const own = { creator: 'c', creationUser: 'w' };
  const record = tokenRecord(1, own);
  const old = { createdAt: NOW - 31 * DAY, ...own };
  await tokens.insertMany([
    record,
    tokenRecord(2, { creator: 'other', creationUser: 'w', createdAt: NOW - MINUTE }),
    tokenRecord(3, { creator: 'w', createdAt: NOW - HOUR }),
    tokenRecord(4, { creator: 'w', creationUser: 'stranger' }),
    tokenRecord(5, { creator: 'c', creationUser: 'stranger' }),
    tokenRecord(6, old),
  ]);
  const newer = tokenRecord(3, { creator: 'w', createdAt: NOW - HOUR, rugged: true });
  const liveRecord = (address: string) => (address === newer._id ? newer : undefined);
  const coins = createCreatorCoins({ tokens, liveRecord, clock });
  const found = await coins(record);
  expect(found).toMatchObject({ wallet: 'w', hasMore: false });
  expect(found.coins.map(({ _id, rugged }) => [_id, rugged])).toEqual([
    [addressNumber(2), false],
    [addressNumber(3), true],
  ]);
  expect(await coins({ ...record, creator: null, creationUser: null })).toEqual({
    ...{ wallet: null, coins: [], hasMore: false },
  });
});

test('the queries of wallets use an index', async () => {
  await tokens.insertMany([tokenRecord(2, { creationUser: 'w' })]);
  await trades.insertMany([trade(1, 'a', 1)]);
  const coins = createCreatorCoins({ tokens, liveRecord: () => undefined, clock });
  const read = () => Promise.all([figures(coin), coins(tokenRecord(1, { creationUser: 'w' }))]);
  expectIndexed(await explained.plans(read), { sorts: false });
});
