import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../testing/tokens.ts';
import { formatRanges, judgeFilter, parseFilter, parseRanges, rangeFields, type TokenFilter } from './filters.ts';
import type { Token } from './model.ts';

const NOW = 1_790_000_000_000;
const context = { now: NOW, solUsd: 200 };
const token = (fields: Partial<Token>) =>
  tokenOf(1, { detectedAt: new Date(NOW - 90_000).toISOString(), createdAt: null, ...fields });
const judge = (filter: TokenFilter, fields: Partial<Token> = {}) =>
  judgeFilter(parseFilter(filter), token(fields), context);

describe('ranges in an address', () => {
  const amount = fc.double({ min: 0, max: 1e12, noNaN: true }).map((value) => Number(value.toFixed(9)));
  const range = fc
    .tuple(fc.option(amount), fc.option(amount))
    .filter(([a, b]) => a !== null || b !== null)
    .map(([a, b]) => (a !== null && b !== null && a > b ? { min: b, max: a } : { min: a, max: b }));

  test('every range is the same after its text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...rangeFields), range), (ranges) => {
        expect(parseRanges(formatRanges(ranges))).toEqual({ ranges: { ...ranges }, ignored: [] });
      }),
    );
  });

  test('nonsense is named, and the rest counts', () => {
    expect(parseRanges('age:60-600, foo:1-2,liquidity:5-,risk:9-3,age:1-,holders:-,curve:x-1,,')).toEqual({
      ranges: { age: { min: 60, max: 600 }, liquidity: { min: 5, max: null } },
      ignored: ['foo:1-2', 'risk:9-3', 'age:1-', 'holders:-', 'curve:x-1'],
    });
  });
});

describe('filter', () => {
  test.each<[TokenFilter, Partial<Token>, string]>([
    [{ f: 'age:90-90' }, {}, 'match'],
    [{ f: 'age:91-' }, {}, 'no'],
    [{ f: 'liquidity:5-' }, { currentLiquidity: 5 }, 'match'],
    [{ f: 'liquidity:5-' }, { currentLiquidity: 4.99 }, 'no'],
    [{ f: 'liquidity:5-' }, { currentLiquidity: null }, 'unknown'],
    [{ f: 'liquidity:5-', unknown: 'show' }, { currentLiquidity: null }, 'match'],
    [{ f: 'liquidity:5-,holders:9-', unknown: 'show' }, { currentLiquidity: null, holderCount: 8 }, 'no'],
    [{ f: 'liquidity:5-,holders:9-' }, { currentLiquidity: null, holderCount: 8 }, 'no'],
    // A supply of 1,000,000,000 at 0.0000001 SOL is worth 100 SOL.
    [{ f: 'marketCapSol:100-100' }, { price: 0.000_000_1 }, 'match'],
    [{ f: 'highestCapSol:200-' }, { price: 0.000_000_1, highestPrice: 0.000_000_2 }, 'match'],
    [{ f: 'highestCap:20000-20000' }, { price: 0.000_000_1, highestPrice: 0.000_000_05 }, 'match'],
    [{ f: 'highestCap:1-' }, {}, 'unknown'],
    [{ copies: 'hide' }, { copyOf: 'older' }, 'no'],
    [{ copies: 'hide' }, {}, 'match'],
    [{ stage: 'pool' }, {}, 'no'],
    [{ stage: 'curve' }, { stage: 'complete' }, 'match'],
    [{ source: 'pump.fun, test' }, {}, 'match'],
    [{ source: 'pump.fun' }, {}, 'no'],
    [{ include: 'moon cat' }, { name: 'Laser Cat' }, 'match'],
    [{ include: 'moon cat' }, { name: 'Dog' }, 'no'],
    [{ exclude: 'moon cat' }, { name: 'Laser Cat' }, 'no'],
    [{ exclude: 'moon cat' }, { name: 'Dog' }, 'match'],
  ])('%j of %j: %s', (filter, fields, expected) => expect(judge(filter, fields)).toBe(expected));

  test('words are not looked for in the address', () => {
    const { address } = token({});
    expect(judge({ include: address })).toBe('no');
    expect(judge({ exclude: address })).toBe('match');
  });

  test('without a rate, the highest market cap in dollars is unknown', () => {
    const parsed = parseFilter({ f: 'highestCap:1-' });
    expect(judgeFilter(parsed, token({ price: 1 }), { now: NOW, solUsd: null })).toBe('unknown');
  });
});
