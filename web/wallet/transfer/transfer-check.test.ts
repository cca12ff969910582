import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeAddress } from '../../chain/testing/fake-chain.ts';
import { exactSol, formatBalance, groupsOfFour } from '../amounts.ts';
import { mostSendable, planOf, type TransferDraft, type TransferFacts, transferSchema } from './transfer-check.ts';

const SOL = 1_000_000_000n;
const RENT = 890_880n;
const recipient = fakeAddress(2);

/** Returns the first error of each field. */
function draftErrors(draft: TransferDraft, balance: bigint | null): Record<string, string> {
  const issues = transferSchema(balance).safeParse(draft).error?.issues ?? [];
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join(), message]));
}

describe('the input', () => {
  test('an empty recipient is required [S5-11]', () => {
    expect(draftErrors({ recipient: '  ', amount: '1' }, 2n * SOL)).toEqual({
      recipient: 'Please enter a recipient address.',
    });
  });

  test.each([
    ['shorter than 32 characters', 'A'.repeat(31)],
    ['not base58', '0'.repeat(44)],
    ['not of 32 bytes', 'z'.repeat(44)],
    ['too long', 'A'.repeat(100)],
  ])('a recipient %s is not an address [S5-12]', (_, text) => {
    expect(draftErrors({ recipient: text, amount: '1' }, 2n * SOL)).toEqual({
      recipient: 'Please enter a valid Solana wallet address.',
    });
  });

  test.each(['', 'abc', '0', '-1', '0.0000000001', 'NaN', 'Infinity', '1,5'])(
    '%j is not an amount greater than 0 [S5-13]',
    (amount) => {
      expect(draftErrors({ recipient, amount }, 2n * SOL)).toEqual({
        amount: 'Please enter a valid amount greater than 0.',
      });
    },
  );

  test('rejects an amount above the known balance, not the balance itself or with an unknown one [S5-14]', () => {
    const errors = { amount: 'Transfer amount exceeds your wallet balance.' };
    expect(draftErrors({ recipient, amount: '1.000000001' }, SOL)).toEqual(errors);
    expect(draftErrors({ recipient, amount: '1' }, SOL)).toEqual({});
    expect(draftErrors({ recipient, amount: '5' }, null)).toEqual({});
  });

  test('truncates fractions of a lamport [S5-15]', () => {
    expect(draftErrors({ recipient, amount: '1.0000000009' }, SOL)).toEqual({});
  });

  test('each field has its own error', () => {
    expect(draftErrors({ recipient: '', amount: '' }, SOL)).toEqual({
      recipient: 'Please enter a recipient address.',
      amount: 'Please enter a valid amount greater than 0.',
    });
  });
});

describe('the plan', () => {
  const facts: TransferFacts = {
    from: fakeAddress(1),
    to: recipient,
    lamports: SOL,
    balance: 2n * SOL,
    fee: 5000n,
    recipientLamports: SOL,
    recipientKind: 'wallet',
    rentMinimum: RENT,
  };
  const errorOf = (changed: Partial<TransferFacts>) => {
    const result = planOf({ ...facts, ...changed });
    return 'amountError' in result ? result.amountError : null;
  };
  const planFor = (changed: Partial<TransferFacts>) => {
    const result = planOf({ ...facts, ...changed });
    if ('amountError' in result) throw new Error(result.amountError);
    return result.plan;
  };

  test('has the remaining balance', () => {
    expect(planFor({})).toMatchObject({ lamports: SOL, fee: 5000n, left: SOL - 5000n, warnings: [] });
  });

  test('requires the balance to cover the fee', () => {
    expect(errorOf({ lamports: 2n * SOL })).toBe(
      'The fee of 0.000005 SOL must stay: you can send at most 1.999995 SOL.',
    );
    expect(errorOf({ lamports: 3n * SOL })).toBe('Transfer amount exceeds your wallet balance.');
    expect(planFor({ lamports: mostSendable(2n * SOL, 5000n) }).left).toBe(0n);
  });

  test('rejects a remainder that no account may hold', () => {
    expect(errorOf({ lamports: 2n * SOL - (RENT + 4999n) })).toBe(
      'A wallet must keep 0.00089088 SOL or nothing: send exactly 1.999995 SOL to empty the wallet, or at most 1.99910412 SOL.',
    );
    expect(planFor({ lamports: 2n * SOL - (RENT + 5000n) }).left).toBe(RENT);
  });

  test('requires the minimum balance for a recipient without an account', () => {
    const fresh = { recipientLamports: 0n, recipientKind: 'none' as const };
    expect(errorOf({ ...fresh, lamports: RENT - 1n })).toMatch(
      /^This address has no account yet.*at least 0\.00089088 SOL/,
    );
    expect(planFor({ ...fresh, lamports: RENT }).warnings).toEqual([
      expect.stringContaining('has never received anything'),
    ]);
  });

  test('warns about the own address and about programs', () => {
    const own = planFor({ to: facts.from });
    expect(own.warnings).toEqual(['This is your own address: you only pay the fee.']);
    expect(own.left).toBe(2n * SOL - 5000n);
    expect(planFor({ recipientKind: 'program' }).warnings).toEqual([expect.stringContaining('belongs to a program')]);
  });

  test('never leaves an account that the network would refuse', () => {
    const lamports = fc.bigInt({ min: 0n, max: 3n * SOL });
    fc.assert(
      fc.property(lamports, fc.bigInt({ min: 1n, max: 3n * SOL }), lamports, (balance, amount, recipientLamports) => {
        const result = planOf({ ...facts, balance, lamports: amount, recipientLamports });
        if ('amountError' in result) return;
        expect(result.plan.left + amount + 5000n).toBe(balance);
        expect(result.plan.left === 0n || result.plan.left >= RENT).toBe(true);
        expect(recipientLamports + amount >= RENT).toBe(true);
      }),
    );
  });
});

describe('formatted amounts', () => {
  test('a balance is truncated to 4 decimals [S2.12-13]', () => {
    expect(formatBalance(0n)).toBe('0.0000');
    expect(formatBalance(99_999n)).toBe('0.0000');
    expect(formatBalance(1_234_567_890n)).toBe('1.2345');
    expect(formatBalance(1_999_999_999n)).toBe('1.9999');
    expect(formatBalance(9_007_199_254_740_993n)).toBe('9007199.2547');
    expect(exactSol(1_999_999_999n)).toBe('1.999999999 SOL');
  });

  test('the groups of an address make the whole address', () => {
    const groups = groupsOfFour(recipient);
    expect(groups.map(({ text }) => text).join('')).toBe(recipient);
  });
});
