/** Runs checks and tests one after the other and adds up what passed and failed. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { installed, root, run } from './command.mjs';
import { seconds } from './progress.mjs';
import { countOfPlaywright, countOfVitest, slowestLines, timesOfPlaywright, timesOfVitest } from './reports.mjs';

const reports = path.join(root, '.test-results');

/** @typedef {import('./reports.mjs').Count} Count */
/** @typedef {Count & { tests?: import('./reports.mjs').TimedTest[] }} Result */
/** @typedef {{ name: string, work: () => Promise<Result> }} Step */

/**
 * Counts a program that is no test as one check.
 * @param {number} code exit code
 */
export const countOfCheck = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/**
 * Returns the result of a run of tests. The run also fails when its program failed without a failed test (an unhandled
 * error, no report), and when it ran no test.
 * @param {number} code exit code
 * @param {Count | null} count
 * @returns {Count}
 */
export function countOfRun(code, count) {
  const { passed, failed } = count ?? { passed: 0, failed: 0 };
  const isSilent = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: isSilent ? 1 : failed };
}

/**
 * Reads a JSON report. Returns null for a missing or cut-off one, which counts as a failure.
 * @param {string} file
 */
function readReport(file) {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {string} name */
function reportFile(name) {
  mkdirSync(reports, { recursive: true });
  const file = path.join(reports, `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

/**
 * Runs the tests of one Vitest project.
 * @param {string} project
 * @returns {Promise<Result>}
 */
export async function runVitest(project) {
  const file = reportFile(project);
  const args = ['run', '--config', 'scripts/vitest.config.ts', '--project', project];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code } = await run(installed('vitest'), [...args, ...reporters], { shown: true });
  /** @type {import('./reports.mjs').VitestReport | null} */
  const report = readReport(file);
  return { ...countOfRun(code, countOfVitest(report)), tests: timesOfVitest(report) };
}

/**
 * Runs the end-to-end tests.
 * @returns {Promise<Result>}
 */
export async function runPlaywright() {
  const file = reportFile('e2e');
  const args = ['test', '--config', 'web/e2e/playwright.config.ts', '--reporter=list,json'];
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const { code } = await run(installed('playwright'), args, { shown: true, env });
  /** @type {import('./reports.mjs').PlaywrightReport | null} */
  const report = readReport(file);
  return { ...countOfRun(code, countOfPlaywright(report)), tests: timesOfPlaywright(report) };
}

/**
 * Runs a program that is no test.
 * @param {{ program: string, args: readonly string[] }} check
 */
export async function runCheck({ program, args }) {
  const { code } = await run(program, args, { shown: true });
  return countOfCheck(code);
}

/**
 * Runs all steps, whatever the earlier ones found, and returns the sum.
 * @param {readonly Step[]} steps
 * @param {{ slowest?: number, print?: (line: string) => void }} [options] `slowest`: the number of slow tests to list
 * @returns {Promise<Count>}
 */
export async function runSuite(steps, { slowest = 0, print = (line) => console.log(line) } = {}) {
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const summary = [];
  /** @type {import('./reports.mjs').TimedTest[]} */
  const timed = [];
  for (const [index, { name, work }] of steps.entries()) {
    print(`\n── ${index + 1}/${steps.length} ${name}`);
    const startedAt = Date.now();
    const { passed, failed, tests = [] } = await work();
    total.passed += passed;
    total.failed += failed;
    timed.push(...tests);
    const line = `${name}: ${passed} passed, ${failed} failed, ${seconds(Date.now() - startedAt)}`;
    summary.push(line);
    print(`── ${line}`);
  }
  const slow = slowestLines(timed, slowest, root);
  if (slow.length > 0) print(`\nSlowest tests\n${slow.join('\n')}`);
  print(`\n${summary.join('\n')}`);
  print(`${total.passed} passed, ${total.failed} failed`);
  return total;
}
