import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('writes a count with its noun and thousands separators', () => {
  const written = [0, 1, 999, 1_000, 1_234_567].map((count) => counted(count, 'order'));
  expect(written).toEqual(['0 orders', '1 order', '999 orders', '1,000 orders', '1,234,567 orders']);
});
