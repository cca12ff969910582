#!/usr/bin/env node
/**
 * `npm test` guards a landing, and `npm run test:full` proves everything (`TEST_EFFORT`), both from a fresh clone. Installs
 * missing packages, runs each check and each kind of test even when earlier ones failed, lists the slowest tests and
 * closes with the line `N passed, N failed`.
 */
import { ensureBuilt, targets } from './steps/build.mjs';
import { firstChecks, linters } from './steps/checks.mjs';
import { ensureChromium } from './steps/chromium.mjs';
import { prepare } from './steps/prepare.mjs';
import { printable } from './steps/start-error.mjs';
import { runPlaywright, runSuite, runVitest } from './steps/suite.mjs';

const SLOWEST = 20;

// The programs of each step take it from the environment.
process.env.TEST_EFFORT = process.argv[2] === 'full' ? 'full' : 'landing';

await prepare([['Chromium', ensureChromium]]);

/** Builds the product for the tests of `npm start` and the end-to-end tests. A failure is one failed check. */
async function build() {
  try {
    for (const target of [targets.server, targets.client, targets.guide]) {
      await ensureBuilt(target, (detail) => console.log(`${target.name}: ${detail}`));
    }
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.error(printable(error));
    return { passed: 0, failed: 1 };
  }
}

const vitest = (/** @type {string} */ project, inBackground = false) => ({
  name: project,
  work: (/** @type {import('./steps/suite.mjs').Shown} */ shown) => runVitest(project, { shown, inBackground }),
});

const { failed } = await runSuite(
  [
    // The type check, which takes longest, uses one core.
    [vitest('unit'), ...firstChecks],
    // Chromium's start leaves a core free.
    [vitest('browser'), { name: 'build', work: build }],
    // These tests often wait, for processes, timers and sockets; the others only compute.
    [vitest('integration'), vitest('web', true), ...linters],
    { name: 'end to end', work: runPlaywright },
  ],
  { slowest: SLOWEST },
);
process.exit(failed === 0 ? 0 : 1);
