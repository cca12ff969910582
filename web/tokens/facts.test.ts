import { expect, test } from 'vitest';
import type { Token } from '../../common/tokens/model.ts';
import { token } from '../live/testing/build.ts';
import { factsOf } from './facts.tsx';

const fact = (short: string, fields: Partial<Token>) => factsOf(token(1, fields)).find((one) => one.short === short);

test.each([
  [4.4, '4%', 'plain', 'The developer holds 4.4% of the supply (limit 5%).'],
  [5.1, '5%', 'raised', 'The developer holds 5.1% of the supply (limit 5%).'],
  [20.1, '20%', 'high', 'The developer holds 20.1% of the supply (limit 5%).'],
  [null, null, 'plain', 'The developer holds an unknown share of the supply so far.'],
])('the share of the developer %s is %s, %s', (developerShare, figure, tone, evidence) => {
  expect(fact('Dev', { developerShare })).toEqual({ short: 'Dev', figure, tone, evidence });
});

test('purchases and sales are unknown together', () => {
  expect(fact('B/S', { buys: 1_200, sells: 3 })?.figure).toBe('1.2K/3');
  expect(fact('B/S', { buys: 12, sells: null })?.figure).toBeNull();
});

test('a curve that is sold has no share', () => {
  expect(fact('Crv', { curveProgress: 60, stage: 'curve' })?.figure).toBe('60%');
  expect(fact('Crv', { curveProgress: null, stage: 'pool' })?.figure).toBe('done');
});
