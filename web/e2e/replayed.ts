/** The second server of the end-to-end tests: replays the recorded mainnet frames as fast as possible. */
const port = Number(process.env.E2E_REPLAY_PORT ?? 4312);
const recording = 'api/market/recordings/pump-mainnet-2026-07-04';

export const replayed = {
  port,
  url: `http://127.0.0.1:${port}`,
  frames: `${recording}.jsonl`,
  /** The events of the frames, decoded independently of the product. */
  expected: `${recording}.expected.jsonl`,
  admin: { username: 'admin', password: 'e2e-admin-password' },
};
