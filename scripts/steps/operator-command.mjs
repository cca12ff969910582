/** What the commands for an operator of the machine share: the built server's configuration, and a running database. */
import { ensureBuilt, targets } from './build.mjs';
import { built } from './command.mjs';
import { openDataDirectory } from './data-directory.mjs';
import { prepare } from './prepare.mjs';
import { startMongo } from './services.mjs';
import { printable } from './start-error.mjs';

/**
 * Prepares the server, starts its database and carries out a command. Prints a failure as one line and sets exit code 1.
 * The command is no step: a step's sign of life would overwrite a prompt.
 * @param {{ alone: boolean }} options `alone: true` fails beside a Mintwatch that runs on the same directory
 * @param {(context: {
 *   config: import('../../api/config/config.ts').Config,
 *   mongoUri: string,
 *   print: (line: string) => void,
 * }) => Promise<void>} command
 */
export async function runOperatorCommand({ alone }, command) {
  const print = (/** @type {string} */ line) => console.log(line);
  /** @type {import('./shutdown.mjs').Part[]} */
  const parts = [];
  const add = (/** @type {import('./shutdown.mjs').Part} */ part) => void parts.push(part);

  await prepare([['Server', (report) => ensureBuilt(targets.server, report)]]);
  try {
    /** @type {typeof import('../../api/config/config.ts')} */
    const { readConfig } = await built('api/config/config.js');
    const config = readConfig(process.env);
    await openDataDirectory(config);
    const mongoUri = await startMongo(config, { report: () => {}, print, add }, { alone });
    await command({ config, mongoUri, print });
  } catch (error) {
    console.error(printable(error));
    process.exitCode = 1;
  } finally {
    for (const part of parts) await part.stop();
  }
}
