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

export const lint = [
  { name: 'lint: biome', program: installed('biome'), args: ['check', '.'] },
  {
    name: 'lint: oxlint',
    program: installed('oxlint'),
    args: ['--type-aware', '--deny-warnings', '-c', '.oxlintrc.json'],
  },
  {
    name: 'house rules',
    ...gate('top-level', 'boundaries', 'determinism', 'layout', 'house', 'language', 'documents', 'links'),
  },
];

const specification = { name: 'specification', ...gate('specification', 'deviations') };

/** Every check, as one group of steps. */
export const checks = [types, ...lint, specification].map((check) => ({
  name: check.name,
  work: (/** @type {import('./suite.mjs').Shown} */ shown) => runCheck(check, shown),
}));
