import { PublicKey } from '@solana/web3.js';
import pino from 'pino';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Token } from '../../../../common/tokens/model.ts';
import { createMemoryLog } from '../../../../realtime/feed-log/memory.ts';
import { createPublisher } from '../../../../realtime/publisher.ts';
import { testConnection } from '../../../testing/database.ts';
import { tokenModels } from '../../../tokens/model.ts';
import { presentDetail, presentToken } from '../../../tokens/present.ts';
import type { TokenRecord, TradeRecord } from '../../../tokens/record.ts';
import { createMarket } from '../../market.ts';
import { testBus } from '../../testing/market.ts';
import { type ExpectedEvent, expectedEvents, recordedFrames, recordingFile } from '../solana/testing/events.ts';
import { createReplay, createTiming } from './replay.ts';

const solUsd = 81.63;
const startedAt = 1_900_000_000_000;
const clock = { now: () => startedAt };

/** Returns the recording's events by coin, in frame order. */
function coins(): Map<string, ExpectedEvent[]> {
  const places = new Map(
    recordedFrames().map(({ raw }, place) => [String(JSON.parse(raw).params?.result.value.signature), place]),
  );
  const placeOf = ({ signature }: ExpectedEvent) => places.get(signature) ?? -1;
  const byMint = new Map<string, ExpectedEvent[]>();
  for (const event of expectedEvents().toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const mint = String(event.fields.mint);
    byMint.set(mint, [...(byMint.get(mint) ?? []), event]);
  }
  return byMint;
}

const shift = createTiming(
  { from: (recordedFrames().at(0)?.t_wall ?? 0) * 1_000, to: (recordedFrames().at(-1)?.t_wall ?? 0) * 1_000 },
  { speed: 0, times: 'shifted', startedAt },
).shift;

const amount = (event: ExpectedEvent | undefined, field: string): number => Number(event?.fields[field] ?? Number.NaN);
const six = (value: number): number => Number(value.toPrecision(6));
const iso = (event: ExpectedEvent) => new Date(amount(event, 'timestamp') * 1_000 + shift).toISOString();

/** Returns the creator that a trade names; null for an account that shares out the creator's fees, which no key signs for. */
function walletOrNull(trade: ExpectedEvent | undefined): string | null {
  const creator = String(trade?.fields.creator);
  return PublicKey.isOnCurve(creator) ? creator : null;
}

/** Returns the dashboard's values of a coin, derived from the expected events alone. */
function expectedToken(mint: string, events: ExpectedEvent[]): Partial<Token> {
  const created = events.find(({ event }) => event === 'CreateEvent');
  const trades = events.filter(({ event }) => event === 'TradeEvent');
  const last = trades.at(-1) ?? created;
  const virtualSol = amount(last, 'virtual_quote_reserves') / 1e9;
  const virtualTokens = amount(last, 'virtual_token_reserves') / 1e6;
  const price = virtualSol / virtualTokens;
  const firstBuy = trades.findLast(({ signature }) => signature === created?.signature);
  const traded = trades.reduce((sum, trade) => sum + amount(trade, 'quote_amount'), 0) / 1e9;
  return {
    address: mint,
    id: mint,
    lastUpdated: new Date(startedAt).toISOString(),
    decimals: 6,
    price: six(price),
    currentLiquidity: six((trades.length === 0 ? 0 : amount(last, 'real_quote_reserves')) / 1e9),
    volume: six(traded * solUsd),
    creatorAddress: created === undefined ? walletOrNull(trades[0]) : String(created.fields.creator),
    stage: 'curve',
    ...(created === undefined
      ? { name: null, symbol: null, createdAt: null, totalSupply: null, initialLiquidity: null, marketCap: null }
      : {
          name: String(created.fields.name),
          symbol: String(created.fields.symbol),
          createdAt: iso(created),
          totalSupply: String(created.fields.token_total_supply),
          initialLiquidity: six((firstBuy === undefined ? 0 : amount(firstBuy, 'real_quote_reserves')) / 1e9),
          // Derived from the displayed price, so that the figures agree.
          marketCap: six(six(price) * 1e9 * solUsd),
          holderCount: holdersOf(trades).size,
        }),
    metadata: {
      source: 'pump.fun',
      detectedBy: 'replay',
      cluster: 'mainnet',
      uri: created === undefined ? null : String(created.fields.uri),
      quote: 'SOL',
    },
  };
}

/** Returns the balance of each wallet after the trades, base units. */
function holdersOf(trades: ExpectedEvent[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const trade of trades) {
    const wallet = String(trade.fields.user);
    const moved = amount(trade, 'token_amount') * (trade.fields.is_buy === true ? 1 : -1);
    held.set(wallet, (held.get(wallet) ?? 0) + moved);
  }
  return new Map([...held].filter(([, tokens]) => tokens > 0));
}

function expectedTrade(event: ExpectedEvent): Partial<TradeRecord> {
  const virtualSol = amount(event, 'virtual_quote_reserves') / 1e9;
  return {
    address: String(event.fields.mint),
    at: new Date(amount(event, 'timestamp') * 1_000 + shift),
    side: event.fields.is_buy === true ? 'buy' : 'sell',
    wallet: String(event.fields.user),
    lamports: amount(event, 'quote_amount'),
    amount: amount(event, 'token_amount'),
    price: expect.closeTo(virtualSol / (amount(event, 'virtual_token_reserves') / 1e6), 15),
    signature: event.signature,
    slot: event.slot,
  };
}

const connection = await testConnection({ autoIndex: true });

/** Plays the recording through a market into MongoDB until everything is stored. */
async function playInto(): Promise<void> {
  const publisher = createPublisher(createMemoryLog({ clock }));
  const log = pino({ level: 'silent' });
  const replay = createReplay({ file: recordingFile, speed: 0, times: 'shifted', clock });
  const market = createMarket({
    sources: [replay],
    connection,
    publisher,
    bus: testBus(),
    clock,
    random: () => 0.5,
    log,
    solUsd,
  });
  await market.start();
  await vi.waitFor(() => expect(replay.status().state).toBe('ended'), { timeout: 20_000 });
  // Stopping stores the rest.
  await market.stop();
}

async function storedTokens(): Promise<Map<string, TokenRecord>> {
  const records = await tokenModels(connection).tokens.find().lean<TokenRecord[]>();
  return new Map(records.map((record) => [record._id, record]));
}

beforeAll(async () => {
  await playInto();
});

describe('stores the recorded mainnet coins with the values of the recording', () => {
  test('all of them and no other', async () => {
    const stored = await storedTokens();
    expect([...stored.keys()].toSorted()).toEqual([...coins().keys()].toSorted());
    expect(stored.size).toBeGreaterThan(12);
  });

  test.each([...coins()].map(([mint, events]) => ({ mint, events })))(
    '$mint, field by field [S3-01, S3-02, S3-03, S3-04, S3-09]',
    async ({ mint, events }) => {
      const record = (await storedTokens()).get(mint);
      if (record === undefined) throw new Error(`${mint} is not stored`);
      expect(presentToken(record)).toMatchObject(expectedToken(mint, events));
    },
  );

  test.each([...coins()].map(([mint, events]) => ({ mint, events })))(
    '$mint, reserves and detail',
    async ({ mint, events }) => {
      const record = (await storedTokens()).get(mint);
      if (record === undefined) throw new Error(`${mint} is not stored`);
      const created = events.find(({ event }) => event === 'CreateEvent');
      const trades = events.filter(({ event }) => event === 'TradeEvent');
      const last = trades.at(-1) ?? created;
      expect(record.reserves).toEqual({
        virtualQuote: amount(last, 'virtual_quote_reserves'),
        virtualToken: amount(last, 'virtual_token_reserves'),
        realQuote: trades.length === 0 ? 0 : amount(last, 'real_quote_reserves'),
        realToken: amount(last, 'real_token_reserves'),
      });
      const buys = trades.filter(({ fields }) => fields.is_buy === true).length;
      const sold = ((793_100_000_000_000 - amount(last, 'real_token_reserves')) / 793_100_000_000_000) * 100;
      expect(presentDetail(record, null)).toMatchObject({
        bondingCurve: created === undefined ? null : created.fields.bonding_curve,
        buys: created === undefined ? null : buys,
        sells: created === undefined ? null : trades.length - buys,
        curveProgress: expect.closeTo(sold, 1),
        pool: null,
      });
    },
  );

  test('every trade, field by field', async () => {
    const stored = await tokenModels(connection).trades.find().lean<TradeRecord[]>();
    const trades = expectedEvents().filter(({ event }) => event === 'TradeEvent');
    expect(stored).toHaveLength(trades.length);
    const byKey = new Map(stored.map((trade) => [`${trade.signature} ${trade.amount} ${trade.wallet}`, trade]));
    for (const event of trades) {
      const key = `${event.signature} ${amount(event, 'token_amount')} ${String(event.fields.user)}`;
      expect(byKey.get(key)).toMatchObject(expectedTrade(event));
    }
  });
});

test('counts nothing twice when played again over the same storage', async () => {
  const before = await storedTokens();
  await playInto();
  const after = await storedTokens();
  expect(after.size).toBe(before.size);
  for (const [mint, { buys, sells, volumeByHour, reserves }] of before) {
    expect(after.get(mint)).toMatchObject({ buys, sells, volumeByHour, reserves });
  }
  const trades = await tokenModels(connection).trades.countDocuments();
  expect(trades).toBe(expectedEvents().filter(({ event }) => event === 'TradeEvent').length);
});
