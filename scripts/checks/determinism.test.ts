import { expect, test } from 'vitest';
import { determinismProblems } from './determinism.ts';

const problems = (text: string, path = 'api/trading/plans/core/core.ts') => determinismProblems([{ path, text }]);

test.each([
  ['const now = Date.now();', 'Date'],
  ['const at = new Date();', 'Date'],
  ['const now = performance.now();', 'performance'],
  ['const chance = Math.random();', 'Math.random'],
  ['setTimeout(run, 1);', 'setTimeout'],
  ['const { setInterval: every } = globalThis;', 'setInterval'],
  ['queueMicrotask(run);', 'queueMicrotask'],
  ['export function later(): Promise<void>;', 'Promise'],
  ['export async function later() {}', 'async'],
  ['const later = async () => {};', 'async'],
  ["import { createHash } from 'node:crypto';", 'node:crypto'],
  ["import { createLog } from '../../../platform/log.ts';", '../../../platform/log.ts'],
])('%j in the core is found', (text, part) => {
  expect(
    problems(text)
      .map((problem) => problem.text)
      .join(' '),
  ).toContain(part);
});

test.each([
  "import { HOUR } from '../../../../common/time.ts';",
  "import { createState } from './state.ts';",
  'const largest = Math.max(1, 2);',
])('%j in the core is fine', (text) => {
  expect(problems(text)).toEqual([]);
});

test('other code and tests of the core may use clocks', () => {
  expect(problems('const now = Date.now();', 'api/trading/plans/engine.ts')).toEqual([]);
  expect(problems('const now = Date.now();', 'api/trading/plans/core/core.test.ts')).toEqual([]);
});
