/** Finds the browser of the tests, or installs Debian's. */
import { existsSync } from 'node:fs';
import { installed, run, runOrFail } from './command.mjs';
import { StartError } from './start-error.mjs';

const PACKAGES = ['chromium', 'fonts-liberation'];

/** Asks the file that the test configurations use, which is TypeScript. */
async function pathInUse() {
  const print = "import { chromiumPath } from './scripts/chromium.ts'; console.log(chromiumPath)";
  const { code, output, stdout } = await run(installed('tsx'), ['--input-type=module', '-e', print]);
  if (code !== 0) throw new StartError(`Reading scripts/chromium.ts failed (exit code ${code}).\n\n${output}`);
  // Whatever else is preloaded into Node.js, or warns, may have written before it.
  return stdout.split('\n').at(-1);
}

/**
 * Which command brings the browser, and whether we may run it ourselves.
 * @param {{ isRoot: boolean, hasApt: boolean, byVariable: boolean }} system
 * @returns {{ install: true } | { install: false, tell: string }}
 */
export function howToGetChromium({ isRoot, hasApt, byVariable }) {
  if (byVariable) return { install: false, tell: 'CHROMIUM_PATH names no file. Correct it, or unset it.' };
  if (!hasApt) return { install: false, tell: 'Install Chromium and set CHROMIUM_PATH to its program.' };
  if (!isRoot) {
    const command = `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${PACKAGES.join(' ')}`;
    return { install: false, tell: `Run: ${command}` };
  }
  return { install: true };
}

export async function ensureChromium(tell) {
  const chromium = await pathInUse();
  if (existsSync(chromium)) {
    tell(chromium);
    return;
  }
  const how = howToGetChromium({
    isRoot: process.getuid?.() === 0,
    hasApt: existsSync('/usr/bin/apt-get'),
    byVariable: process.env.CHROMIUM_PATH !== undefined,
  });
  if (!how.install) throw new StartError(`The tests need Chromium, and ${chromium} is missing. ${how.tell}`);
  tell('installing with apt-get');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runOrFail('apt-get update', 'apt-get', ['update'], { env });
  await runOrFail('apt-get install', 'apt-get', ['install', '-y', '--no-install-recommends', ...PACKAGES], { env });
  tell(`installed ${PACKAGES.join(' and ')}`);
}
