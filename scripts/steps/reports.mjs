/** Reads the JSON reports of Vitest and Playwright. */
import { stripVTControlCharacters } from 'node:util';

/** Lines of a failure's message in the list of failed tests, and their length in characters. */
const SHOWN_LINES = 4;
const SHOWN_WIDTH = 200;

/**
 * @typedef {object} RanTest
 * @property {string} name
 * @property {string} file
 * @property {boolean} hasPassed
 * @property {number} ms
 * @property {string} message of its first failure; empty without one
 */

/**
 * @typedef {{ fullName: string, status: string, duration?: number | null, failureMessages?: string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ testResults: VitestFile[] }} VitestReport
 *
 * @typedef {{ status: string, results: { duration: number, error?: { message?: string } }[] }} PlaywrightTest
 * @typedef {{ title: string, file: string, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 */

/**
 * Returns the tests of a Vitest report that ran.
 * @param {VitestReport} report
 * @returns {RanTest[]}
 */
export function testsOfVitest({ testResults }) {
  return testResults.flatMap(({ name: file, status: ofFile, message = '', assertionResults }) => {
    // A file that did not load has failed without a test.
    const isBroken = ofFile === 'failed' && assertionResults.length === 0;
    if (isBroken) return [{ name: 'the file', file, hasPassed: false, ms: 0, message }];
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName: name, status, duration, failureMessages: [failure = ''] = [] }) => {
        return { name, file, hasPassed: status === 'passed', ms: duration ?? 0, message: failure };
      });
  });
}

/**
 * Returns the tests of a Playwright report that ran, repeated ones with the time of all attempts. One that passes only in a second
 * attempt proves nothing, so it has failed.
 * @param {PlaywrightSuite} report
 * @returns {RanTest[]}
 */
export function testsOfPlaywright({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ title: name, file, tests }) =>
    tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ status, results }) => {
        const ms = results.reduce((sum, { duration }) => sum + duration, 0);
        const message = results.find(({ error }) => error !== undefined)?.error?.message ?? '';
        return { name, file: `web/e2e/${file}`, hasPassed: status === 'expected', ms, message };
      }),
  );
  return [...own, ...suites.flatMap(testsOfPlaywright)];
}

/**
 * Returns the lines for the failed tests: file and name, then the beginning of the message.
 * @param {readonly RanTest[]} tests
 * @param {string} root the project's folder, which the lines leave out
 */
export function failureLines(tests, root) {
  const failed = tests.filter(({ hasPassed }) => !hasPassed);
  return failed.map(({ name, file, message }) => {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '');
    const shown = lines.slice(0, SHOWN_LINES).map((line) => `\n      ${line.trim().slice(0, SHOWN_WIDTH)}`);
    return `  ${file.replace(`${root}/`, '')}: ${name}${shown.join('')}`;
  });
}

/**
 * Returns one line for each of the slowest tests, slowest first.
 * @param {readonly RanTest[]} tests
 * @param {number} count
 * @param {string} root the project's folder, which the lines leave out
 */
export function slowestLines(tests, count, root) {
  return [...tests]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, file, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file.replace(`${root}/`, '')}: ${name}`);
}
