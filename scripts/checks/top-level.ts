import { folders, type Problem } from './source-files.ts';

const FILES = ['README.md', 'docker-compose.yml', 'package-lock.json', 'package.json', 'tsconfig.json'];
/** Created by npm, not part of the project. */
const GENERATED = ['node_modules'];

/** Returns missing and surplus entries at the top of the project, whose names are `entries`. */
export function topLevelProblems(entries: readonly string[]): Problem[] {
  const expected = [...folders, ...FILES];
  const surplus = entries.filter((name) => !name.startsWith('.') && ![...expected, ...GENERATED].includes(name));
  const missing = expected.filter((name) => !entries.includes(name));
  return [
    ...surplus.map((name) => ({ place: name, text: 'does not belong at the top; move it into a folder' })),
    ...missing.map((name) => ({ place: name, text: 'is missing' })),
  ];
}
