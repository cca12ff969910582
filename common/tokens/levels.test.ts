import { describe, expect, test } from 'vitest';
import { hasFewHolders, holderBand, liquidityBand, riskLevel } from './levels.ts';

describe('levels', () => {
  test.each([
    [null, 'Unknown'],
    [0, 'Low Risk'],
    [30, 'Low Risk'],
    [30.1, 'Medium Risk'],
    [70, 'Medium Risk'],
    [70.1, 'High Risk'],
    [100, 'High Risk'],
  ])('a risk of %s on the scale 0–100 is %s [S4-03]', (risk, level) => expect(riskLevel(risk)).toBe(level));

  test('a risk of 1 is one percent, never 100 % [S3-07]', () => {
    expect(riskLevel(1)).toBe('Low Risk');
    expect(riskLevel(0.9)).toBe('Low Risk');
  });

  test.each([
    [null, 'Unknown'],
    [0, 'Very Low'],
    [0.499, 'Very Low'],
    [0.5, 'Low'],
    [0.999, 'Low'],
    [1, 'Adequate'],
  ])('a liquidity of %s SOL is %s [S4-11]', (sol, band) => expect(liquidityBand(sol)).toBe(band));

  test.each([
    [null, 'Unknown'],
    [0, 'Highly Concentrated'],
    [9, 'Highly Concentrated'],
    [10, 'Concentrated'],
    [49, 'Concentrated'],
    [50, 'Distributed'],
  ])('%s holders are %s [S4-12]', (holders, band) => expect(holderBand(holders)).toBe(band));

  test('fewer than 20 holders are a warning [S4-12]', () => {
    expect(hasFewHolders(19)).toBe(true);
    expect(hasFewHolders(20)).toBe(false);
    expect(hasFewHolders(null)).toBe(false);
  });
});
