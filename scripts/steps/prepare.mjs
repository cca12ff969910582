import { ensureDependencies } from './dependencies.mjs';
import { checkNodeVersion } from './node-version.mjs';
import { createProgress } from './progress.mjs';

/**
 * What every command that runs to its end needs first: the right Node.js and the packages, then its own steps. A step
 * that fails ends the process with 1, in one line when the person can change it.
 * @param {[title: string, work: (tell: (detail: string) => void) => Promise<void>][]} [steps]
 */
export async function prepare(steps = []) {
  try {
    const step = createProgress(2 + steps.length);
    await step('Node.js', async (tell) => tell(checkNodeVersion()));
    await step('Dependencies', (tell) => ensureDependencies(tell));
    for (const [title, work] of steps) await step(title, work);
  } catch (error) {
    console.error(error.name === 'StartError' ? error.message : error);
    process.exit(1);
  }
}
