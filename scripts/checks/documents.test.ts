import { describe, expect, test } from 'vitest';
import { cellProblems, documentProblems, lengthProblems, linkProblems, wayProblems, waysIn } from './documents.ts';

const way = (name: string, limit: number, ...files: string[]) =>
  [
    `### ${name} (at most ${limit} files)`,
    '',
    ...files.map((file, index) => `${index + 1}. \`${file}\`: does its part`),
    '',
  ].join('\n');
const complete = [
  way('A token, from frame to socket', 2, 'api/a.ts', 'api/b.ts'),
  way('A token, from socket to row', 1, 'web/a.ts'),
  way('Saving a rule', 1, 'api/a.ts'),
  way('An order, to its verdict', 1, 'api/a.ts'),
  way('An alert, to Telegram', 1, 'api/b.ts'),
].join('\n');
const there = new Set(['api/a.ts', 'api/b.ts', 'web/a.ts']);
const ways = (text: string) => wayProblems([{ path: 'api/docs/architecture.md', text }], (file) => there.has(file));

describe('ways through the code', () => {
  test('are read with their limit and files', () => {
    expect(
      waysIn(`# Title\n\n1. \`not/a/way.ts\`\n\n${way('A rule', 7, 'api/a.ts')}\n## Next\n\n1. \`not/a/way.ts\``),
    ).toEqual([{ heading: '### A rule (at most 7 files)', limit: 7, files: ['api/a.ts'], line: 5 }]);
  });

  test('pass when all of them are listed, exist and are short enough', () => {
    expect(ways(complete)).toEqual([]);
  });

  test('fail for a way that is missing or empty', () => {
    expect(ways('').map(({ text }) => text)).toHaveLength(5);
    const empty = complete.replace('1. `web/a.ts`: does its part', '');
    expect(ways(empty)).toEqual([
      { place: 'api/docs/architecture.md', text: 'lists no files of the way "socket to row"' },
    ]);
  });

  test('fail for a file that does not exist', () => {
    expect(ways(complete.replace('web/a.ts', 'web/gone.ts'))[0]?.text).toBe('lists web/gone.ts, which is missing');
  });

  test('fail for a way that is too long', () => {
    expect(ways(complete.replace('at most 2 files', 'at most 1 files'))[0]?.text).toContain('lists 2 files');
  });
});

test('a README of one screen has 60 lines at most and must exist; the first one has 90 and 6 kB', () => {
  const first = (text: string) => ({ path: 'README.md', text });
  const files = (lines: number, readme = 'a line\n'.repeat(90)) => [
    ...['api/market', 'api/telegram', 'api/alerts', 'scripts/local-chain', 'web/live'].map((at) => ({
      path: `${at}/README.md`,
      text: 'a line\n'.repeat(lines),
    })),
    first(readme),
  ];
  expect(lengthProblems(files(60, 'a line\n'.repeat(91)))).toHaveLength(1);
  expect(lengthProblems(files(60, 'a'.repeat(6_001)))).toHaveLength(1);
  expect(lengthProblems(files(60))).toEqual([]);
  expect(lengthProblems(files(61))).toHaveLength(5);
  expect(lengthProblems(files(60).slice(1))).toEqual([{ place: 'api/market/README.md', text: 'is missing' }]);
});

test('a table cell of the page about the server has 25 words at most', () => {
  const cells = (words: number) =>
    cellProblems([{ path: 'api/README.md', text: `# Server\n\n| a | ${'word '.repeat(words)}|` }]);
  expect(cells(25)).toEqual([]);
  expect(cells(26)).toEqual([{ place: 'api/README.md:3', text: 'a cell has 26 words, 25 at most' }]);
  expect(cellProblems([])).toHaveLength(1);
});

test('the gate runs every check', () => {
  expect(documentProblems([], () => false)).toHaveLength(5 + 6 + 1);
});

describe('links', () => {
  const there = ['scripts/readme/dashboard.png', 'api/README.md', 'api/docs', 'web/a file.md'];
  const problems = (text: string, path = 'README.md') =>
    linkProblems([{ path, text }], (file) => there.includes(file.replace(/\/$/, '')));

  test.each([
    ['![a picture](scripts/readme/missing.png)', 'scripts/readme/missing.png'],
    ['see [the server](api/READNE.md)', 'api/READNE.md'],
    ['see [`api/`](api/READNE.md "title")', 'api/READNE.md'],
    ['[there](api/README.md) and [not](api/other.md#part)', 'api/other.md'],
    ['[outside](../somewhere.md)', '../somewhere.md'],
    ['[here](#part)', '#part'],
  ])('finds the missing target in %j', (text, target) => {
    expect(problems(`first line\n${text}`)).toEqual([
      { place: 'README.md:2', text: expect.stringContaining(`links to ${target}`) },
    ]);
  });

  test.each([
    '![a picture](scripts/readme/dashboard.png)',
    '[the server](api/README.md#routes "title"), [its documents](api/docs/)',
    '[with a space](web/a%20file.md)',
    '[elsewhere](https://example.com/a.md), [a person](mailto:a@example.com), [here](#part-2)\n## Part 2',
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
});
