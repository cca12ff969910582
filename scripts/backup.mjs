#!/usr/bin/env node
/**
 * `npm run backup -- <folder>` and `npm run restore -- <folder>`: the database and the local chain, without the key files.
 * A backup works while Mintwatch runs or not, a restore needs it stopped. Exit codes: 0 done; 1 failed, one line gives
 * the reason; 2 wrong usage.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { built } from './steps/command.mjs';
import { runOperatorCommand } from './steps/operator-command.mjs';

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

const { command, folder } = order;
await runOperatorCommand({ alone: command === 'restore' }, async (context) => {
  /** @type {typeof import('../api/backup/backup.ts')} */
  const { backUp, restore } = await built('api/backup/backup.js');
  const carryOut = command === 'restore' ? restore : backUp;
  await carryOut({ folder, ...context });
});
