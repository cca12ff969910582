/** Finds the browser of the tests, or installs Debian's. */
import { existsSync } from 'node:fs';
import { installed, run, runOrFail } from './command.mjs';
import { StartError } from './start-error.mjs';

const PACKAGES = ['chromium-headless-shell', 'fonts-liberation'];

/** Resolves with the path in scripts/chromium.ts, which the test configurations use. */
async function configuredPath() {
  const print = "import { chromiumPath } from './scripts/chromium.ts'; console.log(chromiumPath)";
  const { code, output, stdout } = await run(installed('tsx'), ['--input-type=module', '-e', print]);
  if (code !== 0) throw new StartError(`Reading scripts/chromium.ts failed (exit code ${code}).\n\n${output}`);
  // Modules preloaded into Node.js may have written lines before it.
  return stdout.split('\n').at(-1) ?? '';
}

/**
 * Returns whether this command can install the browser, and otherwise what the person has to do.
 * @param {{ isRoot: boolean, hasApt: boolean, byVariable: boolean }} system
 * @returns {{ install: true } | { install: false, advice: string }}
 */
export function howToGetChromium({ isRoot, hasApt, byVariable }) {
  if (byVariable) return { install: false, advice: 'CHROMIUM_PATH names no file. Correct it, or unset it.' };
  if (!hasApt) return { install: false, advice: 'Install Chromium and set CHROMIUM_PATH to its program.' };
  if (!isRoot) {
    const command = `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${PACKAGES.join(' ')}`;
    return { install: false, advice: `Run: ${command}` };
  }
  return { install: true };
}

/**
 * Installs the browser if need be. Throws a `StartError` with advice when it can't.
 * @param {import('./build.mjs').Report} report
 */
export async function ensureChromium(report) {
  const chromium = await configuredPath();
  if (existsSync(chromium)) {
    report(chromium);
    return;
  }
  const how = howToGetChromium({
    isRoot: process.getuid?.() === 0,
    hasApt: existsSync('/usr/bin/apt-get'),
    byVariable: process.env.CHROMIUM_PATH !== undefined,
  });
  if (!how.install) throw new StartError(`The tests need Chromium, and ${chromium} is missing. ${how.advice}`);
  report('installing with apt-get');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runOrFail('apt-get update', 'apt-get', ['update'], { env });
  await runOrFail('apt-get install', 'apt-get', ['install', '-y', '--no-install-recommends', ...PACKAGES], { env });
  report(`installed ${PACKAGES.join(' and ')}`);
}
