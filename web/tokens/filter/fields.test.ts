import { expect, test } from 'vitest';
import { parseFigure, typedFigure, type Unit } from './fields.ts';

test.each<[string, Unit, number | null | 'wrong']>([
  ['', 'usd', null],
  ['10', 'seconds', 600],
  ['90s', 'seconds', 90],
  ['2h', 'seconds', 7_200],
  ['$1.5k', 'usd', 1_500],
  ['20,000', 'count', 20_000],
  ['30 %', 'percent', 30],
  ['5', 'sol', 5],
  ['1m', 'percent', 'wrong'],
  ['-5', 'sol', 'wrong'],
  ['many', 'count', 'wrong'],
])('reads %j as %s: %j', (text, unit, expected) => expect(parseFigure(text, unit)).toBe(expected));

test.each<[number, Unit, string]>([
  [600, 'seconds', '10m'],
  [90, 'seconds', '90s'],
  [86_400, 'seconds', '1d'],
  [1_500, 'usd', '1.5K'],
  [1_234, 'usd', '1234'],
  [0.25, 'sol', '0.25'],
])('writes %j as %s so that reading it gives the same: %s', (value, unit, expected) => {
  expect(typedFigure(value, unit)).toBe(expected);
  expect(parseFigure(expected, unit)).toBe(value);
});
