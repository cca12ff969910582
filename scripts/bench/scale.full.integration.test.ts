import { expect, inject, test } from 'vitest';
// Declares the type of the provided 'redisUrl'.
import type {} from '../../realtime/testing/redis.ts';
import { quickRun } from './testing/quick-run.ts';

const isSkipped = inject('redisUrl') === null;

test.skipIf(isSkipped)(
  'clients that reconnect with their position get each frame that they missed',
  async () => {
    expect(await quickRun('scale')).toMatchObject({
      bench: 'scale',
      pass: true,
      figures: { reconnects: 40, replayedFrames: 800, sessionLookups: 40, lostOrDoubled: 0 },
    });
  },
  120_000,
);

test.skipIf(isSkipped)(
  'the run fails when they reconnect without it',
  async () => {
    const report = await quickRun('scale', '--without-position');
    expect(report).toMatchObject({ pass: false, figures: { replayedFrames: 0 } });
  },
  120_000,
);
