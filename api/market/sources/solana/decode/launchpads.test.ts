import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { readTransaction } from '../launchpad-source.ts';
import { usdc, wrappedSol } from '../programs.ts';
import { encodeBy, zeros } from '../testing/encode.ts';
import { fixture, someMint, somePool } from '../testing/events.ts';
import {
  accountsOf,
  blockTime,
  callOf,
  type MeteoraSwap,
  meteoraAccounts,
  meteoraComplete,
  meteoraCreation,
  meteoraSwap,
  someTrader as wallet,
} from '../testing/launchpad-calls.ts';
import { createDecoder } from './decode-event.ts';
import { type LaunchLabEvent, launchLab, launchLabEvents } from './launchlab.ts';
import { meteoraDbc } from './meteora-dbc.ts';
import type { FetchedTransaction } from './program-events.ts';

const times = { receivedAt: 1_785_400_002_000, cluster: 'mainnet' } as const;
describe('Raydium LaunchLab', () => {
  const recorded = (name: string): FetchedTransaction => JSON.parse(fixture(name));
  const accounts = accountsOf({ 0: wallet, 9: someMint, 10: wrappedSol });
  const trade = (fields: Partial<Extract<LaunchLabEvent, { name: 'TradeEvent' }>['fields']> = {}) =>
    encodeBy(launchLabEvents, {
      name: 'TradeEvent',
      fields: {
        ...zeros(launchLabEvents.TradeEvent.required),
        total_base_sell: 793_100_000_000_000n,
        virtual_base: 1_073_025_605_596_382n,
        virtual_quote: 30_000_852_951n,
        real_base_after: 35_000_000_000_000n,
        real_quote_after: 1_000_000_000n,
        ...fields,
      },
    });
  const read = (transaction: FetchedTransaction) => readTransaction(launchLab, 'sig', transaction, times);

  test('reads the recorded creation of a coin and its first buy', () => {
    expect(read(recorded('getTransaction_launchlab_create_and_buy.json'))).toMatchObject({
      malformed: 0,
      observations: [
        {
          kind: 'listed',
          source: 'launchlab',
          address: 'J2V7tRwJqwr9a1gpL3VMQRuJVbebcH2YbvNezfiMhGUr',
          mayBegin: true,
          listing: {
            name: 'SpaceXSI',
            symbol: 'XSI',
            decimals: 6,
            creator: '9ePSmJyUxsXcWcjxeUpqJSxq3R65MvuFuLPkSWvU43TX',
            totalSupply: '1000000000000000',
            bondingCurve: 'DgFe7zmq6x3AvJCVVgEJKQ97D73MRfdchLyQMEGhi6eT',
            launchpad: 'raydium-launchlab',
            quote: 'SOL',
            stage: 'curve',
          },
        },
        { kind: 'trade', side: 'buy', wallet: '9ePSmJyUxsXcWcjxeUpqJSxq3R65MvuFuLPkSWvU43TX', chain: { index: 2_001 } },
      ],
    });
  });

  test('reads the recorded sale with the reserves after it', () => {
    expect(read(recorded('getTransaction_launchlab_sell.json')).observations).toMatchObject([
      {
        kind: 'trade',
        side: 'sell',
        address: '5cHHA3idGG1e7X1oMVuxTq2u8jWoY65iHvAC4Tc4H2ya',
        wallet: '6UMjzh6TrEK3yrFSPs6B2tZuu9aAzFoNwsv9FYyV1Rsr',
        quote: 'SOL',
        quoteAmount: 1_289_357_687,
        tokenAmount: 11_568_986_763_999,
        reserves: {
          virtualQuote: 30_000_852_951 + 29_255_739_935,
          virtualToken: 1_073_025_605_596_382 - 529_766_502_554_167,
          realQuote: 29_255_739_935,
          realToken: 793_100_000_000_000 - 529_766_502_554_167,
        },
      },
    ]);
  });

  test('decodes the recorded events to the last byte', () => {
    const decode = createDecoder(launchLabEvents);
    for (const name of ['getTransaction_launchlab_create_and_buy.json', 'getTransaction_launchlab_sell.json']) {
      const inner = recorded(name).meta?.innerInstructions ?? [];
      for (const instruction of inner.flatMap(({ instructions }) => instructions)) {
        const data = 'data' in instruction ? String(instruction.data) : '';
        const bytes = Buffer.from(bs58.decode(data)).subarray(8);
        const decoded = decode(bytes);
        expect(decoded.ok && encodeBy(launchLabEvents, decoded.event).equals(bytes)).toBe(true);
      }
    }
  });

  test('tells LetsBonk by its platform, and a complete curve by its status', () => {
    const letsBonk = accountsOf({
      ...{ 0: wallet, 3: 'FfYek5vEz23cMkWsdJwG2oa6EphsvXSHrGpdALN4g6W1', 9: someMint, 10: usdc },
    });
    const { observations } = read(callOf(launchLab, { accounts: letsBonk }, [trade({ pool_status: 1 })]));
    expect(observations).toMatchObject([
      { kind: 'trade', launchpad: 'letsbonk.fun', quote: 'USDC', at: blockTime, quoteAmount: 1_000_000_000 },
      { kind: 'completed', address: someMint },
    ]);
  });

  test('observes the move into a pool', () => {
    const call = { accounts: accountsOf({ 1: someMint, 5: somePool }), data: Buffer.from('885cc8671cda908c', 'hex') };
    expect(read(callOf(launchLab, call, [])).observations).toMatchObject([
      { kind: 'migrated', address: someMint, pool: somePool, quoteAmount: null },
    ]);
  });

  test.each<[string, Partial<Extract<LaunchLabEvent, { name: 'TradeEvent' }>['fields']>]>([
    ['more tokens sold than there are', { real_base_after: 800_000_000_000_000n }],
    ['a sale that brings quote', { trade_direction: 1 }],
    ['amounts beyond a double', { virtual_base: 2n ** 60n }],
  ])('refuses %s', (_name, fields) => {
    const transaction = callOf(launchLab, { accounts }, [trade(fields)]);
    expect(read(transaction)).toEqual({ observations: [], malformed: 1 });
  });

  test('ignores an event that another program sends, and a transaction without a time', () => {
    const transaction = callOf(launchLab, { accounts }, [trade()]);
    const forged = callOf({ ...launchLab, program: meteoraDbc.program }, { accounts }, [trade()]);
    expect(read(forged).observations).toEqual([]);
    expect(read({ ...transaction, blockTime: null }).observations).toEqual([]);
    expect(read(transaction).observations).toHaveLength(1);
  });
});

describe('Meteora DBC', () => {
  const read = (transaction: FetchedTransaction) => readTransaction(meteoraDbc, 'sig', transaction, times);

  test('reads the creation of a coin, with its name from the arguments', () => {
    const { data, event } = meteoraCreation();
    const call = { accounts: accountsOf({ 4: wrappedSol }), data };
    expect(read(callOf(meteoraDbc, call, [event])).observations).toMatchObject([
      {
        kind: 'listed',
        source: 'meteora-dbc',
        address: someMint,
        at: blockTime,
        listing: {
          ...{ name: 'Some Coin', symbol: 'SOME', creator: wallet, decimals: 9, bondingCurve: somePool },
          ...{ launchpad: 'meteora', quote: 'SOL', stage: 'curve', createdAt: blockTime },
        },
      },
    ]);
  });

  test('takes the price of a trade from its square root, the liquidity and progress from the reserves', () => {
    const { observations, malformed } = read(callOf(meteoraDbc, { accounts: meteoraAccounts }, [meteoraSwap()]));
    expect(malformed).toBe(0);
    expect(observations).toMatchObject([
      {
        kind: 'trade',
        side: 'buy',
        wallet,
        quoteAmount: 1_000_000_000,
        tokenAmount: 35_000_000_000_000,
        reserves: { realQuote: 21_250_000_000, realToken: 594_825_000_000_000 },
        chain: { signature: 'sig', index: 3_000, slot: 7 },
      },
    ]);
    const [trade] = observations;
    const { virtualQuote = 0, virtualToken = 0 } = trade?.kind === 'trade' ? trade.reserves : {};
    expect(virtualQuote / virtualToken).toBeCloseTo(3e-5, 12);
  });

  test('reads a sale by its input and output', () => {
    const sale = meteoraSwap(
      { trade_direction: 0 },
      { included_fee_input_amount: 7_000_000n, output_amount: 200_000n },
    );
    expect(read(callOf(meteoraDbc, { accounts: meteoraAccounts }, [sale])).observations).toMatchObject([
      { side: 'sell', tokenAmount: 7_000_000, quoteAmount: 200_000 },
    ]);
  });

  test('counts a trade once, although the program emits it in two forms', () => {
    const older = Buffer.concat([Buffer.from('1b3c15d58aaabb93', 'hex'), Buffer.alloc(200)]);
    expect(read(callOf(meteoraDbc, { accounts: meteoraAccounts }, [older, meteoraSwap()]))).toMatchObject({
      malformed: 0,
      observations: [{ kind: 'trade', chain: { index: 3_001 } }],
    });
  });

  test('observes a complete curve and the move into a pool', () => {
    expect(read(callOf(meteoraDbc, { accounts: meteoraAccounts }, [meteoraComplete()])).observations).toMatchObject([
      { kind: 'completed' },
    ]);
    const call = { accounts: accountsOf({ 4: somePool, 13: someMint }), data: Buffer.from('9ca9e66735e45040', 'hex') };
    expect(read(callOf(meteoraDbc, call, [])).observations).toMatchObject([
      { kind: 'migrated', address: someMint, pool: somePool },
    ]);
  });

  test.each<[string, Partial<MeteoraSwap>, Partial<MeteoraSwap['swap_result']>]>([
    ['a price of nothing', {}, { next_sqrt_price: 0n }],
    ['no threshold', { migration_threshold: 0n }, {}],
    ['amounts beyond a double', {}, { output_amount: 2n ** 60n }],
  ])('refuses %s', (_name, fields, result) => {
    expect(read(callOf(meteoraDbc, { accounts: meteoraAccounts }, [meteoraSwap(fields, result)])).observations).toEqual(
      [],
    );
  });
});

test('only creations and moves to a pool of LaunchLab are urgent', () => {
  const isUrgent = (name: string) => launchLab.urgent.test(`Program log: Instruction: ${name}`);
  for (const name of ['Initialize', 'InitializeV2', 'InitializeWithToken2022', 'MigrateToAmm', 'MigrateToCpswap']) {
    expect(isUrgent(name)).toBe(true);
  }
  for (const name of ['InitializeAccount3', 'InitializeImmutableOwner', 'BuyExactIn'])
    expect(isUrgent(name)).toBe(false);
});
