import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeAddress } from '../../chain/testing/fake-chain.ts';
import { exactSol, grouped, shownSol } from '../amounts.ts';
import { draftErrors, mostSendable, planOf, type TransferFacts } from './transfer-check.ts';

const SOL = 1_000_000_000n;
const RENT = 890_880n;
const recipient = fakeAddress(2);

describe('typed input', () => {
  test('requires a recipient [S5-11]', () => {
    expect(draftErrors({ recipient: '  ', amount: '1' }, 2n * SOL)).toEqual({
      recipient: 'Please enter a recipient address.',
    });
  });

  test.each([
    ['shorter than 32 characters', 'A'.repeat(31)],
    ['not base58', '0'.repeat(44)],
    ['not of 32 bytes', 'z'.repeat(44)],
    ['too long', 'A'.repeat(100)],
  ])('rejects a recipient %s as no address [S5-12]', (_, text) => {
    expect(draftErrors({ recipient: text, amount: '1' }, 2n * SOL)).toEqual({
      recipient: 'Please enter a valid Solana wallet address.',
    });
  });

  test.each(['', 'abc', '0', '-1', '0.0000000001', 'NaN', 'Infinity', '1,5'])(
    'rejects %j as no amount greater than 0 [S5-13]',
    (amount) => {
      expect(draftErrors({ recipient, amount }, 2n * SOL)).toEqual({
        amount: 'Please enter a valid amount greater than 0.',
      });
    },
  );

  test('rejects an amount above the known balance, but not the balance itself or an unknown one [S5-14]', () => {
    const refused = { amount: 'Transfer amount exceeds your wallet balance.' };
    expect(draftErrors({ recipient, amount: '1.000000001' }, SOL)).toEqual(refused);
    expect(draftErrors({ recipient, amount: '1' }, SOL)).toEqual({});
    expect(draftErrors({ recipient, amount: '5' }, null)).toEqual({});
  });

  test('truncates below one lamport, without rounding [S5-15]', () => {
    expect(draftErrors({ recipient, amount: '1.0000000009' }, SOL)).toEqual({});
  });

  test("reports each field's own error", () => {
    expect(draftErrors({ recipient: '', amount: '' }, SOL)).toEqual({
      recipient: 'Please enter a recipient address.',
      amount: 'Please enter a valid amount greater than 0.',
    });
  });
});

describe("the plan by the chain's rules", () => {
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

  test('the plan names the remainder', () => {
    expect(planFor({})).toMatchObject({ lamports: SOL, fee: 5000n, left: SOL - 5000n, warnings: [] });
  });

  test('the fee has to fit', () => {
    expect(errorOf({ lamports: 2n * SOL })).toBe(
      'The fee of 0.000005 SOL must stay: you can send at most 1.999995 SOL.',
    );
    expect(errorOf({ lamports: 3n * SOL })).toBe('Transfer amount exceeds your wallet balance.');
    expect(planFor({ lamports: mostSendable(2n * SOL, 5000n) }).left).toBe(0n);
  });

  test('names a remainder that no account may hold before sending', () => {
    expect(errorOf({ lamports: 2n * SOL - (RENT + 4999n) })).toBe(
      'A wallet must keep 0.00089088 SOL or nothing at all: send exactly 1.999995 SOL to empty the wallet, or at most 1.99910412 SOL.',
    );
    expect(planFor({ lamports: 2n * SOL - (RENT + 5000n) }).left).toBe(RENT);
  });

  test('a recipient without an account must receive the minimum of one', () => {
    const fresh = { recipientLamports: 0n, recipientKind: 'none' as const };
    expect(errorOf({ ...fresh, lamports: RENT - 1n })).toMatch(
      /^This address has no account yet.*at least 0\.00089088 SOL/,
    );
    expect(planFor({ ...fresh, lamports: RENT }).warnings).toEqual([expect.stringContaining('Nothing was ever sent')]);
  });

  test('warns when the recipient is the sender or a program', () => {
    const own = planFor({ to: facts.from });
    expect(own.warnings).toEqual(['This is your own address: only the fee will be gone.']);
    expect(own.left).toBe(2n * SOL - 5000n);
    expect(planFor({ recipientKind: 'program' }).warnings).toEqual([expect.stringContaining('belongs to a program')]);
  });

  test('the maximum never leaves a balance that the network rejects', () => {
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

describe('displayed amounts', () => {
  test('shows a balance with 4 decimals, truncated [S2.12-13]', () => {
    expect(shownSol(0n)).toBe('0.0000');
    expect(shownSol(99_999n)).toBe('0.0000');
    expect(shownSol(1_234_567_890n)).toBe('1.2345');
    expect(shownSol(1_999_999_999n)).toBe('1.9999');
    expect(shownSol(9_007_199_254_740_993n)).toBe('9007199.2547');
    expect(exactSol(1_999_999_999n)).toBe('1.999999999 SOL');
  });

  test('shows an address in groups that add up to the whole address', () => {
    expect(grouped(recipient).join('')).toBe(recipient);
  });
});
