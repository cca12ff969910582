import { expect, onTestFinished, test } from 'vitest';
import { launchesSchema } from '../../common/launches/http.ts';
import { defaultLimits } from '../http/limits/rate-limits.ts';
import { startTestServer } from '../test-server.ts';

test('visitors without an account read the counts, within a limit for each address', async () => {
  const server = await startTestServer({ limits: { ...defaultLimits, launchesPerAddress: { tries: 2, seconds: 60 } } });
  onTestFinished(() => server.stop());
  const read = () => server.fetchJson('/api/launches');
  const { status, body } = await read();
  expect([status, launchesSchema.parse(body)]).toEqual([200, expect.objectContaining({ lastAt: null })]);
  expect((await read()).status).toBe(200);
  expect((await read()).status).toBe(429);
});
