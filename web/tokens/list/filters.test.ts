import { expect, test } from 'vitest';
import { address, NOON, token } from '../../live/testing/build.ts';
import { filterNames, matches, passes } from './filters.ts';

test('All passes every token, New those created within the last hour [S4-09]', () => {
  expect(passes('All', token(600), NOON)).toBe(true);
  expect(passes('New', token(60), NOON)).toBe(true);
  expect(passes('New', token(61), NOON)).toBe(false);
  expect(passes('New', token(1, { createdAt: null }), NOON)).toBe(false);
});

test('Risky is above 50, Safe below 30; unknown is neither [S4-10]', () => {
  const shown = (scamProbability: number | null) =>
    filterNames.filter((name) => passes(name, token(1, { scamProbability }), NOON)).slice(-2);
  expect(shown(51)).toContain('Risky');
  expect(shown(50)).not.toContain('Risky');
  expect(shown(29)).toContain('Safe');
  expect(shown(30)).not.toContain('Safe');
  expect(passes('Risky', token(1, { scamProbability: null }), NOON)).toBe(false);
  expect(passes('Safe', token(1, { scamProbability: null }), NOON)).toBe(false);
});

test('the search covers name, symbol and address, ignoring case [S2.6-01]', () => {
  const one = token(3, { name: 'Moon Otter', symbol: 'OTTR' });
  for (const text of ['otter', 'MOON', 'tter', 'oon ott', 'ott moon', address(3).slice(-5), address(3), ' moon ', '']) {
    expect(matches(one, text)).toBe(true);
  }
  expect(matches(one, 'frog')).toBe(false);
});
