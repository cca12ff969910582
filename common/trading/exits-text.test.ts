import { expect, test } from 'vitest';
import { noExits } from './account.ts';
import { exitTexts } from './exits-text.ts';

test('names each exit shortly, in the order in which they are judged', () => {
  const steps = [{ atPercent: 50, sellPercent: 50 }];
  const all = { stopLossPercent: 20, trailingPercent: 25, maxHoldMs: 1_800_000, takeProfitPercent: 50, steps };
  expect(exitTexts({ ...noExits, ...all })).toEqual(['−20 %', 'trail 25 %', '30 min', '+50 %', '1 step']);
  expect(exitTexts(noExits)).toEqual([]);
});

test.each([
  [10_000, '10 s'],
  [90_000, '90 s'],
  [7_200_000, '2 h'],
  [5_400_000, '90 min'],
  [259_200_000, '3 d'],
])('names %d ms as %s', (maxHoldMs, text) => {
  expect(exitTexts({ ...noExits, maxHoldMs })).toEqual([text]);
});
