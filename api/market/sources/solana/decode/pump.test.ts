import { describe, expect, test } from 'vitest';
import { noAddress, usdc, usdt, wrappedSol } from '../programs.ts';
import { encodeEvent } from '../testing/encode.ts';
import {
  appendedCreateFields,
  appendedTradeFields,
  completeEvent,
  createEvent,
  migrationEvent,
  someMint,
  somePool,
  tradeEvent,
} from '../testing/events.ts';
import { createPoolRegistry } from './pools.ts';
import { type EventContext, quoteKind } from './protocol.ts';
import { createPump } from './pump.ts';
import type { PumpEvent } from './pump-events.ts';

const context: EventContext = {
  source: 'solana',
  cluster: 'devnet',
  chain: { signature: 'sig', index: 2, slot: 7 },
  receivedAt: 1_783_165_100_123,
  shift: 0,
  slotMs: 200,
};
const base = {
  source: 'solana',
  chain: context.chain,
  address: someMint,
  at: 1_783_165_099_000,
  receivedAt: context.receivedAt,
};

function observed(event: PumpEvent, change: Partial<EventContext> = {}) {
  return createPump(createPoolRegistry()).read(encodeEvent(event), { ...context, ...change });
}

describe('pump.fun', () => {
  test('a creation', () => {
    expect(observed(createEvent({ ...appendedCreateFields, is_mayhem_mode: true }))).toEqual({
      ok: true,
      observation: {
        kind: 'created',
        ...base,
        name: 'Some Coin',
        symbol: 'SOME',
        uri: 'https://example.com/some.json',
        creator: 'CZ5H8Fiuf6HCLQXeNuZio9yU63d2un6Nu5PnrD1YwnR8',
        user: 'CZ5H8Fiuf6HCLQXeNuZio9yU63d2un6Nu5PnrD1YwnR8',
        bondingCurve: '8i4SjUsjpj16zD8MLWFi4PMZq9XQpPJG3tTYXr7xoL4o',
        quote: 'SOL',
        decimals: 6,
        totalSupply: '1000000000000000',
        reserves: {
          virtualQuote: 30_000_000_000,
          virtualToken: 1_073_000_000_000_000,
          realQuote: 0,
          realToken: 793_100_000_000_000,
        },
        launchpad: 'pump.fun',
        cluster: 'devnet',
        mayhem: true,
        cashback: true,
        slotMs: 200,
      },
    });
  });

  test('a trade of an older program: SOL, creator unknown', () => {
    expect(observed(tradeEvent({ is_buy: false }))).toMatchObject({
      ok: true,
      observation: {
        kind: 'trade',
        ...base,
        side: 'sell',
        quote: 'SOL',
        quoteAmount: 1_500_000_000,
        tokenAmount: 51_095_238_095_238,
        creator: null,
        venue: 'curve',
        reserves: {
          virtualQuote: 31_500_000_000,
          virtualToken: 1_021_904_761_904_762,
          realQuote: 1_500_000_000,
          realToken: 742_004_761_904_762,
        },
      },
    });
  });

  test('a coin quoted in USDC by its quote fields, as the sol fields are 0', () => {
    const event = tradeEvent({
      ...appendedTradeFields,
      sol_amount: 0n,
      virtual_sol_reserves: 0n,
      real_sol_reserves: 0n,
      quote_mint: usdc,
      quote_amount: 3_517_192n,
      virtual_quote_reserves: 9_798_461_752n,
      real_quote_reserves: 25_148_140n,
    });
    expect(observed(event)).toMatchObject({
      observation: {
        quote: 'USDC',
        quoteAmount: 3_517_192,
        reserves: { virtualQuote: 9_798_461_752, realQuote: 25_148_140 },
      },
    });
  });

  test('an empty creator as unknown', () => {
    const event = tradeEvent({ ...appendedTradeFields, creator: noAddress });
    expect(observed(event)).toMatchObject({ observation: { creator: null } });
  });

  test('a completed curve', () => {
    expect(observed(completeEvent())).toEqual({ ok: true, observation: { kind: 'completed', ...base } });
  });

  test('a migration, with its amount only when quoted in SOL', () => {
    const at = 1_783_165_200_000;
    const observation = { kind: 'migrated', ...base, at, pool: somePool };
    const [quote, token] = [84_990_359_057, 206_900_000_000_000];
    const reserves = { virtualQuote: quote, virtualToken: token, realQuote: quote, realToken: token };
    expect(observed(migrationEvent())).toEqual({
      ok: true,
      observation: { ...observation, quoteAmount: quote, reserves },
    });
    expect(observed(migrationEvent({ quote_mint: usdc }))).toEqual({
      ok: true,
      observation: { ...observation, quoteAmount: null },
    });
  });

  test('a replay with shifted block times only', () => {
    const moved = observed(completeEvent(), { source: 'replay', shift: 5_000 });
    expect(moved).toEqual({
      ok: true,
      observation: { kind: 'completed', ...base, source: 'replay', at: base.at + 5_000 },
    });
  });

  test.each([wrappedSol, usdc, usdt, noAddress])('rejects the quote mint %s as a coin', (mint) => {
    expect(observed(createEvent({ mint }))).toEqual({ ok: false, reason: 'quote-mint' });
    expect(observed(tradeEvent({ mint }))).toEqual({ ok: false, reason: 'quote-mint' });
  });

  test('rejects amounts beyond a double', () => {
    const largest = BigInt(Number.MAX_SAFE_INTEGER);
    expect(observed(tradeEvent({ token_amount: largest }))).toMatchObject({ ok: true });
    expect(observed(tradeEvent({ token_amount: largest + 1n }))).toEqual({ ok: false, reason: 'too-large' });
    expect(observed(tradeEvent({ real_token_reserves: 2n ** 64n - 1n }))).toEqual({ ok: false, reason: 'too-large' });
    expect(observed(createEvent({ virtual_token_reserves: largest + 1n }))).toEqual({ ok: false, reason: 'too-large' });
    expect(observed(migrationEvent({ sol_amount: largest + 1n }))).toEqual({ ok: false, reason: 'too-large' });
    // The supply stays a string, so any u64 is valid.
    const supply = 2n ** 64n - 1n;
    expect(observed(createEvent({ token_total_supply: supply }))).toMatchObject({
      observation: { totalSupply: supply.toString() },
    });
  });

  test.each([-1n, 0n, 2n ** 62n])('rejects the block time %s', (timestamp) => {
    expect(observed(tradeEvent({ timestamp }))).toEqual({ ok: false, reason: 'bad-time' });
  });
});

test('quoteKind: native SOL, wrapped SOL and a missing quote mint are SOL', () => {
  expect([undefined, noAddress, wrappedSol, usdc, usdt].map(quoteKind)).toEqual(['SOL', 'SOL', 'SOL', 'USDC', 'other']);
});
