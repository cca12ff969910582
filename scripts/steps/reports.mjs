/** Reads the JSON reports of Vitest and Playwright. */
import { stripVTControlCharacters } from 'node:util';

/** Lines of a failure's message in the list of failed tests, and their length in characters. */
const SHOWN_LINES = 4;
const SHOWN_WIDTH = 200;

/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {{ name: string, file: string, ms: number }} TimedTest a test with its duration */
/** @typedef {{ name: string, file: string, message: string }} FailedTest a test with the message of its failure */

/**
 * @typedef {{ fullName: string, status?: string, duration?: number | null, failureMessages?: string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: VitestFile[] }} VitestReport
 *
 * @typedef {{ duration: number, error?: { message?: string } }} PlaywrightAttempt
 * @typedef {{ title: string, file: string, tests: { results: PlaywrightAttempt[] }[] }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number }, suites?: PlaywrightSuite[] }} PlaywrightReport
 */

/**
 * Returns the tests of a Vitest report; null when it is not a report.
 * @param {VitestReport | null} report
 * @returns {Count | null}
 */
export function countOfVitest(report) {
  if (typeof report?.numPassedTests !== 'number') return null;
  // A file that did not load has failed without a test.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length };
}

/**
 * Returns the tests of a Playwright report; null when it is not a report.
 * @param {PlaywrightReport | null} report
 * @returns {Count | null}
 */
export function countOfPlaywright(report) {
  if (typeof report?.stats?.expected !== 'number') return null;
  // A test that passes only in a second attempt proves nothing, so it has failed.
  return { passed: report.stats.expected, failed: report.stats.unexpected + report.stats.flaky };
}

/**
 * Returns the durations in a Vitest report.
 * @param {VitestReport | null} report
 * @returns {TimedTest[]}
 */
export function timesOfVitest(report) {
  return (report?.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
    assertionResults.flatMap(({ fullName, duration }) =>
      duration == null ? [] : [{ name: fullName, file, ms: duration }],
    ),
  );
}

/**
 * Returns the durations in a Playwright report; of a repeated test, those of all attempts together.
 * @param {PlaywrightReport | null} report
 * @returns {TimedTest[]}
 */
export function timesOfPlaywright(report) {
  /** @returns {TimedTest[]} */
  const timesOf = (/** @type {PlaywrightSuite} */ { specs = [], suites = [] }) => [
    ...specs.map(({ title, file, tests }) => {
      const ms = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0);
      return { name: title, file: `web/e2e/${file}`, ms };
    }),
    ...suites.flatMap(timesOf),
  ];
  return timesOf({ suites: report?.suites ?? [] });
}

/**
 * Returns the failed tests of a Vitest report, and the files that did not load.
 * @param {VitestReport | null} report
 * @returns {FailedTest[]}
 */
export function failuresOfVitest(report) {
  return (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name: file, message = '', assertionResults }) => {
      if (assertionResults.length === 0) return [{ name: 'the file', file, message }];
      return assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages = [] }) => ({ name: fullName, file, message: failureMessages[0] ?? '' }));
    });
}

/**
 * Returns the failed tests of a Playwright report, each with the message of its first failed attempt.
 * @param {PlaywrightReport | null} report
 * @returns {FailedTest[]}
 */
export function failuresOfPlaywright(report) {
  /** @returns {FailedTest[]} */
  const failuresOf = (/** @type {PlaywrightSuite} */ { specs = [], suites = [] }) => [
    ...specs.flatMap(({ title, file, tests }) => {
      const failed = tests.flatMap(({ results }) => results).find(({ error }) => error !== undefined);
      return failed ? [{ name: title, file: `web/e2e/${file}`, message: failed.error?.message ?? '' }] : [];
    }),
    ...suites.flatMap(failuresOf),
  ];
  return failuresOf({ suites: report?.suites ?? [] });
}

/**
 * Returns the lines for failed tests: file and name, then the beginning of the message.
 * @param {readonly FailedTest[]} tests
 * @param {string} root the project's folder, which the lines leave out
 */
export function failureLines(tests, root) {
  return tests.map(({ name, file, message }) => {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '');
    const shown = lines.slice(0, SHOWN_LINES).map((line) => `\n      ${line.trim().slice(0, SHOWN_WIDTH)}`);
    return `  ${file.replace(`${root}/`, '')}: ${name}${shown.join('')}`;
  });
}

/**
 * Returns one line for each of the slowest tests, slowest first.
 * @param {readonly TimedTest[]} tests
 * @param {number} count
 * @param {string} root the project's folder, which the lines leave out
 */
export function slowestLines(tests, count, root) {
  return [...tests]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, file, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file.replace(`${root}/`, '')}: ${name}`);
}
