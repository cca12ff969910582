import { ensureBuilt, targets } from './build.mjs';
import { built } from './command.mjs';
import { openDataDirectory } from './data-directory.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { checkNodeVersion } from './node-version.mjs';
import { createProgress } from './progress.mjs';
import { printable } from './start-error.mjs';

/** @typedef {import('./build.mjs').Report} Report */

/**
 * Checks Node.js, installs the packages, and then runs the steps of a command. A failed step ends the process with exit
 * code 1; a `StartError` prints one line.
 * @param {[title: string, work: (report: Report) => Promise<void>][]} [steps]
 */
export async function prepare(steps = []) {
  try {
    const step = createProgress(2 + steps.length);
    await step('Node.js', async (report) => report(checkNodeVersion()));
    await step('Dependencies', (report) => ensureDependencies(report));
    for (const [title, work] of steps) await step(title, work);
  } catch (error) {
    console.error(printable(error));
    process.exit(1);
  }
}

/** Number of steps that `prepareServer` runs. */
export const PREPARATIONS = 5;

/**
 * Installs missing packages, builds changed parts, and opens the data directory: the begin of a start from a fresh clone.
 * @param {ReturnType<typeof import('./progress.mjs').createProgress>} step
 * @param {AbortSignal} signal
 * @returns {Promise<import('../../api/config/config.ts').Config>}
 */
export async function prepareServer(step, signal) {
  await step('Node.js', async (report) => report(checkNodeVersion()));
  await step('Dependencies', (report) => ensureDependencies(report, signal));
  await step('Server', (report) => ensureBuilt(targets.server, report, signal));
  await step('Client', (report) => ensureBuilt(targets.client, report, signal));
  await step('User guide', (report) => ensureBuilt(targets.guide, report, signal));
  /** @type {typeof import('../../api/config/config.ts')} */
  const { readConfig } = await built('api/config/config.js');
  const config = readConfig(process.env);
  await openDataDirectory(config);
  signal.throwIfAborted();
  return config;
}
