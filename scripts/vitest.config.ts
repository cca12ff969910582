import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumArgs, chromiumPath } from './chromium.ts';
import { effortOf } from './testing/effort.mjs';
import { testEnvironment } from './testing/temporary-folder.mjs';

// For this process and all that it starts.
process.env.TMPDIR = testEnvironment().TMPDIR;

/** Files that only a full run includes, named `….full.test.ts` or `….full.integration.test.ts`. */
const full = '**/*.full.*';
/** Without `TEST_EFFORT`, a test started by hand runs whole. `npm test` sets `landing`, `npm run test:soak` `soak`. */
const effort = effortOf(process.env.TEST_EFFORT);
/** Of every project. */
const shared = { provide: { effort } } as const;
const excluded = effort === 'landing' ? [full] : [];

const root = path.resolve(import.meta.dirname, '..');
const cacheDir = 'node_modules/.cache/vite';
const integration = '{api,realtime,common,scripts}/**/*.integration.test.ts';
const browser = 'web/**/*.browser.test.tsx';
/** A condition may take longer on a busy machine than Vitest's second. */
const polls = { poll: { timeout: 15_000 } } as const;
/** Waits of the tests as long as these polls. */
const waits = './scripts/testing/wait-setup.ts';
/**
 * For tests that only compute: threads start faster than processes and use all cores. Files of one thread share their
 * modules, since loading them again for each file costs more than the tests; a test must therefore leave no state behind.
 * The timeout is for stuck tests, even on a busy machine.
 */
const fast = {
  pool: 'threads',
  isolate: false,
  maxWorkers: '100%',
  testTimeout: 30_000,
  hookTimeout: 30_000,
  expect: polls,
} as const;

export default defineConfig({
  root,
  cacheDir,
  test: {
    projects: [
      {
        root,
        test: {
          name: 'unit',
          ...shared,
          ...fast,
          environment: 'node',
          include: ['{api,realtime,common,scripts}/**/*.test.ts'],
          exclude: [integration, ...excluded],
          setupFiles: [waits],
        },
      },
      {
        root,
        plugins: [react()],
        test: {
          name: 'web',
          ...shared,
          ...fast,
          // In a whole run they have the lowest priority: beside a busy core they may wait for most of a minute.
          testTimeout: 90_000,
          environment: 'happy-dom',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: [browser, ...excluded],
          setupFiles: [waits, './web/testing/setup.ts'],
        },
      },
      {
        root,
        test: {
          name: 'integration',
          ...shared,
          environment: 'node',
          include: [integration],
          exclude: excluded,
          setupFiles: [waits, './scripts/testing/database-setup.ts'],
          globalSetup: [
            './scripts/testing/build-setup.ts',
            './scripts/testing/mongo-setup.ts',
            './scripts/testing/redis-setup.ts',
            './scripts/testing/chain-setup.ts',
          ],
          isolate: false,
          testTimeout: 30_000,
          expect: polls,
          hookTimeout: 60_000,
          // One more than the cores: half of the time these tests wait for processes, timers and sockets.
          maxWorkers: 3,
        },
      },
      {
        root,
        plugins: [react(), tailwindcss()],
        cacheDir,
        // Optimized before the first test: otherwise a first run reloads in the middle and loads React twice.
        optimizeDeps: { entries: [browser, 'web/testing/setup.ts', 'web/main.tsx'] },
        test: {
          name: 'browser',
          ...shared,
          include: [browser],
          exclude: excluded,
          setupFiles: [waits, './web/testing/setup.ts', './web/testing/browser-setup.ts'],
          // Loading the modules again for each file took half of the processor time.
          isolate: false,
          // For stuck tests, as above.
          testTimeout: 30_000,
          expect: polls,
          maxWorkers: 2,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            api: { host: '127.0.0.1' },
            provider: playwright({
              launchOptions: { executablePath: chromiumPath, args: chromiumArgs },
              // Without a GPU, animations cost CPU time.
              contextOptions: { reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
