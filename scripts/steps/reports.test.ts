import { expect, test } from 'vitest';
import { countOfPlaywright, countOfVitest, slowestLines, timesOfPlaywright, timesOfVitest } from './reports.mjs';

const vitestFile = (status: string, durations: (number | null)[]) => ({
  name: '/project/api/a.test.ts',
  status,
  assertionResults: durations.map((duration, index) => ({ fullName: `test ${index}`, duration })),
});
const vitestReport = (passed: number, failed: number, ...testResults: ReturnType<typeof vitestFile>[]) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults,
});

test('counts the tests of a Vitest report', () => {
  const report = vitestReport(1, 2, vitestFile('passed', [1]), vitestFile('failed', [2, 3]));
  expect(countOfVitest(report)).toEqual({ passed: 1, failed: 2 });
});

test('counts a file that did not load as a failure', () => {
  expect(countOfVitest(vitestReport(1, 0, vitestFile('passed', [1]), vitestFile('failed', [])))).toEqual({
    passed: 1,
    failed: 1,
  });
});

test('counts the tests of a Playwright report, and a flaky one as failed', () => {
  expect(countOfPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1 } })).toEqual({ passed: 5, failed: 2 });
});

test('returns no count and no times without a report', () => {
  expect([countOfVitest(null), countOfPlaywright(null)]).toEqual([null, null]);
  expect([timesOfVitest(null), timesOfPlaywright(null)]).toEqual([[], []]);
});

test('reads the durations of both reports: a skipped test has none, a repeated one the sum of its attempts', () => {
  expect(timesOfVitest(vitestReport(1, 0, vitestFile('passed', [250, null])))).toEqual([
    { name: 'test 0', file: '/project/api/a.test.ts', ms: 250 },
  ]);
  const spec = { title: 'opens', file: 'a.spec.ts', tests: [{ results: [{ duration: 300 }, { duration: 400 }] }] };
  const report = { stats: { expected: 1, unexpected: 0, flaky: 0 }, suites: [{ suites: [{ specs: [spec] }] }] };
  expect(timesOfPlaywright(report)).toEqual([{ name: 'opens', file: 'web/e2e/a.spec.ts', ms: 700 }]);
});

test('lists the slowest tests, slowest first, with paths in the project', () => {
  const tests = [900, 12_340, 2_000].map((ms) => ({ name: `takes ${ms}`, file: '/project/api/a.test.ts', ms }));
  expect(slowestLines(tests, 2, '/project')).toEqual([
    '  12.3 s  api/a.test.ts: takes 12340',
    '   2.0 s  api/a.test.ts: takes 2000',
  ]);
});
