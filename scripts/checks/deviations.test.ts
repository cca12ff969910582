import { expect, test } from 'vitest';
import { deviationProblems, quotedTexts } from './deviations.ts';

const specification = [
  "- **S1-01** The title is 'Dashboard' (D2).",
  "- **S2.1-02** Empty: 'No Rules', 'You haven't created any'; with '{x} SOL' and 'Welcome back, {name}!' (D4, D7).",
].join('\n');
const page = '| 2 | a | b |\n| 4 ◦ | a | b |\n| 7 | a | b |\n';
const product = [
  {
    path: 'web/a.tsx',
    text: "<h1>Dashboard</h1> 'No Rules' \"You haven't\n  created any\" `Welcome back, + name + ! SOL`",
  },
];
const texts = (of = specification, by = page, files = product) =>
  deviationProblems(of, by, files).map(({ text }) => text);

test('reads quoted texts without their variable parts, apostrophes included', () => {
  expect(quotedTexts(specification)).toEqual([
    { id: 'S1-01', text: 'Dashboard' },
    { id: 'S2.1-02', text: 'No Rules' },
    { id: 'S2.1-02', text: "You haven't created any" },
    { id: 'S2.1-02', text: 'SOL' },
    { id: 'S2.1-02', text: 'Welcome back,' },
    { id: 'S2.1-02', text: '!' },
  ]);
});

test('accepts a page that names every departure', () => {
  expect(texts()).toEqual([]);
});

test('finds an item whose text the product changed, until the page names it', () => {
  const changed = [{ path: 'web/a.tsx', text: product[0]?.text.replace('Dashboard', 'Overview') ?? '' }];
  expect(texts(specification, page, changed)).toEqual([
    'does not name S1-01, whose text the product does not have: Dashboard',
  ]);
  expect(texts(specification, `${page}| S1-01 | 'Overview' | shorter |`, changed)).toEqual([]);
});

test('finds ids that do not exist and decisions without a row', () => {
  expect(texts(specification, `${page} S9-99`)).toEqual(['names S9-99, which is no item']);
  expect(texts(specification, page.replace('| 7 |', '| 8 |'))).toEqual(['has no row for decision 7']);
});
