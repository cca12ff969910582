import { expect, test } from 'vitest';
import { type DetectionStats, detectionStatsSchema } from '../../common/diagnostics/model.ts';
import { testServer } from '../test-server.ts';
import { person, socketOf } from '../testing/people.ts';
import { justLaunched } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';

const PATH = '/api/debug/token-detection-stats';

const server = await testServer({
  stored: [justLaunched()],
  env: { MARKET: 'simulator', MARKET_RATE: '60', MARKET_SEED: '3' },
});

test('returns the statistics to administrators only, and emits changes to their page [S7.3-22, S2.15-01]', async () => {
  const admin = await person(server, 'Root', { isAdmin: true });
  const user = await person(server, 'User');
  expect(await user.call(PATH)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await server.fetchJson(PATH)).toMatchObject({ status: 401 });

  const socket = await socketOf(server, admin);
  const emitted: DetectionStats[] = [];
  socket.on('detection-stats', (stats) => emitted.push(detectionStatsSchema.parse(stats)));
  await socket.emitWithAck('subscribe', { topic: 'diagnostics' });
  await expect.poll(() => emitted.length, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(emitted.at(-1)?.coverage.sources).toEqual(['simulator']);

  const stats = async () => detectionStatsSchema.parse((await admin.call(PATH)).body);
  await expect.poll(async () => (await stats()).coverage.bySource[0]?.seen, { timeout: 20_000 }).toBeGreaterThan(0);
  const stored = await tokenModels(server.connection).tokens.countDocuments();
  await expect
    .poll(async () => (await stats()).tokenStats.totalTokens, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(stored);
});
