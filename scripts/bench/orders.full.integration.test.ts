import { expect, test } from 'vitest';
import { quickRun } from './testing/quick-run.ts';

test('a quick run of the order benchmark prints one JSON line with every figure, has every order confirmed, and misses the bars with slow parts', async () => {
  const report = await quickRun('orders');
  const figure = { p50: expect.any(Number), p99: expect.any(Number) };
  expect(report).toMatchObject({
    bench: 'orders',
    orders: 10,
    perSecond: expect.any(Number),
    requestedToDecidedMs: figure,
    decidedToHeldMs: figure,
    signMs: figure,
    decidedToSentMs: figure,
    nodeMs: figure,
    sentToConfirmedMs: figure,
    slots: expect.any(Number),
    // The slow parts miss their bars in a short run as well.
    control: {
      slowKeys: expect.arrayContaining(['p50', 'p99', 'signP50']),
      slowLooks: expect.arrayContaining(['slots']),
    },
    pass: true,
  });
  // Each stage takes time: a stage without any was not measured.
  expect(report).not.toMatchObject({ signMs: { p50: 0 } });
}, 120_000);
