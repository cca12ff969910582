import { expect, test } from 'vitest';
import { changeText, solText, unitsText } from './amounts.ts';

test.each([
  [0n, 6, '0'],
  [1n, 6, '0.000001'],
  [1_234_500n, 3, '1,234.5'],
  [-12_345_678_900_000_000n, 6, '−12,345,678,900'],
  [10n ** 24n + 1n, 6, '1,000,000,000,000,000,000.000001'],
  [1_234n, 0, '1,234'],
])('%s base units with %s decimals: %s', (units, decimals, text) => expect(unitsText(units, decimals)).toBe(text));

test('changes have a sign, and no change has no text', () => {
  expect([changeText(5n, 1), changeText(-5n, 1), changeText(0n, 1)]).toEqual(['+0.5', '−0.5', '']);
  expect(solText(1_500_000_000)).toBe('1.5 SOL');
});
