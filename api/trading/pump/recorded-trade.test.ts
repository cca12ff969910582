import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDecoder } from '../../market/sources/solana/decode/decode-event.ts';
import { pumpEvents } from '../../market/sources/solana/decode/pump-events.ts';
import { fixture } from '../../market/sources/solana/testing/events.ts';
import { buyExactQuoteIn, type CurveTrade, tokenAccountOf } from './instructions.ts';
import { pumpAddresses, pumpDiscriminators, type TradeAccount, tradeAccounts } from './interface.ts';

/**
 * A purchase on mainnet by the instruction `buy_v2`, which has the accounts of `buy_exact_quote_in_v2` and two amounts as well. Its
 * quote is USDC, and another program calls it for a wallet that this program signs for.
 */
const recorded = z
  .object({
    result: z.object({
      transaction: z.object({
        message: z.object({ accountKeys: z.array(z.object({ pubkey: z.string(), writable: z.boolean() })) }),
      }),
      meta: z.object({
        logMessages: z.array(z.string()),
        innerInstructions: z.array(
          z.object({
            instructions: z.array(
              z.object({
                programId: z.string(),
                accounts: z.array(z.string()).default([]),
                data: z.string().default(''),
              }),
            ),
          }),
        ),
      }),
    }),
  })
  .parse(JSON.parse(fixture('getTransaction_buy_v2_usdc_quoted.json'))).result;

const names = tradeAccounts.map(([name]) => name);
const trade = recorded.meta.innerInstructions
  .flatMap(({ instructions }) => instructions)
  .find(({ programId, accounts }) => programId === pumpAddresses.program && accounts.length === names.length);
const accounts = trade?.accounts ?? [];
const data = Buffer.from(bs58.decode(trade?.data ?? ''));

/** Returns an account of the recorded instruction by its name in ours. */
const recordedAccount = (name: TradeAccount): string => accounts[names.indexOf(name)] ?? expect.fail(name);

/** Returns the creator that the program named in its event. */
function recordedCreator(): string {
  const decode = createDecoder(pumpEvents);
  for (const line of recorded.meta.logMessages) {
    const [, base64] = /^Program data: (\S+)/.exec(line) ?? [];
    const decoded = base64 === undefined ? null : decode(Buffer.from(base64, 'base64'));
    if (decoded?.ok && decoded.event.name === 'TradeEvent')
      return decoded.event.fields.creator ?? expect.fail('no creator');
  }
  return expect.fail('no event');
}

/** Token accounts for the quote, which differs from ours, by the account that owns each. */
const quoteAccounts: Partial<Record<TradeAccount, TradeAccount>> = {
  associated_quote_fee_recipient: 'fee_recipient',
  associated_quote_buyback_fee_recipient: 'buyback_fee_recipient',
  associated_quote_bonding_curve: 'bonding_curve',
  associated_quote_user: 'user',
  associated_creator_vault: 'creator_vault',
  associated_user_volume_accumulator: 'user_volume_accumulator',
};

test('a purchase recorded on mainnet, encoded again from its facts, has the same accounts, rights and amounts', () => {
  const facts: CurveTrade = {
    mint: recordedAccount('base_mint'),
    tokenProgram: recordedAccount('base_token_program'),
    creator: recordedCreator(),
    user: recordedAccount('user'),
    feeRecipient: recordedAccount('fee_recipient'),
    buybackRecipient: recordedAccount('buyback_fee_recipient'),
  };
  const encoded = buyExactQuoteIn(facts, data.readBigUInt64LE(8), data.readBigUInt64LE(16));
  const encodedKey = (name: TradeAccount) => encoded.keys[names.indexOf(name)]?.pubkey ?? expect.fail(name);
  const [quoteProgram, quote] = [encodedKey('quote_token_program'), new PublicKey(recordedAccount('quote_mint'))];
  expect(encodedKey('quote_mint').equals(quote)).toBe(false);
  const encodedFor = (name: TradeAccount): string => {
    const owner = quoteAccounts[name];
    if (name === 'quote_mint') return quote.toBase58();
    return (owner ? tokenAccountOf(encodedKey(owner), quoteProgram, quote) : encodedKey(name)).toBase58();
  };
  expect(names.map((name) => [name, encodedFor(name)])).toEqual(names.map((name) => [name, recordedAccount(name)]));
  const writable = new Set(recorded.transaction.message.accountKeys.flatMap((key) => (key.writable ? key.pubkey : [])));
  expect(names.map((name, at) => [name, encoded.keys[at]?.isWritable])).toEqual(
    names.map((name) => [name, writable.has(recordedAccount(name))]),
  );
  expect(encoded.programId.toBase58()).toBe(trade?.programId);
  expect(encoded.data.subarray(8)).toEqual(data.subarray(8));
});

test('the recorded instruction is named as ours are', () => {
  const discriminatorOf = (name: string) => createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16);
  expect(data.toString('hex', 0, 8)).toBe(discriminatorOf('buy_v2'));
  for (const [name, bytes] of Object.entries(pumpDiscriminators)) expect(bytes).toBe(discriminatorOf(name));
});
