import { expect, test } from 'vitest';
import { topLevelProblems } from './top-level.ts';

const complete = [
  'api',
  'common',
  'realtime',
  'scripts',
  'web',
  'README.md',
  'docker-compose.yml',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];

test('the agreed entries, hidden ones and node_modules are fine', () => {
  expect(topLevelProblems([...complete, '.git', '.biome.json', 'node_modules'])).toEqual([]);
});

test('a file too many and a missing one are found', () => {
  const entries = [...complete.filter((name) => name !== 'README.md'), 'vite.config.ts'];
  expect(topLevelProblems(entries).map(({ place }) => place)).toEqual(['vite.config.ts', 'README.md']);
});
