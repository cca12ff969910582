import { expect, test } from 'vitest';
import { boughtOrder, fill } from '../testing/fixtures.ts';
import { resultText } from './order-text.ts';

test('the SOL of a purchase, of the sale of everything and the profit add up, as both name the rent [T-08]', () => {
  const { costs } = fill();
  const none = { ...costs, accountRentLamports: 0, returnedRentLamports: 0 };
  const bought = boughtOrder(1, {
    fill: fill({ lamports: 50_000_000, costs: { ...none, accountRentLamports: 2_039_000 } }),
  });
  const sold = boughtOrder(2, {
    side: 'sell',
    fill: fill({ lamports: 48_865_000, costs: { ...none, returnedRentLamports: 2_039_000 } }),
  });
  expect(resultText(bought)).toMatch(/ for 0\.052144 SOL with all costs, of which 0\.002039 SOL of rent come back$/);
  expect(resultText(sold)).toMatch(/ for 0\.04876 SOL after fees, and 0\.002039 SOL of rent back$/);
  // More of a token, and a sale of a part, move no rent.
  expect(resultText({ ...bought, fill: fill({ costs: none }) })).toMatch(/ SOL with all costs$/);
  expect(resultText({ ...sold, fill: fill({ costs: none }) })).toMatch(/ SOL after fees$/);
});
