import { expect, test } from 'vitest';
import { houseProblems, outsideProblems } from './house.ts';

const problems = (text: string, path = 'api/some.test.ts') => houseProblems([{ path, text }]);

test.each([
  ["test.only('a', () => {});", 'test.only'],
  ["it.skip('a', () => {});", 'it.skip'],
  ["describe.skip('a', () => {});", 'describe.skip'],
  ["test.only.each([1])('a %s', () => {});", 'test.only'],
  ["test.describe.only('a', () => {});", 'test.only'],
  ["test.todo('a');", 'test.todo'],
  ['export let value: any;', '`any`'],
  ['export const list: Array<any> = [];', '`any`'],
  ['export const value = JSON.parse(text) as any;', '`any`'],
  ['// @ts-ignore\nconst a = 1;', '@ts-ignore'],
  ['// @ts-expect-error\nconst a = 1;', '@ts-expect-error'],
  ['// biome-ignore lint/a/b: c\nconst a = 1;', 'biome-ignore'],
  ['// oxlint-disable-next-line\nconst a = 1;', 'oxlint-disable'],
])('%j is found', (text, part) => {
  const found = problems(text);
  expect(found).toHaveLength(1);
  expect(found[0]?.text).toContain(part);
});

test.each([
  "test('only any skip', () => {});",
  "test.each([1])('a %s', () => {});",
  'list.only(1); skip();',
  "const text = '@ts-ignore any';",
])('%j is fine', (text) => {
  expect(problems(text)).toEqual([]);
});

test('names the line of a problem', () => {
  expect(problems('\n\nexport let value: any;')[0]?.place).toBe('api/some.test.ts:3');
});

test('requires a reason in files of more than 500 lines', () => {
  const lines = (count: number) => 'const a = 1;\n'.repeat(count);
  expect(problems(lines(500))).toEqual([]);
  expect(problems(lines(501))[0]?.text).toContain('501 lines');
  expect(problems(`// long because one table belongs together\n${lines(501)}`)).toEqual([]);
});

test.each([
  [`see ../../${'shared'}/design`, true],
  [`"resolved": "https://${'registry'}.example/zod"`, true],
  [`from /${'work'}/main/api`, true],
  [`import { Badge } from '../${'shared'}.ts';`, false],
  ['https://example.com/network/shared', false],
])('%j names a place outside: %s', (text, found) => {
  expect(outsideProblems([{ path: 'api/README.md', text }])).toHaveLength(found ? 1 : 0);
});
