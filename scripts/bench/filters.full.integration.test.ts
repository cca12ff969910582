import { expect, test } from 'vitest';
import { quickRun } from './testing/quick-run.ts';

test('a quick run of the benchmark of filters prints one JSON line with every figure', async () => {
  const figure = { value: expect.any(Number), bar: expect.any(String), pass: expect.any(Boolean) };
  expect(await quickRun('filters')).toMatchObject({
    bench: 'filters',
    quick: true,
    figures: { costToOneList: figure, p99Beyond: figure, costOfEachClient: figure },
    details: { 'one-list': { frames: 100 } },
  });
}, 120_000);
