#!/usr/bin/env node
/**
 * `npm test`: everything, from a fresh clone. Installs what is missing, runs each check and each kind of test whatever
 * the ones before found, and closes with the line `N passed, N failed`.
 */
import { ensureBuilt, targets } from './steps/build.mjs';
import { lint, specification, types } from './steps/checks.mjs';
import { ensureChromium } from './steps/chromium.mjs';
import { prepare } from './steps/prepare.mjs';
import { runCheck, runPlaywright, runSuite, runVitest } from './steps/suite.mjs';

await prepare([['Chromium', ensureChromium]]);

/** What the tests of `npm start` and the end-to-end tests run. Its failure is one failed check, and theirs follow. */
async function build() {
  try {
    for (const target of [targets.server, targets.client, targets.guide]) {
      await ensureBuilt(target, (detail) => console.log(`${target.name}: ${detail}`));
    }
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
}

const { failed } = await runSuite([
  ...[types, ...lint, specification].map((check) => ({ name: check.name, work: () => runCheck(check) })),
  { name: 'build', work: build },
  ...['unit', 'web', 'integration', 'browser'].map((project) => ({ name: project, work: () => runVitest(project) })),
  { name: 'end to end', work: runPlaywright },
]);
process.exit(failed === 0 ? 0 : 1);
