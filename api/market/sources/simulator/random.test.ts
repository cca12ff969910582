import { describe, expect, test } from 'vitest';
import { BUY_SIZES, FIRST_BUY_QUANTILES, FIRST_BUY_ZERO_SHARE } from './figures.ts';
import { buySize } from './lives/trades.ts';
import { createDice, type Dice, seededRandom } from './random.ts';

const DRAWS = 20_000;

function draws(draw: (dice: Dice) => number): number[] {
  const dice = createDice(seededRandom('figures'));
  return Array.from({ length: DRAWS }, () => draw(dice)).sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

describe('the seeded generator', () => {
  test('returns the same numbers for the same seed and others for another', () => {
    const numbers = (seed: string): number[] => Array.from({ length: 5 }, seededRandom(seed));
    expect(numbers('a')).toEqual(numbers('a'));
    expect(numbers('a')).not.toEqual(numbers('b'));
  });

  test('stays within 0 and 1 around the middle', () => {
    const numbers = draws((dice) => dice.next());
    expect(numbers[0]).toBeGreaterThanOrEqual(0);
    expect(numbers.at(-1)).toBeLessThan(1);
    expect(quantile(numbers, 0.5)).toBeCloseTo(0.5, 1);
  });
});

describe('distributions follow the recorded figures', () => {
  test('first buys of creators', () => {
    const sol = draws((dice) => dice.quantile(FIRST_BUY_QUANTILES));
    expect(sol.filter((value) => value === 0).length / DRAWS).toBeCloseTo(FIRST_BUY_ZERO_SHARE, 1);
    expect(quantile(sol, 0.5) / 0.2).toBeCloseTo(1, 0);
    expect(quantile(sol, 0.75) / 1.185).toBeCloseTo(1, 0);
    expect(quantile(sol, 0.9) / 4.938).toBeCloseTo(1, 1);
    expect(quantile(sol, 0.99) / 6.91).toBeCloseTo(1, 0);
    expect(sol.at(-1)).toBeLessThanOrEqual(84.938271603);
  });

  test.each([
    { share: 0.25, recorded: 0.0114 },
    { share: 0.5, recorded: 0.2 },
    { share: 0.75, recorded: 0.9681 },
    { share: 0.9, recorded: 1.9753 },
    { share: 0.95, recorded: 2.963 },
  ])('buys at the quantile $share lie near $recorded SOL', ({ share, recorded }) => {
    const ratio =
      quantile(
        draws((dice) => buySize(dice).sol),
        share,
      ) / recorded;
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });

  test('bounds buys by the largest recorded one', () => {
    expect(draws((dice) => buySize(dice).sol).at(-1)).toBe(BUY_SIZES.maxSol);
  });

  test('geometric numbers have their mean', () => {
    const numbers = draws((dice) => dice.geometric(2));
    expect(numbers[0]).toBe(1);
    expect(numbers.reduce((sum, one) => sum + one, 0) / DRAWS).toBeCloseTo(2, 1);
  });
});
