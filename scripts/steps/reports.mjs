/** Reads the JSON reports of Vitest and Playwright. */

/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {{ name: string, file: string, ms: number }} TimedTest a test with its duration */

/**
 * @typedef {{ fullName: string, duration?: number | null }} VitestTest
 * @typedef {{ name: string, status: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: VitestFile[] }} VitestReport
 *
 * @typedef {{ title: string, file: string, tests: { results: { duration: number }[] }[] }} PlaywrightSpec
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
