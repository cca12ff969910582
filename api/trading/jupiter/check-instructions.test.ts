import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import type { ReasonCode } from '../../../common/trading/reasons.ts';
import { pumpAddresses } from '../pump/interface.ts';
import type { BuildResponse } from './build-response.ts';
import { type ExpectedSwap, instructionRefusal } from './check-instructions.ts';
import { jupiterProgram } from './swap-terms.ts';
import {
  closeWrapped,
  createTokens,
  mint,
  other,
  purchaseResponse,
  routeInstruction,
  tokenAccount,
  wallet,
  wrappedAccount,
  wrapping,
} from './testing/mainnet-response.ts';

const AMOUNT = 1_000_000_000n;
const QUOTED = 5_000_000n;
const LEAST = 4_900_000n;
const buying: ExpectedSwap = {
  ask: { wallet: wallet.toBase58(), address: mint.toBase58(), side: 'buy' },
  tokenProgram: pumpAddresses.quoteTokenProgram,
  amount: AMOUNT,
  least: LEAST,
};
const response = (fields: Partial<BuildResponse> = {}) => purchaseResponse(AMOUNT, QUOTED, fields);
const refusal = (given: BuildResponse, expected = buying) => instructionRefusal(given, expected, [jupiterProgram]);
const setup = (...more: TransactionInstruction[]) =>
  response({ setupInstructions: [...response().setupInstructions, ...more] });
const token = (data: number[], ...accounts: PublicKey[]) =>
  new TransactionInstruction({
    programId: new PublicKey(pumpAddresses.quoteTokenProgram),
    keys: accounts.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
    data: Buffer.from(data),
  });
const moved = (instruction: TransactionInstruction, from: PublicKey, to: PublicKey) =>
  new TransactionInstruction({
    programId: instruction.programId,
    keys: instruction.keys.map((key) => (key.pubkey.equals(from) ? { ...key, pubkey: to } : key)),
    data: instruction.data,
  });

describe('instructions from Jupiter', () => {
  test('of a purchase and of a sale on mainnet are taken', () => {
    expect(refusal(response())).toBeNull();
    const sale: ExpectedSwap = { ...buying, ask: { ...buying.ask, side: 'sell' }, amount: 70n, least: 60n };
    const sold = routeInstruction({ amountIn: 70n, quotedOut: 60n, discriminator: 'd19853937cfed8e9', id: 3 });
    const [createWrapped] = response().setupInstructions;
    const given = response({ setupInstructions: createWrapped ? [createWrapped] : [], swapInstruction: sold });
    expect(refusal(given, sale)).toBeNull();
    // A sale wraps nothing.
    expect(refusal({ ...given, setupInstructions: [wrapping(1n)] }, sale)?.code).toBe('route-instruction');
  });

  const program = new TransactionInstruction({ programId: other, keys: [] });
  const refused: [string, BuildResponse, ReasonCode][] = [
    ['another program', setup(program), 'route-program'],
    ['another program at the end', response({ cleanupInstruction: program }), 'route-program'],
    ['another signer', setup(wrapping(1n, wrappedAccount, other)), 'route-signer'],
    ['a transfer to another account', setup(wrapping(1n, other)), 'route-instruction'],
    ['a transfer of more than the amount', setup(wrapping(AMOUNT + 1n)), 'route-instruction'],
    [
      'an instruction of the system beside transfers',
      setup(SystemProgram.assign({ accountPubkey: wallet, programId: other })),
      'route-instruction',
    ],
    ['an approval', setup(token([4, ...Buffer.alloc(8, 1)], tokenAccount, other, wallet)), 'route-instruction'],
    ['a change of an authority', setup(token([6, 2, 0], tokenAccount, wallet)), 'route-instruction'],
    [
      'a transfer of tokens',
      setup(token([3, ...Buffer.alloc(8, 1)], tokenAccount, other, wallet)),
      'route-instruction',
    ],
    [
      'the closing of another account',
      response({ cleanupInstruction: moved(closeWrapped, wrappedAccount, tokenAccount) }),
      'route-instruction',
    ],
    [
      'a closing for another account',
      response({ cleanupInstruction: token([9], wrappedAccount, other, wallet) }),
      'route-instruction',
    ],
    ['an account for another token', setup(moved(createTokens, mint, other)), 'route-instruction'],
    ['a tip', response({ tipInstruction: {} }), 'route-instruction'],
    ['a second swap', setup(routeInstruction({ amountIn: AMOUNT, quotedOut: QUOTED })), 'route-instruction'],
    ['no swap', response({ swapInstruction: closeWrapped }), 'route-instruction'],
    [
      'another amount',
      response({ swapInstruction: routeInstruction({ amountIn: AMOUNT + 1n, quotedOut: QUOTED }) }),
      'route-terms',
    ],
    [
      'a lower bound',
      response({ swapInstruction: routeInstruction({ amountIn: AMOUNT, quotedOut: LEAST - 1n }) }),
      'route-terms',
    ],
    [
      'a fee of the platform',
      response({ swapInstruction: routeInstruction({ amountIn: AMOUNT, quotedOut: QUOTED, platformFeeBps: 1 }) }),
      'route-instruction',
    ],
  ];
  test.each(refused)('with %s are not signed [T-46]', (_, given, code) => {
    expect(refusal(given)).toEqual({ code, numbers: {} });
  });
});
