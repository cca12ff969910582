import { expect, test } from 'vitest';
import { failureLines, slowestLines, testsOfPlaywright, testsOfVitest } from './reports.mjs';

const FILE = '/project/api/a.test.ts';
const ran = { name: 'adds', file: FILE, hasPassed: true, ms: 0, message: '' };

test('reads the tests of a Vitest report that ran, and a file that did not load as a failure', () => {
  const assertionResults = [
    { fullName: 'adds', status: 'passed', duration: 250 },
    { fullName: 'divides', status: 'skipped', duration: null },
    { fullName: 'subtracts', status: 'failed', failureMessages: ['expected 1 to be 2', 'again'] },
  ];
  const broken = { name: '/project/api/b.test.ts', status: 'failed', message: 'Cannot find ./c.ts' };
  const testResults = [
    { name: FILE, status: 'failed', assertionResults },
    { ...broken, assertionResults: [] },
  ];
  expect(testsOfVitest({ testResults })).toEqual([
    { ...ran, ms: 250 },
    { ...ran, name: 'subtracts', hasPassed: false, message: 'expected 1 to be 2' },
    { ...ran, name: 'the file', file: broken.name, hasPassed: false, message: broken.message },
  ]);
});

test('reads the tests of a Playwright report that ran: a flaky one as failed, with the time of its attempts', () => {
  const spec = (title: string, status: string, results: { duration: number; error?: { message: string } }[]) => ({
    title,
    file: 'a.spec.ts',
    tests: [{ status, results }],
  });
  const specs = [
    spec('opens', 'flaky', [{ duration: 300, error: { message: 'not visible' } }, { duration: 400 }]),
    spec('moves', 'skipped', []),
  ];
  const report = { suites: [{ specs: [spec('closes', 'expected', [{ duration: 1 }])], suites: [{ specs }] }] };
  const file = 'web/e2e/a.spec.ts';
  expect(testsOfPlaywright(report)).toEqual([
    { ...ran, name: 'closes', file, ms: 1 },
    { name: 'opens', file, hasPassed: false, ms: 700, message: 'not visible' },
  ]);
});

test('lists the slowest tests, slowest first, with paths in the project', () => {
  const tests = [900, 12_340, 2_000].map((ms) => ({ ...ran, name: `takes ${ms}`, ms }));
  expect(slowestLines(tests, 2, '/project')).toEqual([
    '  12.3 s  api/a.test.ts: takes 12340',
    '   2.0 s  api/a.test.ts: takes 2000',
  ]);
});

test('shows the first lines of each failure without colours', () => {
  const message = '\u001b[31mError: no\u001b[39m\n\n  second\nthird\nfourth\nfifth';
  expect(failureLines([ran, { ...ran, hasPassed: false, message }], '/project')).toEqual([
    '  api/a.test.ts: adds\n      Error: no\n      second\n      third\n      fourth',
  ]);
});
