import { expect, test } from 'vitest';
import { linkProblems } from './links.ts';

const there = ['scripts/readme/dashboard.png', 'api/README.md', 'api/docs', 'web/a file.md'];
const problems = (text: string, path = 'README.md') =>
  linkProblems([{ path, text }], (file) => there.includes(file.replace(/\/$/, '')));

test.each([
  ['![a picture](scripts/readme/missing.png)', 'scripts/readme/missing.png'],
  ['see [the server](api/READNE.md)', 'api/READNE.md'],
  ['see [`api/`](api/READNE.md "title")', 'api/READNE.md'],
  ['[there](api/README.md) and [not](api/other.md#part)', 'api/other.md'],
  ['[outside](../somewhere.md)', '../somewhere.md'],
])('finds the missing target in %j', (text, target) => {
  expect(problems(`first line\n${text}`)).toEqual([
    { place: 'README.md:2', text: expect.stringContaining(`links to ${target}`) },
  ]);
});

test.each([
  '![a picture](scripts/readme/dashboard.png)',
  '[the server](api/README.md#routes "title"), [its documents](api/docs/)',
  '[with a space](web/a%20file.md)',
  '[elsewhere](https://example.com/a.md), [a person](mailto:a@example.com), [here](#part)',
  '`[no](link.md)`',
  '```md\n[no](link.md)\n```',
])('%j is fine', (text) => {
  expect(problems(text)).toEqual([]);
});

test('resolves a link relative to its own file', () => {
  expect(problems('[docs](docs)', 'api/README.md')).toEqual([]);
  expect(problems('[docs](api/docs)', 'api/README.md')).toHaveLength(1);
});

test('checks Markdown files only', () => {
  expect(problems('[no](link.md)', 'api/a.ts')).toEqual([]);
});
