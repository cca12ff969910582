import { expect, test } from 'vitest';
import {
  countOfPlaywright,
  countOfVitest,
  failureLines,
  failuresOfPlaywright,
  failuresOfVitest,
  slowestLines,
  timesOfPlaywright,
  timesOfVitest,
} from './reports.mjs';

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

test('returns the failed tests of both reports, with a file that did not load', () => {
  const file = '/project/api/a.test.ts';
  const assertionResults = [
    { fullName: 'adds', status: 'passed' },
    { fullName: 'subtracts', status: 'failed', failureMessages: ['expected 1 to be 2', 'again'] },
  ];
  const report = {
    ...vitestReport(1, 1),
    testResults: [
      { name: file, status: 'failed', assertionResults },
      { name: '/project/api/b.test.ts', status: 'failed', message: 'Cannot find ./c.ts', assertionResults: [] },
    ],
  };
  expect(failuresOfVitest(report)).toEqual([
    { name: 'subtracts', file, message: 'expected 1 to be 2' },
    { name: 'the file', file: '/project/api/b.test.ts', message: 'Cannot find ./c.ts' },
  ]);
  const attempts = [{ duration: 1, error: { message: 'not visible' } }, { duration: 1 }];
  const specs = [
    { title: 'opens', file: 'a.spec.ts', tests: [{ results: attempts }] },
    { title: 'closes', file: 'a.spec.ts', tests: [{ results: [{ duration: 1 }] }] },
  ];
  const stats = { expected: 1, unexpected: 0, flaky: 1 };
  expect(failuresOfPlaywright({ stats, suites: [{ suites: [{ specs }] }] })).toEqual([
    { name: 'opens', file: 'web/e2e/a.spec.ts', message: 'not visible' },
  ]);
  expect([failuresOfVitest(null), failuresOfPlaywright(null)]).toEqual([[], []]);
});

test('shows the first lines of a failure without colours', () => {
  const message = '\u001b[31mError: no\u001b[39m\n\n  second\nthird\nfourth\nfifth';
  expect(failureLines([{ name: 'adds', file: '/project/api/a.test.ts', message }], '/project')).toEqual([
    '  api/a.test.ts: adds\n      Error: no\n      second\n      third\n      fourth',
  ]);
});
