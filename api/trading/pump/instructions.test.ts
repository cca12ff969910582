import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buyExactQuoteIn, type CurveTrade, sellTokens } from './instructions.ts';
import { pumpDiscriminators, pumpErrors } from './interface.ts';

const accountSchema = z.object({
  name: z.string(),
  writable: z.boolean().default(false),
  signer: z.boolean().default(false),
  address: z.string().optional(),
  seeds: z.array(z.string()).optional(),
  seedProgram: z.string().optional(),
});
type Account = z.infer<typeof accountSchema>;
const published = z
  .object({
    program: z.string(),
    instructions: z.record(
      z.enum(['buy_exact_quote_in_v2', 'sell_v2']),
      z.object({ discriminator: z.string(), accounts: z.array(accountSchema) }),
    ),
    errors: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures/pump-interface.json'), 'utf8')));

const address = () => Keypair.generate().publicKey.toBase58();
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const trade: CurveTrade = {
  mint: address(),
  tokenProgram: TOKEN_2022,
  creator: address(),
  user: address(),
  feeRecipient: address(),
  buybackRecipient: address(),
};

/** The accounts that the published interface leaves to the caller. */
const given: Record<string, string> = {
  base_mint: trade.mint,
  quote_mint: 'So11111111111111111111111111111111111111112',
  base_token_program: TOKEN_2022,
  quote_token_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  fee_recipient: trade.feeRecipient,
  buyback_fee_recipient: trade.buybackRecipient,
  user: trade.user,
  'bonding_curve.creator': trade.creator,
};

/** Returns the address of an account by the published seeds. */
function publishedAddress(accounts: readonly Account[], name: string): string {
  const fixed = given[name];
  if (fixed !== undefined) return fixed;
  // Published without seeds: the wallet's token account of the coin.
  if (name === 'associated_base_user') {
    const seeds = ['user', 'base_token_program', 'base_mint'];
    const vault = accounts.find((account) => account.name === 'associated_base_bonding_curve');
    return derivedBy(accounts, { name, seeds, seedProgram: vault?.seedProgram, writable: true, signer: false });
  }
  const account = accounts.find((other) => other.name === name);
  if (!account) throw new Error(`no account ${name}`);
  return account.address ?? derivedBy(accounts, account);
}

function derivedBy(accounts: readonly Account[], { seeds, seedProgram }: Account): string {
  const bytesOf = (seed: string): Buffer => {
    if (seed.startsWith('"')) return Buffer.from(seed.slice(1, -1));
    if (seed.startsWith('hex:')) return Buffer.from(seed.slice(4), 'hex');
    return Buffer.from(bs58.decode(publishedAddress(accounts, seed)));
  };
  const program = seedProgram === undefined ? new PublicKey(published.program) : new PublicKey(bytesOf(seedProgram));
  return PublicKey.findProgramAddressSync((seeds ?? []).map(bytesOf), program)[0].toBase58();
}

describe('instructions of the bonding curve', () => {
  test.each([
    ['buy_exact_quote_in_v2', buyExactQuoteIn(trade, 1_000_000_000n, 2_000_000n), 27],
    ['sell_v2', sellTokens(trade, 1_000_000_000n, 2_000_000n), 26],
  ] as const)('%s equals the published interface', (name, instruction, count) => {
    const { discriminator, accounts } = published.instructions[name];
    expect(instruction.programId.toBase58()).toBe(published.program);
    expect(instruction.data.toString('hex')).toBe(`${discriminator}00ca9a3b0000000080841e0000000000`);
    expect(accounts).toHaveLength(count);
    expect(
      instruction.keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: pubkey.toBase58(),
        isSigner,
        isWritable,
      })),
    ).toEqual(
      accounts.map(({ name: account, signer, writable }) => ({
        address: publishedAddress(accounts, account),
        isSigner: signer,
        isWritable: writable,
      })),
    );
  });

  test('names discriminators and errors as published', () => {
    expect(pumpDiscriminators).toEqual({
      buy_exact_quote_in_v2: published.instructions.buy_exact_quote_in_v2.discriminator,
      sell_v2: published.instructions.sell_v2.discriminator,
    });
    for (const [name, code] of Object.entries(pumpErrors)) {
      expect(published.errors[code]).toBe(name.charAt(0).toUpperCase() + name.slice(1));
    }
  });
});
