import { expect, test } from 'vitest';
import { quickRun } from './testing/quick-run.ts';

test('a quick run of the trading benchmark prints one JSON line with every figure, and stores orders', async () => {
  const report = await quickRun('trading');
  expect(report).toMatchObject({
    bench: 'trading',
    share: expect.any(Number),
    storedMs: { p50: expect.any(Number), p99: expect.any(Number) },
    orders: expect.any(Number),
    atOnce: { orders: 40, storedMs: { p50: expect.any(Number), p99: expect.any(Number) } },
    more: Array.from({ length: 3 }, () => expect.objectContaining({ share: expect.any(Number) })),
    pass: expect.any(Boolean),
  });
  expect(report).not.toMatchObject({ orders: 0 });
}, 120_000);
