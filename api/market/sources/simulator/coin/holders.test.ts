import { expect, test } from 'vitest';
import { createDice, seededRandom } from '../random.ts';
import { Holders } from './holders.ts';

test('removes at most the balance of a wallet', () => {
  const holders = new Holders();
  holders.add('a', 5);
  holders.add('a', 5);
  expect(holders.take('a', 4)).toBe(4);
  expect(holders.take('a', 100)).toBe(6);
  expect(holders.take('a', 1)).toBe(0);
  expect(holders.size).toBe(0);
});

test('keeps other wallets when one leaves', () => {
  const holders = new Holders();
  for (const [place, wallet] of ['a', 'b', 'c', 'd'].entries()) holders.add(wallet, place + 1);
  holders.take('a', 1);
  holders.take('d', 4);
  expect(holders.largest(10)).toEqual([
    { wallet: 'c', amount: 3 },
    { wallet: 'b', amount: 2 },
  ]);
  expect(holders.balanceOf('d')).toBe(0);
});

test('picks the largest of several random holders, or null without holders', () => {
  const dice = createDice(seededRandom('ledger'));
  const holders = new Holders();
  expect(holders.pick(dice)).toBeNull();
  holders.add('small', 1);
  holders.add('large', 9);
  expect(holders.pick(dice, 50)?.wallet).toBe('large');
});

test('never picks a wallet whose sales follow a plan, but counts its balance', () => {
  const dice = createDice(seededRandom('plan'));
  const holders = new Holders();
  holders.plan('insider');
  holders.add('insider', 9);
  expect(holders.pick(dice)).toBeNull();
  holders.add('other', 1);
  expect(holders.pick(dice, 50)?.wallet).toBe('other');
  expect(holders.size).toBe(2);
  expect(holders.largest(1)).toEqual([{ wallet: 'insider', amount: 9 }]);
  expect(holders.take('insider', 100)).toBe(9);
  expect([holders.balanceOf('insider'), holders.size]).toEqual([0, 1]);
});
