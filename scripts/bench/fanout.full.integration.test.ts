import { expect, test } from 'vitest';
import { quickRun } from './testing/quick-run.ts';

test('a quick run of the fan-out benchmark prints one JSON line with every figure, and loses and duplicates no update', async () => {
  const report = await quickRun('fanout');
  const figure = { value: expect.any(Number), bar: expect.any(String), pass: expect.any(Boolean) };
  expect(report).toMatchObject({
    bench: 'fanout',
    quick: true,
    control: { value: expect.any(Number) },
    figures: {
      cpuPerFrameToBareWs: figure,
      cpuPerUpdateToEventPerUpdate: figure,
      p99Ms: figure,
      lost: { value: 0, pass: true },
      doubled: { value: 0, pass: true },
      bytesPerUpdate: { value: expect.any(Number), pass: true },
      bytesPerUpdateNamed: { value: expect.any(Number), pass: true },
      heapPerStalledClientMiB: figure,
      lostByOthersWhileStalled: { value: 0, pass: true },
    },
    details: { feed: { updates: 200, deliveredUpdates: 4_000 } },
  });
}, 120_000);
