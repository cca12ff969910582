/** The checks that are not tests: each is a program that prints its findings and then exits with a code other than 0. */
import { installed } from './command.mjs';
import { runCheck } from './suite.mjs';

/** Runs one of our own gates (scripts/checks). */
const gate = (/** @type {string[]} */ ...names) => ({
  program: process.execPath,
  args: ['--import', 'tsx', 'scripts/checks/run.ts', ...names],
});

// One checker: each of several would compute Mongoose's types, half of the time, for itself.
const types = { name: 'types', program: installed('tsc'), args: ['-b', '--checkers', '1'] };

const biome = { name: 'lint: biome', program: installed('biome'), args: ['check', '.'] };
const oxlint = {
  name: 'lint: oxlint',
  program: installed('oxlint'),
  args: ['--type-aware', '--deny-warnings', '-c', '.oxlintrc.json'],
};
const gates = {
  name: 'house rules',
  ...gate('top-level', 'boundaries', 'determinism', 'layout', 'house', 'language', 'documents', 'links'),
};
// Its settings are in package.json.
const deadExports = { name: 'lint: dead exports', program: installed('knip'), args: ['--no-progress'] };
export const lint = [biome, oxlint, deadExports, gates];

const specification = { name: 'specification', ...gate('specification', 'deviations') };

/** Returns the steps of checks. `inBackground`: they leave the processor to other programs. */
const steps = (/** @type {readonly (typeof types)[]} */ group, inBackground = false) =>
  group.map((check) => ({
    name: check.name,
    work: (/** @type {import('./suite.mjs').Shown} */ shown) => runCheck(check, { shown, inBackground }),
  }));

/** Every check, as one group of steps. */
export const checks = steps([types, ...lint, specification]);
/** Those whose findings come first in a whole run; the build takes what the type check wrote. */
export const firstChecks = steps([types, gates, specification]);
/** The others, beside tests that often wait. */
export const linters = steps([biome, oxlint, deadExports], true);
