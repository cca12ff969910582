import { expect, test } from 'vitest';
import { token } from '../live/testing/build.ts';
import { changeOf, holderShare, liquidityShare } from './cells.tsx';
import { layoutFor } from './columns.tsx';

test('the liquidity bar is initial liquidity × 10, the holder bar the holder count, both capped at 100 [S9-12]', () => {
  expect([null, 0, 2.5, 10, 11].map(liquidityShare)).toEqual([0, 0, 25, 100, 100]);
  expect([null, 0, 24, 100, 5_000].map(holderShare)).toEqual([0, 0, 24, 100, 100]);
});

test('computes a change only from two prices', () => {
  expect(changeOf(token(1, { spark: [2, 3], price: 4 }))).toBe(100);
  expect(changeOf(token(1, { spark: [], price: 4 }))).toBeNull();
  expect(changeOf(token(1, { spark: [2], price: null }))).toBeNull();
  expect(changeOf(token(1, { spark: [0], price: 4 }))).toBeNull();
});

test('the layout follows the width of the table', () => {
  expect([336, 660, 860, 1_192].map(layoutFor)).toEqual(['compact', 'small', 'medium', 'wide']);
});
