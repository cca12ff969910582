import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SECOND } from '../../../common/time.ts';
import {
  type FilterContext,
  figureOf,
  formatRanges,
  judgeFilter,
  parseFilter,
  type Range,
  type RangeField,
  rangeFields,
  type TokenFilter,
} from '../../../common/tokens/filters.ts';
import { FACET_BARS } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { tokenRecord } from '../../testing/tokens.ts';
import { presentToken } from '../present.ts';
import { indexAfter } from './testing/index-after.ts';

const NOW = 1_770_000_000_000;
const figure = fc.option(fc.integer({ min: 0, max: 4 }));
const share = fc.option(fc.constantFrom(0, 2.5, 50, 100));

/** Tokens of few addresses and few figures, so that filters part them and replaced ones are common. */
const tokenArbitrary = fc
  .record({
    number: fc.integer({ min: 0, max: 15 }),
    age: fc.integer({ min: -1, max: 4 }),
    isDated: fc.boolean(),
    source: fc.constantFrom('pump.fun', 'letsbonk'),
    name: fc.option(fc.constantFrom('Moon Otter', 'Based Frog', 'moon')),
    copyOf: fc.option(fc.constant('older')),
    twins: fc.option(fc.constantFrom<[number, number]>([1, 2], [2, 2])),
    stage: fc.constantFrom('curve', 'complete', 'pool'),
    decimals: fc.option(fc.constantFrom(0, 6)),
    totalSupply: fc.option(fc.constantFrom('0', '1000000000000000')),
    figures: fc.record({
      price: figure,
      highestPrice: figure,
      marketCap: figure,
      currentLiquidity: figure,
      volume: figure,
    }),
    counts: fc.record({ holderCount: figure, buys: figure, sells: figure, developerLaunches: figure }),
    shares: fc.record({ curveProgress: share, scamProbability: share, developerShare: share, topTenShare: share }),
    others: fc.record({ insiderShare: share, bundleShare: share, riskCoverage: fc.constantFrom(0, 50, 100) }),
  })
  .map(({ number, age, isDated, source, figures, counts, shares, others, ...fields }): Token => {
    const token = presentToken(tokenRecord(number, { createdAt: NOW - age * SECOND }));
    const metadata = { ...token.metadata, source };
    const createdAt = isDated ? token.createdAt : null;
    return { ...token, ...fields, ...figures, ...counts, ...shares, ...others, createdAt, metadata };
  });

const bound = fc.option(fc.constantFrom(0, 1, 2, 3, 50, 150, 1_000_000_000, 2_000_000_000));
const range = fc
  .tuple(bound, bound)
  .filter(([a, b]) => a !== null || b !== null)
  .map(([a, b]): Range => (a !== null && b !== null && a > b ? { min: b, max: a } : { min: a, max: b }));

const filterArbitrary: fc.Arbitrary<TokenFilter> = fc
  .record({
    ranges: fc.dictionary(fc.constantFrom(...rangeFields), range, { maxKeys: 4 }),
    include: fc.option(fc.constantFrom('moon', 'frog otter', 'mint'), { nil: undefined }),
    exclude: fc.option(fc.constantFrom('moon', 'frog'), { nil: undefined }),
    source: fc.option(fc.constantFrom('pump.fun', 'letsbonk,pump.fun', 'none'), { nil: undefined }),
    stage: fc.option(fc.constantFrom('curve', 'pool'), { nil: undefined }),
    copies: fc.option(fc.constant('hide'), { nil: undefined }),
    unknown: fc.option(fc.constant('show'), { nil: undefined }),
  })
  .map(({ ranges, ...rest }) => ({ ...rest, f: formatRanges(ranges) || undefined }));

const changesArbitrary = fc.array(fc.oneof({ weight: 5, arbitrary: tokenArbitrary }, fc.integer({ min: 0, max: 15 })), {
  maxLength: 60,
});
const contextArbitrary = fc.constantFrom<FilterContext>({ now: NOW, solUsd: 150 }, { now: NOW, solUsd: null });

describe('filters', () => {
  test('any filter keeps the rows whose tokens pass it, after any changes', () => {
    fc.assert(
      fc.property(changesArbitrary, filterArbitrary, contextArbitrary, (changes, filter, context) => {
        const { index, tokens } = indexAfter(changes, NOW);
        const parsed = parseFilter(filter);
        const expected = tokens.filter((token) => judgeFilter(parsed, token, context) === 'match');
        const page = index.page({ ...filter, sort: 'detected', order: 'desc', limit: 100 }, context);
        expect(page.total).toBe(expected.length);
        expect(page.addresses.toSorted()).toEqual(expected.map(({ address }) => address).toSorted());
      }),
    );
  });

  test('any counts equal those of all tokens, one by one', () => {
    fc.assert(
      fc.property(changesArbitrary, filterArbitrary, contextArbitrary, (changes, filter, context) => {
        const { index, tokens } = indexAfter(changes, NOW);
        const facets = index.facets(filter, context);
        const parsed = parseFilter(filter);
        const verdicts = tokens.map((token) => judgeFilter(parsed, token, context));
        expect(facets.total).toBe(tokens.length);
        expect(facets.matching).toBe(verdicts.filter((verdict) => verdict === 'match').length);
        expect(facets.hidden).toBe(verdicts.filter((verdict) => verdict === 'unknown').length);
        expect(facets.recent).toBe(facets.matching);
        for (const field of rangeFields) {
          const ranges = parsed.ranges.filter(([name]) => name !== field);
          const others = tokens.filter((token) => judgeFilter({ ...parsed, ranges }, token, context) === 'match');
          const figures = others.map((token) => figureOf(field, token, context));
          const known = figures.filter((value) => value !== null).length;
          const facet = facets.fields[field];
          expect(facet?.unknown ?? others.length).toBe(figures.length - known);
          expect((facet?.bars ?? []).reduce((sum, count) => sum + count, 0)).toBe(known);
        }
        const anySource = tokens.filter(
          (token) => judgeFilter({ ...parsed, sources: null }, token, context) === 'match',
        );
        expect(facets.sources.reduce((sum, { count }) => sum + count, 0)).toBe(anySource.length);
      }),
    );
  });
});

describe('histograms', () => {
  const barsOf = (field: RangeField, tokens: Partial<Token>[]) => {
    const { index } = indexAfter(
      tokens.map((fields, number) => ({ ...presentToken(tokenRecord(number)), ...fields })),
      NOW,
    );
    return index.facets({}, { now: NOW, solUsd: null }).fields[field];
  };

  test('percentages have bars of five percent', () => {
    const facet = barsOf(
      'developer',
      [0, 4.9, 5, 100].map((developerShare) => ({ developerShare })),
    );
    expect(facet?.bounds).toEqual(Array.from({ length: FACET_BARS + 1 }, (_, place) => place * 5));
    expect(facet?.bars).toEqual([2, 1, ...Array.from({ length: FACET_BARS - 3 }, () => 0), 1]);
  });

  test('money and counts have bars that grow by the same factor, with the zeros in the first one', () => {
    const facet = barsOf(
      'liquidity',
      [0, 0, 1, 524_288].map((currentLiquidity) => ({ currentLiquidity })),
    );
    const { bounds = [], bars = [] } = facet ?? {};
    expect(bounds.slice(0, 3)).toEqual([0, 1, 2]);
    expect(bounds.at(-1)).toBe(524_288);
    expect([bars[0], bars[1], bars.at(-1)]).toEqual([2, 1, 1]);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
  });

  test.each([0, 7])('figures that are all %d share one bar', (currentLiquidity) => {
    const facet = barsOf('liquidity', [{ currentLiquidity }, { currentLiquidity }]);
    expect(facet?.bars).toEqual([2, ...Array.from({ length: FACET_BARS - 1 }, () => 0)]);
    expect(new Set(facet?.bounds).size).toBe(FACET_BARS + 1);
  });

  test('a field without a known figure has no histogram', () => {
    expect(barsOf('liquidity', [{ currentLiquidity: null }])).toBeUndefined();
  });
});
