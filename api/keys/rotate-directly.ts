import { pathToFileURL } from 'node:url';
import type { Config } from '../config/config.ts';
import { withConnection } from '../platform/database.ts';
import { runDirectly } from '../process.ts';
import { rotateMasterKey } from './rotate.ts';

/** Changes the master key of the database at `mongoUri`. */
export function rotate(config: Config, mongoUri: string, print: (line: string) => void): Promise<void> {
  return withConnection(config, mongoUri, (connection) => rotateMasterKey(connection, config, print));
}

/** Entry point for a container, which has the built server only: `node .build/server/api/keys/rotate-directly.js`. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await runDirectly('rotate-master-key', (config, mongoUri) => rotate(config, mongoUri, print));
}
