import { writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countOfCheck, resultOfRun, runSuite } from './suite.mjs';

const passed = { name: 'is quick', file: 'a.test.ts', hasPassed: true, ms: 100, message: '' };
const failed = { ...passed, hasPassed: false, message: 'expected 1 to be 2' };

test.each([
  ['all passed', 0, [passed, passed], { passed: 2, failed: 0 }],
  ['some failed', 1, [passed, failed, failed], { passed: 1, failed: 2 }],
  ['an error outside of a test', 1, [passed], { passed: 1, failed: 1 }],
  ['no report', 1, [], { passed: 0, failed: 1 }],
  ['no test and exit code 0', 0, [], { passed: 0, failed: 1 }],
])('counts a run with %s', (_, code, tests, expected) => {
  expect(resultOfRun(code, tests)).toEqual({ ...expected, tests });
});

test('counts a check as one', () => {
  expect([countOfCheck(0), countOfCheck(2)]).toEqual([
    { passed: 1, failed: 0 },
    { passed: 0, failed: 1 },
  ]);
});

test('runs every step after a failed one, lists the slowest and the failed tests and closes with the sum', async () => {
  const lines: string[] = [];
  const tests = [failed, { ...passed, name: 'is slow', ms: 3_000 }];
  const total = await runSuite(
    [
      { name: 'types', work: async () => ({ passed: 0, failed: 1 }) },
      { name: 'unit', work: async () => ({ passed: 40, failed: 1, tests }) },
    ],
    { slowest: 1, print: (line) => void lines.push(line) },
  );
  expect(total).toEqual({ passed: 40, failed: 2 });
  expect(lines).toContain('\nSlowest tests\n   3.0 s  a.test.ts: is slow');
  expect(lines).toContain('\nFailed tests\n  a.test.ts: is quick\n      expected 1 to be 2');
  expect(lines.at(-1)).toBe('40 passed, 2 failed');
});

test('ends a step at its limit, counts what it says of it, and goes on with the next one', async () => {
  const lines: string[] = [];
  const total = await runSuite(
    [
      {
        name: 'endless',
        limitMs: 10,
        work: (_, signal) =>
          new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ passed: 0, failed: 1 }))),
      },
      { name: 'next', limitMs: 600_000, work: async () => ({ passed: 1, failed: 0 }) },
    ],
    { print: (line) => void lines.push(line) },
  );
  expect(total).toEqual({ passed: 1, failed: 1 });
  expect(lines.join('\n')).toMatch(/── endless: 0 passed, 1 failed, \d+\.\d s, ended at its limit\n/);
  expect(lines.join('\n')).toMatch(/── next: 1 passed, 0 failed, \d+\.\d s\n/);
});

test('begins no step after it was aborted', async () => {
  const stopping = new AbortController();
  const total = await runSuite(
    [
      {
        name: 'first',
        async work() {
          stopping.abort();
          return { passed: 1, failed: 0 };
        },
      },
      { name: 'second', work: async () => ({ passed: 1, failed: 0 }) },
    ],
    { print: () => undefined, signal: stopping.signal },
  );
  expect(total).toEqual({ passed: 1, failed: 0 });
});

test('runs the first step of a group beside the others, which follow one another, and shows the output of each whole', async () => {
  const lines: string[] = [];
  let arrived = 0;
  let isOver = false;
  let open: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  const meet = () => {
    arrived += 1;
    if (arrived === 2) open();
    return both;
  };
  const total = await runSuite(
    [
      [
        { name: 'first', work: () => meet().then(() => ({ passed: 1, failed: 0 })) },
        {
          name: 'second',
          async work(shown) {
            if (typeof shown === 'number') writeSync(shown, 'a line of the second\n');
            await meet();
            isOver = true;
            return { passed: 0, failed: 1 };
          },
        },
        { name: 'third', work: async () => ({ passed: isOver ? 1 : 0, failed: isOver ? 0 : 1 }) },
      ],
    ],
    { print: (line) => void lines.push(line) },
  );
  expect(total).toEqual({ passed: 2, failed: 1 });
  expect(lines.join('\n')).toMatch(/── second\na line of the second\n── second: 0 passed, 1 failed/);
});
