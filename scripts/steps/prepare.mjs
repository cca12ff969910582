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
