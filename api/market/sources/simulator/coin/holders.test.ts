import { expect, test } from 'vitest';
import { Dice, seededRandom } from '../random.ts';
import { Ledger } from './holders.ts';

test('a wallet gives away what it holds and no more', () => {
  const ledger = new Ledger();
  ledger.add('a', 5);
  ledger.add('a', 5);
  expect(ledger.take('a', 4)).toBe(4);
  expect(ledger.take('a', 100)).toBe(6);
  expect(ledger.take('a', 1)).toBe(0);
  expect(ledger.size).toBe(0);
});

test('leaving wallets do not disturb the others', () => {
  const ledger = new Ledger();
  for (const [place, wallet] of ['a', 'b', 'c', 'd'].entries()) ledger.add(wallet, place + 1);
  ledger.take('a', 1);
  ledger.take('d', 4);
  expect(ledger.largest(10)).toEqual([
    { wallet: 'c', amount: 3 },
    { wallet: 'b', amount: 2 },
  ]);
  expect(ledger.holds('d')).toBe(0);
});

test('the largest of several picked holders is chosen; nobody when there is none', () => {
  const dice = new Dice(seededRandom('ledger'));
  const ledger = new Ledger();
  expect(ledger.pick(dice)).toBeNull();
  ledger.add('small', 1);
  ledger.add('large', 9);
  expect(ledger.pick(dice, 50)?.wallet).toBe('large');
});
