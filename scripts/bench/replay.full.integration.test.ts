import { expect, test } from 'vitest';
import { quickRun } from './testing/quick-run.ts';

test('a quick run of the replay benchmark prints one JSON line, and its run buys and sells', async () => {
  const report = await quickRun('replay');
  expect(report).toMatchObject({
    bench: 'replay',
    speed: expect.any(Number),
    writtenPerSecond: expect.any(Number),
    isSound: true,
    pass: true,
  });
}, 60_000);
