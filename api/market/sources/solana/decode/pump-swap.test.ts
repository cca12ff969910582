import { PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { noAddress, poolAuthorityOf, pumpSwapProgram, usdc, wrappedSol } from '../programs.ts';
import { encodeBy, encodeEvent, encodePoolEvent, zeros } from '../testing/encode.ts';
import { migrationEvent, someMint, somePool } from '../testing/events.ts';
import {
  poolAccount,
  poolBurn,
  poolBuy,
  poolCreation,
  poolDeposit,
  poolSell,
  poolWallet,
  poolWithdrawal,
  recordedPoolEvents,
} from '../testing/pool-events.ts';
import { createDecoder } from './decode-event.ts';
import { createPoolRegistry, type PoolRegistry } from './pools.ts';
import type { EventContext } from './protocol.ts';
import { createPump } from './pump.ts';
import { pumpEvents } from './pump-events.ts';
import { createPumpSwap, decodePoolAccount, poolOf } from './pump-swap.ts';
import { type PumpSwapEvent, pumpSwapEvents } from './pump-swap-events.ts';

const context: EventContext = {
  source: 'solana',
  cluster: 'mainnet',
  chain: { signature: 'sig', index: 1_000, slot: 7 },
  receivedAt: 1_783_165_300_123,
  shift: 0,
  slotMs: null,
};
const opening = { virtualQuote: 84_990_359_301, realQuote: 84_990_359_301, realToken: 206_900_000_000_000 };

/** Returns a function that reads events in order, as of one source. */
function reader(pools: PoolRegistry = createPoolRegistry()) {
  const protocol = createPumpSwap(pools);
  return (event: PumpSwapEvent) => protocol.read(encodePoolEvent(event), context);
}

/** Returns a reader that knows the main pool of `someMint`. */
function readerOfMain() {
  const read = reader();
  read(poolCreation());
  return read;
}

describe('decodes as recorded', () => {
  const layouts = { ...pumpEvents, ...pumpSwapEvents };
  const decode = createDecoder(layouts);

  test.each(recordedPoolEvents())('$event to the last byte', ({ program_data, event, fields }) => {
    const bytes = Buffer.from(program_data, 'base64');
    const decoded = decode(bytes);
    expect(decoded).toMatchObject({ ok: true, event: { name: event } });
    if (!decoded.ok) return;
    const values = Object.entries(decoded.event.fields).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : value,
    ]);
    expect(Object.fromEntries(values)).toMatchObject(fields);
    expect(encodeBy(layouts, decoded.event).equals(bytes)).toBe(true);
  });

  test('a trade with fields appended later, ignoring them', () => {
    const event = poolBuy({ coin_creator: noAddress, coin_creator_fee_basis_points: 5n, coin_creator_fee: 1n });
    const longer = Buffer.concat([encodePoolEvent(event), Buffer.from([1]), Buffer.alloc(200)]);
    expect(decode(longer)).toMatchObject({ ok: true, event: { fields: { track_volume: true, coin_creator_fee: 1n } } });
  });
});

describe('recorded trades', () => {
  const [buy, sell] = recordedPoolEvents();
  const mainPool = { mint: someMint, quote: 'SOL', isMain: true, coinIsBase: true, state: null } as const;

  function readRecorded(recorded: typeof buy) {
    const pools = createPoolRegistry();
    pools.set(String(recorded?.fields.pool), mainPool);
    return createPumpSwap(pools).read(Buffer.from(recorded?.program_data ?? '', 'base64'), context);
  }

  test('a buy adds to the reserves what it pays with the fee of the liquidity providers', () => {
    const quote = 795_711_325_323 + 1_050_212_565;
    const base = 28_406_490_689_612 - 37_368_000_000;
    expect(readRecorded(buy)).toEqual({
      ok: true,
      observation: {
        kind: 'trade',
        source: 'solana',
        chain: context.chain,
        at: 1_746_244_081_000,
        receivedAt: context.receivedAt,
        address: someMint,
        side: 'buy',
        wallet: 'EssZwicubGMsPC4cf5GNrDobap1N7KuVNS7HJuWwmFko',
        quote: 'SOL',
        quoteAmount: 1_048_116_332,
        tokenAmount: 37_368_000_000,
        reserves: { virtualQuote: quote, virtualToken: base, realQuote: quote, realToken: base },
        before: { virtualQuote: 795_711_325_323, virtualToken: 28_406_490_689_612 },
        creator: null,
        launchpad: 'pump.fun',
        cluster: 'mainnet',
        venue: 'pool',
      },
    });
  });

  test('a sale takes from the reserves what it is paid before the other fees', () => {
    expect(readRecorded(sell)).toMatchObject({
      observation: {
        side: 'sell',
        quoteAmount: 43_623_149,
        tokenAmount: 2_362_629_325,
        reserves: { realQuote: 718_214_085_022 - 43_535_902, realToken: 38_896_104_996_620 + 2_362_629_325 },
      },
    });
  });

  test('the constant product holds between the reserves before and after', () => {
    for (const recorded of [buy, sell]) {
      const { pool_base_token_reserves, pool_quote_token_reserves } = recorded?.fields ?? {};
      const before = Number(pool_base_token_reserves) * Number(pool_quote_token_reserves);
      const read = readRecorded(recorded);
      const after = read.ok && read.observation.kind === 'trade' ? read.observation.reserves : null;
      expect(((after?.realQuote ?? 0) * (after?.realToken ?? 0)) / before).toBeCloseTo(1, 5);
    }
  });
});

describe('the main pool', () => {
  test('is known by its creation, which gives the opening reserves', () => {
    expect(reader()(poolCreation())).toMatchObject({
      ok: true,
      observation: {
        kind: 'migrated',
        address: someMint,
        pool: somePool,
        quoteAmount: 84_990_359_301,
        reserves: opening,
      },
    });
    expect(readerOfMain()(poolBuy())).toMatchObject({ observation: { kind: 'trade', address: someMint } });
  });

  test('is known by the migration of pump.fun, whichever event comes first', () => {
    const pools = createPoolRegistry();
    createPump(pools).read(encodeEvent(migrationEvent()), context);
    expect(reader(pools)(poolSell())).toMatchObject({ observation: { address: someMint, venue: 'pool' } });
  });

  test('of a recorded mayhem coin opens with a tenth of a SOL', () => {
    const recorded = recordedPoolEvents().find(({ event }) => event === 'CreatePoolEvent');
    const read = createPumpSwap(createPoolRegistry()).read(
      Buffer.from(recorded?.program_data ?? '', 'base64'),
      context,
    );
    expect(read).toMatchObject({ observation: { kind: 'migrated', reserves: { realQuote: 100_761_977 } } });
  });

  test('has a price with the virtual quote and a liquidity without it', () => {
    const boost = { virtual_quote_reserves: 17_584_505_433n, base_supply: 999_000_000_000_000n };
    expect(readerOfMain()(poolBuy({ ...zeros(pumpSwapEvents.BuyEvent.appended), ...boost }))).toMatchObject({
      observation: {
        totalSupply: '999000000000000',
        reserves: { virtualQuote: 85_992_359_301 + 17_584_505_433, realQuote: 85_992_359_301 },
      },
    });
  });

  test('changes its reserves by deposits and withdrawals without a trade', () => {
    const read = readerOfMain();
    expect(read(poolDeposit())).toMatchObject({
      observation: { kind: 'reserves', venue: 'pool', burned: 0, reserves: { realQuote: 93_489_395_231 } },
    });
    expect(read(poolWithdrawal())).toMatchObject({
      observation: { kind: 'reserves', reserves: { realQuote: 76_491_323_371, realToken: 186_210_000_000_000 } },
    });
  });

  test('gets virtual reserves by a boost, and burns coins with it', () => {
    const read = readerOfMain();
    const boost = { timestamp: 1_783_165_300n, mint: someMint, bonding_curve: noAddress, pool: somePool };
    const fields = { ...boost, virtual_quote_reserves: 17_000_000_000n, real_quote_reserves_after: 84_990_359_301n };
    expect(read({ name: 'InitBoostEvent', fields })).toMatchObject({
      observation: { reserves: { virtualQuote: 101_990_359_301, realQuote: 84_990_359_301 } },
    });
    expect(read(poolBurn())).toMatchObject({
      observation: { kind: 'reserves', burned: 2_406_000_000_000, reserves: { virtualQuote: 100_990_359_301 } },
    });
  });

  test.each([
    ['more tokens bought than there are', poolBuy({ base_amount_out: 206_900_000_000_001n })],
    ['more quote paid out than there is', poolSell({ quote_amount_out_without_lp_fee: 84_990_359_302n })],
  ])('refuses %s', (_name, event) => {
    expect(readerOfMain()(event)).toEqual({ ok: false, reason: 'impossible' });
  });

  test('refuses amounts beyond a double', () => {
    expect(readerOfMain()(poolBuy({ pool_base_token_reserves: 2n ** 63n }))).toEqual({
      ok: false,
      reason: 'too-large',
    });
    expect(reader()(poolCreation({ pool_base_amount: 2n ** 60n }))).toEqual({ ok: false, reason: 'too-large' });
  });
});

describe('other pools', () => {
  const stranger = poolWallet;

  test.each([
    ['of a stranger, also with the index 0', { creator: stranger }],
    ['with another index', { index: 1 }],
  ])('a pool %s makes no figures, only its withdrawals are observed', (_name, fields) => {
    const read = reader();
    expect(read(poolCreation(fields))).toEqual({ ok: false, reason: 'other-pool' });
    expect(read(poolBuy())).toEqual({ ok: false, reason: 'other-pool' });
    expect(read(poolWithdrawal())).toMatchObject({
      observation: {
        kind: 'liquidity-withdrawn',
        address: someMint,
        pool: somePool,
        wallet: poolWallet,
        quote: 'SOL',
        quoteAmount: 8_499_035_930,
      },
    });
  });

  test('a pool with wrapped SOL as its base counts the SOL side', () => {
    const read = reader();
    read(poolCreation({ base_mint: wrappedSol, quote_mint: someMint, creator: stranger }));
    const withdrawal = poolWithdrawal({ base_amount_out: 5_000_000_000n, quote_amount_out: 1n });
    expect(read(withdrawal)).toMatchObject({ observation: { address: someMint, quoteAmount: 5_000_000_000 } });
  });

  test('a pool of two quotes is none of a coin', () => {
    expect(reader()(poolCreation({ base_mint: usdc }))).toEqual({ ok: false, reason: 'quote-mint' });
  });

  test('an unknown pool is requested, and its event dropped', () => {
    const pools = createPoolRegistry();
    const requested: string[] = [];
    pools.onUnknown((address) => requested.push(address));
    expect(reader(pools)(poolBuy())).toEqual({ ok: false, reason: 'unknown-pool' });
    expect(requested).toEqual([somePool]);
    pools.set(somePool, null);
    expect(reader(pools)(poolBuy())).toEqual({ ok: false, reason: 'other-pool' });
    expect(requested).toHaveLength(1);
  });
});

describe('the account of a pool', () => {
  test('names coin and quote, ignoring later fields', () => {
    const bytes = poolAccount({ creator: poolAuthorityOf(someMint) });
    // Positions of the mints in live accounts.
    expect(new PublicKey(bytes.subarray(43, 75)).toBase58()).toBe(someMint);
    expect(new PublicKey(bytes.subarray(75, 107)).toBase58()).toBe(wrappedSol);
    const identity = decodePoolAccount(bytes);
    expect(identity && poolOf(identity)).toMatchObject({ mint: someMint, isMain: true, coinIsBase: true });
  });

  test('is null for other bytes', () => {
    expect(decodePoolAccount(Buffer.alloc(300))).toBeNull();
    expect(decodePoolAccount(poolAccount({ creator: poolWallet }).subarray(0, 100))).toBeNull();
  });
});

test('derives the recorded migration from the mint alone', () => {
  const migration = recordedPoolEvents().find(({ event }) => event === 'CompletePumpAmmMigrationEvent');
  const mint = String(migration?.fields.mint);
  const seeds = [poolAuthorityOf(mint), mint, wrappedSol].map((address) => new PublicKey(address).toBuffer());
  const program = new PublicKey(pumpSwapProgram);
  const [pool] = PublicKey.findProgramAddressSync([Buffer.from('pool'), Buffer.from([0, 0]), ...seeds], program);
  expect(pool.toBase58()).toBe(migration?.fields.pool);
});
