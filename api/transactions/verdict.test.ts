import { describe, expect, test } from 'vitest';
import type { ChainTransaction } from './chain-reader.ts';
import { NOT_YOURS, receivers, verdictOf } from './verdict.ts';

const OWN = 'Own';
const FEE = 5_000;

function chain(given: Partial<ChainTransaction> = {}): ChainTransaction {
  return {
    feePayer: OWN,
    feeLamports: FEE,
    error: null,
    transfers: [{ from: OWN, to: 'Other', lamports: 7n }],
    ...given,
  };
}
const out = { type: 'transfer_out', wallet: OWN } as const;
const airdrop = { type: 'airdrop', wallet: OWN } as const;

describe('the verdict of the chain [S4-14]', () => {
  test("an outgoing transfer is confirmed with the chain's figures", () => {
    expect(verdictOf(out, chain())).toEqual({
      status: 'confirmed',
      lamports: 7,
      feeLamports: FEE,
      counterparty: 'Other',
      failure: null,
    });
  });

  test('the fee is unknown to users who did not pay it', () => {
    expect(verdictOf(out, chain({ feePayer: 'Sponsor' }))).toMatchObject({ feeLamports: null });
    const given = chain({ feePayer: 'Faucet', transfers: [{ from: 'Faucet', to: OWN, lamports: 9n }] });
    expect(verdictOf(airdrop, given)).toEqual({
      status: 'confirmed',
      lamports: 9,
      feeLamports: null,
      counterparty: 'Faucet',
      failure: null,
    });
  });

  test.each([
    ['a transfer between others', out, [{ from: 'A', to: 'B', lamports: 1n }]],
    ['a transfer into the wallet reported as one out of it', out, [{ from: 'A', to: OWN, lamports: 1n }]],
    ['no transfer at all', out, []],
    ['a transfer out reported as an airdrop', airdrop, [{ from: OWN, to: 'A', lamports: 1n }]],
    ['a transfer to oneself reported as an airdrop', airdrop, [{ from: OWN, to: OWN, lamports: 1n }]],
  ])('%s is not a transfer of the wallet, and reveals nothing of it', (_name, record, transfers) => {
    expect(verdictOf(record, chain({ transfers }))).toEqual({
      status: 'failed',
      lamports: null,
      feeLamports: null,
      counterparty: null,
      failure: NOT_YOURS,
    });
  });

  test('several recipients add up to no single counterparty, and each receives their part', () => {
    const transfers = [
      { from: OWN, to: 'A', lamports: 1n },
      { from: OWN, to: 'B', lamports: 2n },
      { from: OWN, to: 'A', lamports: 4n },
      { from: 'A', to: 'B', lamports: 100n },
    ];
    expect(verdictOf(out, chain({ transfers }))).toMatchObject({ lamports: 7, counterparty: null });
    expect(receivers(OWN, chain({ transfers }))).toEqual([
      { address: 'A', lamports: 5 },
      { address: 'B', lamports: 2 },
    ]);
  });

  test('more lamports than a number holds exactly are unknown, not approximate', () => {
    const transfers = (lamports: bigint) => [{ from: OWN, to: 'A', lamports }];
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    expect(verdictOf(out, chain({ transfers: transfers(most) }))).toMatchObject({ lamports: Number(most) });
    expect(verdictOf(out, chain({ transfers: transfers(most + 1n), error: 'X' }))).toMatchObject({ lamports: null });
    expect(receivers(OWN, chain({ transfers: transfers(2n ** 64n - 1n) }))).toEqual([{ address: 'A', lamports: null }]);
  });

  test.each([
    [{ InstructionError: [0, { Custom: 1 }] }, 'The network refused it: the wallet did not hold enough SOL.'],
    ['InsufficientFundsForFee', 'The network refused it: the wallet did not hold enough SOL.'],
    [
      { InsufficientFundsForRent: { account_index: 1 } },
      'The network refused it: an account would have kept less SOL than it must hold.',
    ],
    [{ InstructionError: [0, 'InvalidArgument'] }, 'The network refused it (InvalidArgument).'],
    [{ InstructionError: [1, { Custom: 6001 }] }, 'The network refused it (Custom 6001).'],
    ['AccountInUse', 'The network refused it (AccountInUse).'],
    [{}, 'The network refused it.'],
    [42, 'The network refused it.'],
  ])('an error on the chain becomes a sentence, and the fee is still paid: %j', (error, failure) => {
    expect(verdictOf(out, chain({ error }))).toEqual({
      status: 'failed',
      lamports: 7,
      feeLamports: FEE,
      counterparty: 'Other',
      failure,
    });
  });
});
