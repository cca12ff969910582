import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts';
import { admin } from './accounts.ts';
import { replayed } from './replayed.ts';

/** `npm test` runs these journeys only; without `TEST_EFFORT`, every test can be started by hand. */
const isLanding = process.env.TEST_EFFORT === 'landing';
const LANDING = /@landing/;

const root = path.resolve(import.meta.dirname, '../..');
/** Not 3000, so that the tests run while the product is in use. */
const port = Number(process.env.E2E_PORT ?? 4311);
const dataDir = process.env.E2E_DATA_DIR ?? freshDataDir();

/** Every worker loads this file: they inherit the directory that the first load has made. */
function freshDataDir(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-e2e-'));
  process.env.E2E_DATA_DIR = made;
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The whole product on a fresh data directory, simulated and in full runs also replayed, driven by Debian's Chromium. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  ...(isLanding && { grep: LANDING }),
  outputDir: path.join(root, '.test-results/e2e'),
  // One server and one market for all: every test has its own users, and a test that would disturb others (a clean-up of
  // the market, a restart) starts its own product. Some mostly wait for a hand or a clock, so three run on two cores.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 800 },
    // A trace of every test would cost a tenth of the processor time; a video costs more than the test.
    trace: process.env.E2E_TRACE ? { mode: 'retain-on-failure', screenshots: false, snapshots: true } : 'off',
    screenshot: 'only-on-failure',
    // Without a GPU, animations cost CPU time; the test of motion enables them itself.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromiumPath, args: chromiumArgs },
  },
  // Sequentially: both build when the sources have changed.
  webServer: [
    server({ port, dataDir: path.join(dataDir, 'simulated'), market: { MARKET: 'simulator', MARKET_SEED: '7' } }),
    ...(isLanding
      ? []
      : [
          server({
            port: replayed.port,
            dataDir: path.join(dataDir, 'replayed'),
            market: { MARKET: `replay:${replayed.frames}`, REPLAY_SPEED: '0', SOL_USD: '81.63' },
          }),
        ]),
  ],
});

/** Returns a server that runs the product as `npm start` does. */
function server(options: { port: number; dataDir: string; market: Record<string, string> }) {
  return {
    command: 'node scripts/start.mjs',
    cwd: root,
    url: `http://127.0.0.1:${options.port}/api/health`,
    env: {
      PORT: String(options.port),
      DATA_DIR: options.dataDir,
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: 'warn',
      // Tests act as a proxy, for clients of many addresses.
      TRUSTED_PROXIES: '127.0.0.1',
      ...options.market,
    },
    // The first start of a fresh clone builds server and client.
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 8_000 },
    stdout: 'pipe' as const,
  };
}
