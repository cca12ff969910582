import { expect, test } from 'vitest';
import { addressNumber } from '../../testing/tokens.ts';
import { alertOf, moveOf, setUpMatcher as setUp } from '../testing/matcher.ts';

test('a price alert is due once the price has moved by half, up or down, since the token was watched', () => {
  const { user, patch, watch, matches, matcher } = setUp();
  for (const id of ['up', 'down', 'still', 'off']) user(id, { priceChangeAlerts: id !== 'off' });
  watch('up', 1, 0.000_000_03);
  watch('off', 1, 0.000_000_03);
  watch('down', 1, 0.000_000_09);
  watch('still', 1, 0.000_000_045);
  patch(1, { price: 0.000_000_044_9 });
  expect(matches()).toEqual([moveOf(1, 'down')]);
  patch(1, { price: 0.000_000_045 });
  expect(matches()).toEqual([moveOf(1, 'up')]);
  patch(1, { price: 0.000_000_045 });
  patch(1, { price: 0.000_000_03 });
  patch(1, { price: null });
  expect(matches()).toEqual([]);
  patch(1, { price: 0.000_000_022_5 });
  expect(matches()).toEqual([moveOf(1, 'still')]);
  expect(matcher.size().baselines).toBe(0);
});

test('an alert about a new token starts a price alert from its price', () => {
  const { user, token, patch, clock, matches, matcher } = setUp();
  user('any');
  token(1, { price: 2 });
  matcher.alerted('any', { address: addressNumber(1), price: 2, since: clock.now() });
  expect(matches()).toEqual([alertOf(1, 'any')]);
  patch(1, { price: 2.9 });
  patch(1, { price: 1 });
  expect(matches()).toEqual([moveOf(1, 'any')]);
});

test('without a price the first known price is the baseline', () => {
  const { user, patch, watch, firstPrices, matches } = setUp();
  user('any');
  watch('any', 1, null);
  patch(1, { price: 4 });
  patch(1, { price: 5 });
  expect([matches(), firstPrices]).toEqual([[], [[addressNumber(1), 4, ['any']]]]);
  patch(1, { price: 6 });
  expect(matches()).toEqual([moveOf(1, 'any')]);
});

test('price alerts count from when they were switched on', () => {
  const { user, change, patch, watch, clock, matches, matcher } = setUp();
  user('any', { priceChangeAlerts: false });
  watch('any', 1, 1);
  patch(1, { price: 10 });
  clock.pass(1);
  change('any', {});
  watch('any', 1, 1);
  matcher.alerted('any', { address: addressNumber(1), price: 1, since: 1 });
  patch(1, { price: 10 });
  patch(1, { price: 14 });
  expect(matches()).toEqual([]);
  patch(1, { price: 15 });
  expect(matches()).toEqual([moveOf(1, 'any')]);
});

test('bounds the number of baselines', () => {
  const { user, watch, matcher } = setUp({ maxBaselines: 3 });
  user('any');
  for (let number = 0; number < 10; number += 1) watch('any', number, 1);
  expect(matcher.size().baselines).toBe(3);
});
