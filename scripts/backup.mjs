#!/usr/bin/env node
/**
 * `npm run backup -- <folder>` and `npm run restore -- <folder>`: the database and the local chain, without the key files.
 * A backup works while Mintwatch runs or not, a restore needs it stopped. Exit codes: 0 done; 1 failed, one line gives
 * the reason; 2 wrong usage.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, targets } from './steps/build.mjs';
import { built } from './steps/command.mjs';
import { checkDataDirectory } from './steps/data-directory.mjs';
import { prepare } from './steps/prepare.mjs';
import { startMongo } from './steps/services.mjs';
import { printable } from './steps/start-error.mjs';

const USAGE = `Usage: npm run backup -- <folder>    writes a backup to a folder that does not exist yet
       npm run restore -- <folder>   restores it into an empty database; Mintwatch has to be stopped`;

/** Returns the command and its folder; null when the command line is not one. */
function readOrder() {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    const [command, folder, ...more] = positionals;
    if ((command !== 'backup' && command !== 'restore') || !folder || more.length > 0) return null;
    // npm runs this in the project's folder, and the name is relative to where the person is.
    return { command, folder: path.resolve(process.env.INIT_CWD ?? process.cwd(), folder) };
  } catch {
    return null; // there are no options
  }
}

const order = readOrder();
if (!order) {
  console.error(USAGE);
  process.exit(2);
}

const print = (/** @type {string} */ line) => console.log(line);
/** @type {import('./steps/shutdown.mjs').Part[]} */
const parts = [];
const add = (/** @type {import('./steps/shutdown.mjs').Part} */ part) => void parts.push(part);

await prepare([['Server', (report) => ensureBuilt(targets.server, report)]]);
try {
  /** @type {typeof import('../api/config/config.ts')} */
  const { readConfig } = await built('api/config/config.js');
  const config = readConfig(process.env);
  checkDataDirectory(config.dataDir);
  const isRestore = order.command === 'restore';
  const mongoUri = await startMongo(config, { report: () => {}, print, add }, { alone: isRestore });
  /** @type {typeof import('../api/backup/backup.ts')} */
  const { backUp, restore } = await built('api/backup/backup.js');
  const carryOut = isRestore ? restore : backUp;
  await carryOut({ folder: order.folder, config, mongoUri, print });
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
} finally {
  for (const part of parts) await part.stop();
}
