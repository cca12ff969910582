import { describe, expect, test } from 'vitest';
import type { SourceFile } from './source-files.ts';
import { idsInTests, idsOnlyInFull, itemsByPart, specificationProblems } from './specification.ts';

const specification = [
  '# Checklist',
  '- `S<section>-<nn>` how to read it',
  '## Part 1 · The main job',
  '### 2.6 Token list',
  '- **S2.6-01** A search box.',
  '- **S3-02** Unknown stays unknown (D4).',
  '## Part 2 · The user’s side',
  '- **S2.9-01** A wallet.',
].join('\n');

const live = ['L1', 'L2', 'L3', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'P1', 'P2'];
const orders = ['O1', 'O2', 'O3', 'O4', 'O5', 'O6', 'O7', 'O8', 'O9', 'O10', 'R1', 'R2'];
const rules = [...live, ...orders];
const lines = (ids: readonly string[]) => ids.map((id) => `- **${id}** A rule.`).join('\n');
const documents = {
  specification,
  rules: { 'realtime/README.md': lines(live), 'api/trading/README.md': lines(orders) },
};

/** What the gate says while only the first part is finished. */
const problemsOf = (given: typeof documents, files: readonly SourceFile[]) =>
  specificationProblems(given, files, ['Part 1']);

/** A test file with one test a name. */
const tests = (...names: string[]) => ({
  path: 'api/some.test.ts',
  text: names.map((name) => `test(${JSON.stringify(name)}, () => {});`).join('\n'),
});
const everything = tests('finds [S2.6-01]', 'stays null [S3-02]', ...rules.map((id) => `holds [${id}]`));

test('reads the ids of each part', () => {
  expect([...itemsByPart(specification)]).toEqual([
    ['Part 1', ['S2.6-01', 'S3-02']],
    ['Part 2', ['S2.9-01']],
  ]);
});

describe('ids in the names of tests', () => {
  const found = (text: string, path = 'web/a.test.tsx') => idsInTests([{ path, text }]).map(({ id }) => id);

  test.each([
    ["test('finds [S2.6-01]', () => {});", ['S2.6-01']],
    ["test.each([1])('%s [S2.6-01, S3-02]', () => {});", ['S2.6-01', 'S3-02']],
    ["describe('no gaps [F2]', () => {});", ['F2']],
    ['it(`in a template [S3-02]`, () => {});', ['S3-02']],
    ["// test('finds [S2.6-01]')", []],
    ["expect('S2.6-01').toBe(1);", []],
    ["test('ids elsewhere do not count: [S2.6-01] finds', () => {});", []],
    ["test('F2x is none, nor is [F10a]', () => {});", []],
    ["test('the key F5 reloads', () => {});", []],
    ["test('twice in any order [F3, F5]', () => {});", ['F3', 'F5']],
    ["test('holds money once [T-10, O8]', () => {});", ['T-10', 'O8']],
  ])('%s', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });

  test('only files of tests count', () => {
    const text = "test('finds [S2.6-01]', () => {});";
    expect(found(text, 'web/e2e/a.spec.ts')).toEqual(['S2.6-01']);
    expect(found(text, 'web/a.ts')).toEqual([]);
  });
});

describe('the gate', () => {
  test('passes when every finished item and rule is named', () => {
    expect(problemsOf(documents, [everything])).toEqual([]);
  });

  test('fails for an item and for a rule that no test names', () => {
    const names = ['finds [S2.6-01]', ...rules.slice(1).map((id) => `holds [${id}]`)];
    const problems = problemsOf(documents, [tests(...names)]);
    expect(problems.map(({ place }) => place)).toEqual(['S3-02', 'L1']);
  });

  test('does not ask for parts to come, but knows their ids', () => {
    expect(problemsOf(documents, [everything, tests('has a wallet [S2.9-01]')])).toEqual([]);
  });

  test('fails for a name with an id that does not exist', () => {
    const problems = problemsOf(documents, [everything, tests('mistyped [S2.6-99]')]);
    expect(problems).toEqual([{ place: 'api/some.test.ts:1', text: 'names S2.6-99, which is no item or rule' }]);
  });

  test('fails for a name that starts with an id', () => {
    const [problem, ...others] = problemsOf(documents, [everything, tests('S2.6-01 finds')]);
    expect(others).toEqual([]);
    expect(problem?.text).toContain('at the end of the name');
  });

  test('fails for a rule that only a full run tests, and names the items that only a full run tests', () => {
    const slow = (names: readonly string[]) => ({ ...tests(...names), path: 'api/some.full.test.ts' });
    const files = [
      tests('stays null [S3-02]', ...rules.slice(1).map((id) => `holds [${id}]`)),
      slow(['finds [S2.6-01]', 'holds [L1]']),
    ];
    expect(problemsOf(documents, files)).toEqual([
      { place: 'L1', text: 'only npm run test:full has a test of this rule' },
    ]);
    expect(idsOnlyInFull(specification, files)).toEqual(['S2.6-01']);
  });

  test('counts an end-to-end test for a landing only with its tag', () => {
    const inBrowser = (options: string) => ({
      path: 'web/e2e/a.spec.ts',
      text: `test('holds [L1]',${options} () => {});`,
    });
    const others = tests('finds [S2.6-01]', 'stays null [S3-02]', ...rules.slice(1).map((id) => `holds [${id}]`));
    expect(problemsOf(documents, [others, inBrowser(" { tag: '@landing' },")])).toEqual([]);
    expect(problemsOf(documents, [others, inBrowser('')]).map(({ place }) => place)).toEqual(['L1']);
  });

  test('fails when the specification or the rules cannot be read', () => {
    const rules = { 'realtime/README.md': '', 'api/trading/README.md': '' };
    const texts = problemsOf({ specification: '', rules }, [everything]).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['has no items under Part 1', 'has no rule L1', 'has no rule O10']));
  });
});
