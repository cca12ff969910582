import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts';
import { admin } from './accounts.ts';
import { replayed } from './replayed.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Beside 3000, so that the tests run while the product is in use. */
const port = Number(process.env.E2E_PORT ?? 4311);
const dataDir = process.env.E2E_DATA_DIR ?? freshDataDir();

/** Every worker reads this file again: they inherit the folder that the first reading made. */
function freshDataDir(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-e2e-'));
  process.env.E2E_DATA_DIR = made;
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The whole product on a fresh data directory, once simulated and once replayed, driven by Debian's Chromium. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: path.join(root, '.test-results/e2e'),
  // One server and one market for all: every test has users of its own, and what would take something from the others
  // (the cleaning of the market, a restart) starts a product of its own. Most of a test is waiting: two fit two cores.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 800 },
    // Without a film of the page: what is drawn for it costs more than the test, on pages that never stand still.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: false },
    screenshot: 'only-on-failure',
    // What moves is drawn by the processor here, frame by frame; the test of motion asks for it itself.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromiumPath, args: chromiumArgs },
  },
  // One after the other: both build when the sources have changed.
  webServer: [
    server({ port, dataDir: path.join(dataDir, 'simulated'), market: { MARKET: 'simulator', MARKET_SEED: '7' } }),
    server({
      port: replayed.port,
      dataDir: path.join(dataDir, 'replayed'),
      market: { MARKET: `replay:${replayed.frames}`, REPLAY_SPEED: '0', SOL_USD: '81.63' },
    }),
  ],
});

/** The product as `npm start` runs it. */
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
      ...options.market,
    },
    // The first start of a fresh clone builds server and client.
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 8_000 },
    stdout: 'pipe' as const,
  };
}
