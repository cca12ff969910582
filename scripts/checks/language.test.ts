import { expect, test } from 'vitest';
import { languageProblems, MAX_NOUNLESS, nounlessProblems, speechProblems } from './language.ts';

const problems = (text: string, path = 'web/some.tsx') => languageProblems([{ path, text }]);

test.each([
  ['// Clients are told of it.', 'told', 'comment'],
  ['/** Whoever asks gets it. */', 'Whoever', 'comment'],
  ['/**\n * The list of what\n * was removed.\n */', 'what was', 'comment'],
  ['// As nobody reads it, the cache lets go of it.', 'nobody', 'comment'],
  ['// The cache lets go of it.', 'lets go of', 'comment'],
  ['// Waits for so many seconds as there are tokens.', 'so many seconds as', 'comment'],
  ['// The keys are wrapped anew.', 'anew', 'comment'],
  ["log.warn({ source }, 'the source was not heard');", 'heard', 'log line'],
  ['deps.log.error(`nobody answered`);', 'nobody', 'log line'],
  ['export const a = <p>Show what is new</p>;', 'what is', 'JSX text'],
  ["test('whoever leaves is forgotten', () => {});", 'whoever', 'test name'],
  ["test.each([1])('tells %s what was missed', () => {});", 'what was', 'test name'],
])('%j is found in its %s', (text, found, kind) => {
  expect(problems(text).map((problem) => problem.text)).toContainEqual(
    expect.stringMatching(new RegExp(`^"${found}" in a ${kind}`)),
  );
});

test.each(['const lastHeard = 1;', 'const told = [];', 'function whoeverWaits() {}', 'const a = { NOBODY: 1 };'])(
  'the identifier in %j is found',
  (text) => {
    expect(problems(text)[0]?.text).toContain('glossary');
  },
);

test.each([
  '// Returns the next page; empty at the end.',
  '// What is a slot? The time of one block.',
  "const text = 'nobody was told';",
  "log.info({ told: 1 }.x, 'source connected');".replace('told', 'count'),
  'const anewhere = 1;',
  '// So many tokens arrive that one batch takes all of them.',
])('%j is fine', (text) => {
  expect(problems(text)).toEqual([]);
});

test('a problem names its file and line', () => {
  expect(problems('\n\n// nobody', 'api/a.ts')[0]?.place).toBe('api/a.ts:3');
});

test('speech verbs in comments are limited to 2 per 10,000 words', () => {
  const words = (count: number) => `// ${'word '.repeat(count)}\n`;
  const file = (text: string, path = 'api/a.ts') => [{ path, text }];
  expect(speechProblems(file(`// It says so.\n${words(10_000)}`))).toEqual([]);
  expect(speechProblems(file(`// They say, tell and hear.\n${words(9_000)}`))).toHaveLength(1);
  expect(speechProblems(file(`// They say, tell and hear.\n${words(20_000)}`))).toEqual([]);
  expect(speechProblems(file('// They say so.', 'api/a.test.ts'))).toEqual([]);
});

test('relative clauses without a noun in comments are limited, also across lines', () => {
  const file = (text: string, path = 'api/a.ts') => [{ path, text }];
  const many = '/**\n * The age at\n * which it ends.\n */\n'.repeat(MAX_NOUNLESS);
  expect(nounlessProblems(file(many))).toEqual([]);
  expect(nounlessProblems(file(`${many}// Those that remain.`))).toHaveLength(MAX_NOUNLESS + 1);
  expect(nounlessProblems(file(`${many}// Those who remain.`))).toEqual([]);
  expect(nounlessProblems(file(`${many}// Those that remain.`, 'api/a.test.ts'))).toEqual([]);
  expect(nounlessProblems(file(`${many}export const text = 'those that remain';`))).toEqual([]);
});
