import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumArgs, chromiumPath } from './chromium.ts';

const root = path.resolve(import.meta.dirname, '..');
const cacheDir = 'node_modules/.cache/vite';
const integration = '{api,realtime,common,scripts}/**/*.integration.test.ts';
const browser = 'web/**/*.browser.test.tsx';
/**
 * For tests that need nothing but the processor: threads start sooner than processes, and no core is left idle. The
 * time-out is for those that are stuck, however busy the machine.
 */
const fast = { pool: 'threads', maxWorkers: '100%', testTimeout: 30_000 } as const;

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
          setupFiles: ['./web/testing/setup.ts'],
        },
      },
      {
        root,
        test: {
          name: 'integration',
          environment: 'node',
          include: [integration],
          globalSetup: ['./scripts/testing/mongo-setup.ts', './scripts/testing/chain-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Two cores: more files side by side would measure the machine instead of the product.
          maxWorkers: 2,
        },
      },
      {
        root,
        plugins: [react(), tailwindcss()],
        cacheDir,
        // Found before the first test, or a first run would reload in the middle, and hold React twice.
        optimizeDeps: { entries: [browser, 'web/testing/browser-setup.ts', 'web/main.tsx'] },
        test: {
          name: 'browser',
          include: [browser],
          setupFiles: ['./web/testing/browser-setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            api: { host: '127.0.0.1' },
            provider: playwright({ launchOptions: { executablePath: chromiumPath, args: chromiumArgs } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
