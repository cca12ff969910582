import { folders, type Problem } from './source-files.ts';

const FILES = ['README.md', 'docker-compose.yml', 'package-lock.json', 'package.json', 'tsconfig.json'];
/** Made by npm, and no part of the project. */
const MADE = ['node_modules'];

/** The first look at the project shows its parts and nothing else: `entries` are the names in its folder. */
export function topLevelProblems(entries: readonly string[]): Problem[] {
  const expected = [...folders, ...FILES];
  const surplus = entries.filter((name) => !name.startsWith('.') && ![...expected, ...MADE].includes(name));
  const missing = expected.filter((name) => !entries.includes(name));
  return [
    ...surplus.map((name) => ({ place: name, text: 'does not belong at the top; find its place in a folder' })),
    ...missing.map((name) => ({ place: name, text: 'is missing' })),
  ];
}
