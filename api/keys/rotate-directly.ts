import { pathToFileURL } from 'node:url';
import { type Config, readConfig, StartError, startFailure } from '../config/config.ts';
import { connectDatabase } from '../platform/database.ts';
import { createLog } from '../platform/log.ts';
import { rotateMasterKey } from './rotate.ts';

/** Changes the master key of the database at `mongoUri`. */
export async function rotate(config: Config, mongoUri: string, print: (line: string) => void): Promise<void> {
  const connection = await connectDatabase(mongoUri, createLog(config.logLevel));
  try {
    await rotateMasterKey(connection, config, print);
  } finally {
    await connection.close();
  }
}

/** Entry point for a container, which has the built server only: `node .build/server/api/keys/rotate-directly.js`. */
async function rotateDirectly(): Promise<void> {
  try {
    const config = readConfig(process.env);
    if (config.mongoUri === null) throw new StartError('MONGODB_URI is not set. See `npm run rotate-master-key`.');
    await rotate(config, config.mongoUri, (line) => void process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await rotateDirectly();
