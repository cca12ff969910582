import { expect, test } from 'vitest';
import { parseBuy, parseSell } from './trade.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';

test.each([
  ['DOG', { token: 'DOG', lamports: null, preset: null }],
  ['BIG DOG 0.1 sol', { token: 'BIG DOG', lamports: 100_000_000, preset: null }],
  [`${ADDRESS} .5`, { token: ADDRESS, lamports: 500_000_000, preset: null }],
  ['BIG DOG p2', { token: 'BIG DOG', lamports: null, preset: 1 }],
  [`${ADDRESS} P3`, { token: ADDRESS, lamports: null, preset: 2 }],
  [`${ADDRESS} P4`, null],
  [`${ADDRESS} abc`, null],
  [`${ADDRESS} -1`, null],
  ['DOG 0', null],
  ['', null],
])('reads the purchase %j', (text, asked) => expect(parseBuy(text)).toEqual(asked));

test.each([
  ['DOG', { token: 'DOG', sharePercent: null }],
  ['BIG DOG 50 %', { token: 'BIG DOG', sharePercent: 50 }],
  [`${ADDRESS} 25`, { token: ADDRESS, sharePercent: 25 }],
  [`${ADDRESS} half`, null],
  [`${ADDRESS} 500`, null],
  ['DOG 0', null],
])('reads the sale %j', (text, asked) => expect(parseSell(text)).toEqual(asked));
