import { expect, test } from 'vitest';
import { countOfCheck, countOfPlaywright, countOfRun, countOfVitest, runSuite } from './suite.mjs';

const file = (status: string, tests: number) => ({
  status,
  assertionResults: Array.from({ length: tests }, () => ({})),
});

test('counts the tests of a Vitest report', () => {
  const report = { numPassedTests: 7, numFailedTests: 2, testResults: [file('passed', 7), file('failed', 2)] };
  expect(countOfVitest(report)).toEqual({ passed: 7, failed: 2 });
});

test('a file that did not load is a failure', () => {
  const report = { numPassedTests: 7, numFailedTests: 0, testResults: [file('passed', 7), file('failed', 0)] };
  expect(countOfVitest(report)).toEqual({ passed: 7, failed: 1 });
});

test('counts the tests of a Playwright report, and a flaky one as failed', () => {
  expect(countOfPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 } })).toEqual({
    passed: 5,
    failed: 2,
  });
});

test.each([
  ['all passed', 0, { passed: 3, failed: 0 }, { passed: 3, failed: 0 }],
  ['some failed', 1, { passed: 3, failed: 2 }, { passed: 3, failed: 2 }],
  ['an error outside of a test', 1, { passed: 3, failed: 0 }, { passed: 3, failed: 1 }],
  ['no report', 1, null, { passed: 0, failed: 1 }],
  ['no report, though it ended well', 0, null, { passed: 0, failed: 1 }],
  ['nothing ran', 0, { passed: 0, failed: 0 }, { passed: 0, failed: 1 }],
])('a run: %s', (_, code, count, expected) => {
  expect(countOfRun(code, count)).toEqual(expected);
});

test('a check counts as one', () => {
  expect([countOfCheck(0), countOfCheck(2)]).toEqual([
    { passed: 1, failed: 0 },
    { passed: 0, failed: 1 },
  ]);
});

test('runs every step after a failed one, and closes with the sum', async () => {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const total = await runSuite(
    [
      { name: 'types', work: async () => ({ passed: 0, failed: 1 }) },
      { name: 'unit', work: async () => ({ passed: 40, failed: 0 }) },
    ],
    say,
  );
  expect(total).toEqual({ passed: 40, failed: 1 });
  expect(lines.at(-1)).toBe('40 passed, 1 failed');
});
