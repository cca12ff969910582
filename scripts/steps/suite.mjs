/** Runs checks and tests and adds up what passed and failed. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { testEnvironment } from '../testing/temporary-folder.mjs';
import { installed, root, run } from './command.mjs';
import { seconds } from './progress.mjs';
import { failureLines, slowestLines, testsOfPlaywright, testsOfVitest } from './reports.mjs';

const reports = path.join(root, '.test-results');

/** @typedef {import('./reports.mjs').RanTest} RanTest */
/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {Count & { tests?: RanTest[] }} Result */
/** @typedef {boolean | number} Shown whether output is shown, or the open file that it is written to */
/**
 * @typedef {object} Step
 * @property {string} name
 * @property {(shown: Shown, signal?: AbortSignal) => Promise<Result>} work ends early once the signal has aborted, as a failure
 * @property {number} [limitMs] time after which it is aborted
 */

/**
 * Counts a program that is no test as one check.
 * @param {number} code exit code
 */
export const countOfCheck = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/**
 * Returns the result of a run of tests. The run also fails when its program failed without a failed test (an unhandled
 * error, no report), and when it ran no test.
 * @param {number} code exit code
 * @param {RanTest[]} tests
 * @returns {Result}
 */
export function resultOfRun(code, tests) {
  const passed = tests.filter(({ hasPassed }) => hasPassed).length;
  const failed = tests.length - passed;
  const isSilent = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: isSilent ? 1 : failed, tests };
}

/**
 * Reads the tests of a JSON report; none from a missing or cut-off one, which counts as a failure.
 * @template Report
 * @param {string} file
 * @param {(report: Report) => RanTest[]} testsOf
 */
function readReport(file, testsOf) {
  try {
    return testsOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}

/** @param {string} name with its extension */
function reportFile(name) {
  mkdirSync(reports, { recursive: true });
  const file = path.join(reports, name);
  rmSync(file, { force: true });
  return file;
}

/**
 * Runs work whose output goes to a file beside the reports.
 * @template T
 * @param {string} name of the file, without its extension
 * @param {(output: number) => Promise<T>} work receives the open file
 * @returns {Promise<{ file: string, result: T }>}
 */
export async function withLog(name, work) {
  const file = reportFile(`${name}.log`);
  const output = openSync(file, 'w');
  const result = await work(output).finally(() => closeSync(output));
  return { file, result };
}

/**
 * Runs the tests of one Vitest project.
 * @param {string} project
 * @param {import('./command.mjs').RunOptions & { files?: readonly string[], report?: string }} [options] `files`: parts of their
 *   paths, default: all; `report`: the name of its report, for runs side by side, default: the project; `signal` ends the run, which
 *   counts as a failure
 * @returns {Promise<Result>}
 */
export async function runVitest(project, { files = [], report = project, ...options } = {}) {
  const file = reportFile(`${report}.json`);
  const args = ['run', '--config', 'scripts/vitest.config.ts', '--project', project, ...files];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code } = await run(installed('vitest'), [...args, ...reporters], { shown: true, ...options });
  return resultOfRun(code, readReport(file, testsOfVitest));
}

/**
 * Runs the end-to-end tests.
 * @param {Shown} [shown]
 * @returns {Promise<Result>}
 */
export async function runPlaywright(shown = true) {
  const file = reportFile('e2e.json');
  const args = ['test', '--config', 'web/e2e/playwright.config.ts', '--reporter=list,json'];
  const env = { ...testEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const { code } = await run(installed('playwright'), args, { shown, env });
  return resultOfRun(code, readReport(file, testsOfPlaywright));
}

/**
 * Runs a program that is no test.
 * @param {{ program: string, args: readonly string[] }} check
 * @param {Pick<import('./command.mjs').RunOptions, 'shown' | 'inBackground'>} [options]
 */
export async function runCheck({ program, args }, { shown = true, inBackground = false } = {}) {
  const { code } = await run(program, args, { shown, inBackground });
  return countOfCheck(code);
}

/**
 * Runs all steps, even when earlier ones failed, lists what failed, and returns the sum. The first step of a group shows
 * its output; the others run beside it, one after the other, and their output follows when all have ended.
 * @param {readonly (Step | readonly Step[])[]} groups
 * @param {{ slowest?: number, print?: (line: string) => void, signal?: AbortSignal }} [options] `slowest`: the number of slow
 *   tests to list; `signal` ends the present steps, and no other one follows
 * @returns {Promise<Count>}
 */
export async function runSuite(groups, { slowest = 0, print = (line) => console.log(line), signal } = {}) {
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const summary = [];
  /** @type {RanTest[]} */
  const ran = [];

  /**
   * @param {Step} step
   * @param {Shown} shown
   */
  async function runStep({ name, work, limitMs }, shown) {
    const startedAt = Date.now();
    const limit = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
    const bound = limit && signal ? AbortSignal.any([limit, signal]) : (limit ?? signal);
    const { passed, failed, tests = [] } = await work(shown, bound);
    total.passed += passed;
    total.failed += failed;
    ran.push(...tests);
    const isCut = limit?.aborted && !signal?.aborted;
    const ended = isCut ? ', ended at its limit' : '';
    const line = `${name}: ${passed} passed, ${failed} failed, ${seconds(Date.now() - startedAt)}${ended}`;
    summary.push(line);
    return line;
  }

  /** @param {Step} step */
  async function runBeside(step) {
    const name = step.name.replaceAll(/\W+/g, '-');
    const { file, result: line } = await withLog(name, (output) => runStep(step, output));
    return () => print(`\n── ${step.name}\n${readFileSync(file, 'utf8').trimEnd()}\n── ${line}`);
  }

  /** @param {readonly Step[]} steps */
  async function runAllBeside(steps) {
    const prints = [];
    for (const step of steps) if (!signal?.aborted) prints.push(await runBeside(step));
    return prints;
  }

  for (const [index, group] of groups.entries()) {
    const [first, ...others] = [group].flat();
    if (first === undefined || signal?.aborted) continue;
    const names = [first, ...others].map(({ name }) => name).join(', ');
    print(`\n── ${index + 1}/${groups.length} ${names}`);
    const [line, prints] = await Promise.all([runStep(first, true), runAllBeside(others)]);
    print(`── ${line}`);
    for (const show of prints) show();
  }
  const slow = slowestLines(ran, slowest, root);
  if (slow.length > 0) print(`\nSlowest tests\n${slow.join('\n')}`);
  // At the end: a cut-off log keeps its last lines.
  const failures = failureLines(ran, root);
  if (failures.length > 0) print(`\nFailed tests\n${failures.join('\n')}`);
  print(`\n${summary.join('\n')}`);
  print(`${total.passed} passed, ${total.failed} failed`);
  return total;
}
