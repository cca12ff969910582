import { expect, test } from 'vitest';
import { quickRun } from './testing/quick-run.ts';

test('a quick run of the benchmark of the client prints one JSON line with every figure', async () => {
  const figure = { value: expect.any(Number), bar: expect.any(String), pass: expect.any(Boolean) };
  expect(await quickRun('client')).toMatchObject({
    bench: 'client',
    quick: true,
    figures: {
      frameP95: figure,
      scrollFrame: figure,
      longestTask: figure,
      heapRatio: figure,
      controlFrameP95: figure,
    },
  });
}, 240_000);
