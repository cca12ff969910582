import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumArgs, chromiumPath } from './chromium.ts';
import { testEnvironment } from './testing/temporary-folder.mjs';

// For this process and all that it starts.
process.env.TMPDIR = testEnvironment().TMPDIR;

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
const fast = { pool: 'threads', isolate: false, maxWorkers: '100%', testTimeout: 30_000, expect: polls } as const;

export default defineConfig({
  root,
  cacheDir,
  test: {
    projects: [
      {
        root,
        test: {
          name: 'unit',
          ...fast,
          environment: 'node',
          include: ['{api,realtime,common,scripts}/**/*.test.ts'],
          exclude: [integration],
          setupFiles: [waits],
        },
      },
      {
        root,
        plugins: [react()],
        test: {
          name: 'web',
          ...fast,
          environment: 'happy-dom',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: [browser],
          setupFiles: [waits, './web/testing/setup.ts'],
        },
      },
      {
        root,
        test: {
          name: 'integration',
          environment: 'node',
          include: [integration],
          setupFiles: [waits, './scripts/testing/database-setup.ts'],
          globalSetup: [
            './scripts/testing/build-setup.ts',
            './scripts/testing/mongo-setup.ts',
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
          include: [browser],
          setupFiles: [waits, './web/testing/setup.ts', './web/testing/browser-setup.ts'],
          // Loading the modules again for each file took half of the processor time.
          isolate: false,
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
