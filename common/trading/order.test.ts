import { expect, test } from 'vitest';
import { noExits } from './account.ts';
import { newOrderSchema } from './order.ts';

const order = {
  clientId: '3f8b2c1e-5a4d-4c6b-9e7f-1a2b3c4d5e6f',
  side: 'buy',
  address: '1'.repeat(32),
  lamports: 1,
  from: 'page',
  accept: [],
};

test('a request for an order names the mode that the user was shown [T-01]', () => {
  expect(newOrderSchema.safeParse({ ...order, mode: 'paper' }).success).toBe(true);
  for (const mode of [undefined, null, 'off']) {
    const issues = newOrderSchema.safeParse({ ...order, mode }).error?.issues;
    expect(issues).toMatchObject([{ path: ['mode'] }]);
  }
});

test('only a sale names a position', () => {
  const positionId = '5f0000000000000000000001';
  const sale = { ...order, mode: 'paper', side: 'sell', lamports: undefined, sharePercent: 50, positionId };
  expect(newOrderSchema.safeParse(sale).success).toBe(true);
  const issues = newOrderSchema.safeParse({ ...order, mode: 'paper', positionId }).error?.issues;
  expect(issues).toMatchObject([{ path: ['positionId'] }]);
});

test('a sale of the initial names its position, and only a purchase sets exits', () => {
  const positionId = '5f0000000000000000000001';
  const sale = { ...order, mode: 'paper', side: 'sell', lamports: undefined, initial: true };
  expect(newOrderSchema.safeParse({ ...sale, positionId }).success).toBe(true);
  expect(newOrderSchema.safeParse(sale).error?.issues).toMatchObject([{ path: ['positionId'] }]);
  expect(newOrderSchema.safeParse({ ...order, mode: 'paper', exits: noExits }).success).toBe(true);
  const withExits = newOrderSchema.safeParse({ ...sale, positionId, exits: noExits });
  expect(withExits.error?.issues).toMatchObject([{ path: ['exits'] }]);
});

test('a negative amount has one error, which names the least amount', () => {
  const issues = newOrderSchema.safeParse({ ...order, mode: 'paper', lamports: -1 }).error?.issues;
  expect(issues).toMatchObject([{ path: ['lamports'], code: 'too_small', minimum: 1 }]);
});
