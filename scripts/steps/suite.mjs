/** Runs checks and tests one after the other and adds up what passed and failed. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { installed, run } from './command.mjs';
import { seconds } from './progress.mjs';
import { root } from './root.mjs';

const reports = path.join(root, '.test-results');

/** @typedef {{ passed: number, failed: number }} Count */

/** A program that is no test counts as one check. */
export const countOfCheck = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/**
 * What Vitest's JSON report says. Null when it is no report.
 * @returns {Count | null}
 */
export function countOfVitest(report) {
  if (typeof report?.numPassedTests !== 'number') return null;
  // A file that could not be loaded has failed without having a test.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length };
}

/**
 * What Playwright's JSON report says. Null when it is no report.
 * @returns {Count | null}
 */
export function countOfPlaywright(report) {
  if (typeof report?.stats?.expected !== 'number') return null;
  // A test that passed only at a second try is a failure: it tells nothing.
  return { passed: report.stats.expected, failed: report.stats.unexpected + report.stats.flaky };
}

/**
 * A run of tests counts as failed when its program failed without a failed test (an unhandled error, no report), and
 * when it ran nothing.
 * @param {number} code
 * @param {Count | null} count
 * @returns {Count}
 */
export function countOfRun(code, count) {
  const { passed, failed } = count ?? { passed: 0, failed: 0 };
  const silent = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: silent ? 1 : failed };
}

function readReport(file) {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null; // cut off, as by a kill: counted as a failure by its reader
  }
}

function reportFile(name) {
  mkdirSync(reports, { recursive: true });
  const file = path.join(reports, `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

/** Runs the tests of one Vitest project. */
export async function runVitest(project) {
  const file = reportFile(project);
  const args = ['run', '--config', 'scripts/vitest.config.ts', '--project', project];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code } = await run(installed('vitest'), [...args, ...reporters], { shown: true });
  return countOfRun(code, countOfVitest(readReport(file)));
}

/** Runs the end-to-end tests. */
export async function runPlaywright() {
  const file = reportFile('e2e');
  const args = ['test', '--config', 'web/e2e/playwright.config.ts', '--reporter=list,json'];
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const { code } = await run(installed('playwright'), args, { shown: true, env });
  return countOfRun(code, countOfPlaywright(readReport(file)));
}

/** Runs a program that is no test. */
export async function runCheck({ program, args }) {
  const { code } = await run(program, args, { shown: true });
  return countOfCheck(code);
}

/**
 * @param {{ name: string, work: () => Promise<Count> }[]} steps
 * @param {(line: string) => void} [say]
 * @returns {Promise<Count>} the sum
 */
export async function runSuite(steps, say = (line) => console.log(line)) {
  const total = { passed: 0, failed: 0 };
  const summary = [];
  for (const [index, { name, work }] of steps.entries()) {
    say(`\n── ${index + 1}/${steps.length} ${name}`);
    const begun = Date.now();
    const { passed, failed } = await work();
    total.passed += passed;
    total.failed += failed;
    const line = `${name}: ${passed} passed, ${failed} failed, ${seconds(Date.now() - begun)}`;
    summary.push(line);
    say(`── ${line}`);
  }
  say(`\n${summary.join('\n')}`);
  say(`${total.passed} passed, ${total.failed} failed`);
  return total;
}
