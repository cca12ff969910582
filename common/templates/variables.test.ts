import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../testing/effort.ts';
import { renderTemplate } from './render.ts';
import { exampleValues, type TemplateToken, templateVariables, timeAgo, tokenVariables } from './variables.ts';

const ONE_LINE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const token: TemplateToken = {
  name: 'Dog',
  symbol: 'DOG',
  address: 'Mint1111111111111111111111111111111111111111',
  price: 0.000_000_028_4,
  currentLiquidity: 1234.567,
  marketCap: 28_400.5,
  scamProbability: 34.6,
  holderCount: 12_345,
  createdAt: '2026-11-21T11:55:00.000Z',
};
const unknown: TemplateToken = {
  ...token,
  name: null,
  symbol: null,
  price: null,
  currentLiquidity: null,
  marketCap: null,
  scamProbability: null,
  holderCount: null,
  createdAt: null,
};

test('returns the variables of a token [S3-52]', () => {
  expect(tokenVariables(token, NOW)).toEqual({
    'token.name': 'Dog',
    'token.symbol': 'DOG',
    'token.address': token.address,
    'token.price': '0.00000003',
    'token.liquidity': '1,234.57',
    'token.marketCap': '28,400.5',
    'token.risk': '35',
    'token.holders': '12,345',
    'timeAgo(token.createdAt)': '5 minutes ago',
  });
});

test('shows unknown values as a dash and a missing name as Unknown Token [S3-52]', () => {
  const { 'token.name': name, 'token.address': address, ...rest } = tokenVariables(unknown, NOW);
  expect([name, address]).toEqual(['Unknown Token', token.address]);
  for (const value of Object.values(rest)) expect(value).toBe('–');
});

test('does not show a very small amount as zero', () => {
  const tiny = tokenVariables({ ...token, price: 1e-12, currentLiquidity: 0.001, marketCap: 0 }, NOW);
  expect(tiny).toMatchObject({ 'token.price': '< 0.00000001', 'token.liquidity': '< 0.01', 'token.marketCap': '0' });
  expect(tokenVariables({ ...token, price: 0 }, NOW)['token.price']).toBe('0.00000000');
});

test('lists exactly the available variables', () => {
  const listed = templateVariables.map(({ name }) => name);
  const variables = { ...tokenVariables(token, NOW), ...exampleValues };
  expect(new Set(Object.keys(variables))).toEqual(new Set(listed));
  const text = listed.map((name) => `{${name}}`).join(' ');
  expect(renderTemplate(text, variables).unknown).toEqual([]);
});

const character = fc.constantFrom(
  ...'ab é\n\r\t\0\u202e\u200b\u2028\u2029\u00a0',
  '😀',
  '\ud83d',
  '\ude00',
  '{token.name}',
);

test('reduces any name to one line of visible characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 200 }), (name) => {
      // Without the word joiners that break links.
      const plain = tokenVariables({ ...token, name }, NOW)['token.name'].replaceAll('\u2060', '');
      expect(ONE_LINE.test(plain)).toBe(true);
      expect([...plain].length).toBeLessThanOrEqual(80);
    }),
    { numRuns: rounds(300), seed: 4 },
  );
  expect(tokenVariables({ ...token, name: 'A\n\u202eB' }, NOW)['token.name']).toBe('A B');
  expect(tokenVariables({ ...token, name: '\u200b\n' }, NOW)['token.name']).toBe('Unknown Token');
  const blank = tokenVariables({ ...token, name: '\u3164\u3164', symbol: '\u115F' }, NOW);
  expect([blank['token.name'], blank['token.symbol']]).toEqual(['Unknown Token', '–']);
  expect(tokenVariables({ ...token, name: '👩‍👩‍👧‍👦' }, NOW)['token.name']).toBe('👩‍👩‍👧‍👦');
});

test('leaves no address, mention or command of a name that Telegram could make a link of', () => {
  const name = '*bold* [click](http://evil.example) t.me/x @admin /start';
  const values = tokenVariables({ ...token, name, symbol: 'evil.com' }, NOW);
  expect(`${values['token.name']} ${values['token.symbol']}`).not.toMatch(/[./@:][a-z/]/);
});

test.each([
  [-5_000, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [3_600_000, '1 hour ago'],
  [23.9 * 3_600_000, '23 hours ago'],
  [86_400_000, '1 day ago'],
  [90 * 86_400_000, '90 days ago'],
])('%i ms ago is %s', (passed, text) => {
  expect(timeAgo(NOW - passed, NOW)).toBe(text);
});
