import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectedToken } from '../testing/tokens.ts';
import { bestFirst, type TokenMatch } from './match.ts';

const match = (
  number: number,
  fields: Partial<TokenMatch['token']> = {},
  kind: Partial<TokenMatch> = {},
): TokenMatch => {
  const token = detectedToken(number, 0, fields);
  return {
    ...{ type: 'new_token', address: token.address, token, userIds: ['user'], isWatched: false, isFromStart: false },
    ...kind,
  };
};
const watched = { type: 'price_alert', isWatched: true } as const;
const moved = { type: 'price_alert' } as const;

test('puts watched tokens first, then moved prices, then new tokens by risk and by liquidity', () => {
  const ordered = [
    match(1, { scamProbability: 90 }, watched),
    match(2, { scamProbability: 90 }, moved),
    match(3, { scamProbability: 5, currentLiquidity: 1 }),
    match(4, { scamProbability: 20, currentLiquidity: 9 }),
    match(5, { scamProbability: 20, currentLiquidity: 2 }),
    match(6, { scamProbability: 20, currentLiquidity: null }),
    match(7, { scamProbability: null, currentLiquidity: 50 }),
    match(8, { scamProbability: null, currentLiquidity: null }),
  ];
  expect(bestFirst(ordered.toReversed())).toEqual(ordered);
});

test('orders any matches completely, whatever their first order, and drops none', () => {
  const figure = fc.option(fc.integer({ min: 0, max: 3 }));
  const kinds = fc.constantFrom<Partial<TokenMatch>>({}, moved, watched);
  const made = fc
    .tuple(fc.nat(99), figure, figure, kinds)
    .map(([number, scamProbability, currentLiquidity, kind]) =>
      match(number, { scamProbability, currentLiquidity }, kind),
    );
  const figures = (matches: readonly TokenMatch[]) =>
    matches.map(({ token, type, isWatched }) => [type, isWatched, token.scamProbability, token.currentLiquidity]);
  fc.assert(
    fc.property(fc.array(made, { maxLength: 12 }), (matches) => {
      const ordered = bestFirst(matches);
      expect(figures(bestFirst(matches.toReversed()))).toEqual(figures(ordered));
      expect(new Set(ordered)).toEqual(new Set(matches));
      const risks = ordered.flatMap(({ type, token }) => (type === 'new_token' ? [token.scamProbability] : []));
      expect(risks).toEqual(risks.toSorted((one, other) => (one ?? 101) - (other ?? 101)));
    }),
  );
});
