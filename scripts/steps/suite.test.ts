import { expect, test } from 'vitest';
import { countOfCheck, countOfRun, runSuite } from './suite.mjs';

test.each([
  ['all passed', 0, { passed: 3, failed: 0 }, { passed: 3, failed: 0 }],
  ['some failed', 1, { passed: 3, failed: 2 }, { passed: 3, failed: 2 }],
  ['an error outside of a test', 1, { passed: 3, failed: 0 }, { passed: 3, failed: 1 }],
  ['no report', 1, null, { passed: 0, failed: 1 }],
  ['no report and exit code 0', 0, null, { passed: 0, failed: 1 }],
  ['no test', 0, { passed: 0, failed: 0 }, { passed: 0, failed: 1 }],
])('counts a run with %s', (_, code, count, expected) => {
  expect(countOfRun(code, count)).toEqual(expected);
});

test('counts a check as one', () => {
  expect([countOfCheck(0), countOfCheck(2)]).toEqual([
    { passed: 1, failed: 0 },
    { passed: 0, failed: 1 },
  ]);
});

test('runs every step after a failed one, lists the slowest tests and closes with the sum', async () => {
  const lines: string[] = [];
  const tests = [
    { name: 'is quick', file: 'a.test.ts', ms: 100 },
    { name: 'is slow', file: 'a.test.ts', ms: 3_000 },
  ];
  const total = await runSuite(
    [
      { name: 'types', work: async () => ({ passed: 0, failed: 1 }) },
      { name: 'unit', work: async () => ({ passed: 40, failed: 0, tests }) },
    ],
    { slowest: 1, print: (line) => void lines.push(line) },
  );
  expect(total).toEqual({ passed: 40, failed: 1 });
  expect(lines).toContain('\nSlowest tests\n   3.0 s  a.test.ts: is slow');
  expect(lines.at(-1)).toBe('40 passed, 1 failed');
});
