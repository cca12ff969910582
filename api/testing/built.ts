import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Returns the built file of an entry of `scripts/vite.config.ts`: `api/main.ts` → `<root>/.build/server/api/main.js`. The integration tests build the
 * server before they start, since a built process starts about a second sooner than its sources.
 */
export function builtFile(source: string): string {
  return path.join(root, '.build/server', source.replace(/\.ts$/, '.js'));
}
