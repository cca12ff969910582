import { expect, test } from 'vitest';
import { defaultAlerts } from '../../../common/settings/model.ts';
import { fakeClock } from '../../market/testing/market.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { feedToken, newToken, update } from '../testing/tokens.ts';
import { type Match, Matcher } from './matcher.ts';

const MINUTE = 60_000;

function setUp({ maxReferences }: { maxReferences?: number } = {}) {
  const clock = fakeClock();
  const found: Match[] = [];
  const settled: [string, number, string[]][] = [];
  let hasRoom = true;
  let isFull = false;
  let asked = 0;
  const matcher = new Matcher({
    clock,
    isFull: () => isFull,
    found: (match) => {
      asked += 1;
      if (hasRoom) found.push(match);
      return hasRoom;
    },
    settled: (...one) => void settled.push(one),
    ...(maxReferences === undefined ? {} : { maxReferences }),
  });
  const user = (id: string, alerts = {}, since = clock.now() - MINUTE) =>
    matcher.put({ id, alerts: { ...defaultAlerts, ...alerts }, since, priceSince: 0 });
  return {
    clock,
    matcher,
    user,
    settled,
    room: (is: boolean) => {
      hasRoom = is;
    },
    full: (is: boolean) => {
      isFull = is;
    },
    asked: () => asked,
    /** Who was found since the last call, as `type address user …`. */
    news: () => found.splice(0).map(({ type, address, userIds }) => [type, address, ...userIds.toSorted()].join(' ')),
    token: (number: number, fields = {}) => matcher.entries([newToken(feedToken(number, clock.now(), fields))]),
    patch: (number: number, fields: object) =>
      matcher.entries([update(clock.now(), { address: addressNumber(number), ...fields })]),
  };
}

const alertOf = (number: number, ...users: string[]) => ['new_token', addressNumber(number), ...users].join(' ');
const moveOf = (number: number, ...users: string[]) => ['price_alert', addressNumber(number), ...users].join(' ');

test('alerts go out only on tokens whose scam probability is below the user’s maximum risk [S9-17]', () => {
  const { user, token, news } = setUp();
  user('careful', { maxRisk: 5 });
  user('exact', { maxRisk: 10 });
  user('brave', { maxRisk: 15 });
  user('off', { maxRisk: 100, newTokenAlerts: false });
  token(1, { scamProbability: 10 });
  expect(news()).toEqual([alertOf(1, 'brave')]);
});

test('a risk that is not known is not safe, and a liquidity that is not known is not enough [S9-17]', () => {
  const { user, token, patch, news } = setUp();
  user('any', { maxRisk: 100, minLiquidity: 0 });
  token(1, { scamProbability: null });
  token(2, { currentLiquidity: null });
  expect(news()).toEqual([]);
  patch(1, { scamProbability: 99 });
  patch(2, { currentLiquidity: 0 });
  expect(news()).toEqual([alertOf(1, 'any'), alertOf(2, 'any')]);
});

test('liquidity counts from the minimum on, and everybody is found once, when the token gets there', () => {
  const { user, token, patch, news } = setUp();
  user('half', { minLiquidity: 0.5 });
  user('two', { minLiquidity: 2 });
  user('risky', { minLiquidity: 1, maxRisk: 60 });
  token(1, { scamProbability: 50, currentLiquidity: 0.4 });
  expect(news()).toEqual([]);
  patch(1, { currentLiquidity: 1 });
  expect(news()).toEqual([alertOf(1, 'risky')]);
  patch(1, { scamProbability: 20 });
  expect(news()).toEqual([alertOf(1, 'half')]);
  patch(1, { scamProbability: 70, currentLiquidity: 5 });
  patch(1, { scamProbability: 10, currentLiquidity: 1.9 });
  expect(news()).toEqual([]);
  patch(1, { currentLiquidity: 2 });
  patch(1, { currentLiquidity: 3, scamProbability: 1 });
  expect(news()).toEqual([alertOf(1, 'two')]);
});

test('a token is too old for an alert after an hour', () => {
  const { user, token, patch, clock, news, matcher } = setUp();
  user('any');
  token(1, { currentLiquidity: null });
  token(2, { currentLiquidity: null });
  token(3, { createdAt: new Date(clock.now() - 60 * MINUTE).toISOString() });
  clock.pass(60 * MINUTE - 1);
  patch(1, { currentLiquidity: 2 });
  clock.pass(1);
  patch(2, { currentLiquidity: 2 });
  expect(news()).toEqual([alertOf(1, 'any')]);
  token(4);
  expect(matcher.size.young).toBe(1);
});

test('changed settings count for tokens that come later, not for those that are there', () => {
  const { user, matcher, token, patch, clock, news } = setUp();
  user('eager', { minLiquidity: 5 });
  token(1);
  clock.pass(1);
  matcher.changed('eager', { ...defaultAlerts, minLiquidity: 1 });
  patch(1, { currentLiquidity: 3 });
  patch(1, { currentLiquidity: 30 });
  expect(news()).toEqual([]);
  clock.pass(1);
  token(2);
  expect(news()).toEqual([alertOf(2, 'eager')]);
  matcher.changed('eager', { ...defaultAlerts, newTokenAlerts: false });
  clock.pass(1);
  token(3);
  expect(news()).toEqual([]);
});

test('settings that are saved as they were change nothing', () => {
  const { user, matcher, token, patch, clock, news } = setUp();
  user('same');
  token(1, { currentLiquidity: 0.1 });
  clock.pass(1);
  matcher.changed('same', { ...defaultAlerts });
  patch(1, { currentLiquidity: 1 });
  expect(news()).toEqual([alertOf(1, 'same')]);
});

test('a new user hears of tokens that came after them, even of one that came before they were known', () => {
  const { user, token, clock, news } = setUp();
  token(1);
  clock.pass(1);
  const born = clock.now();
  clock.pass(1);
  token(2);
  user('late', {}, born);
  expect(news()).toEqual([alertOf(2, 'late')]);
});

test('what finds no room is found with the next change', () => {
  const { user, token, patch, room, news, matcher } = setUp();
  user('any');
  room(false);
  token(1);
  matcher.watch('any', { address: addressNumber(2), price: 1, since: 1 });
  patch(2, { price: 2 });
  room(true);
  patch(1, { holderCount: 7 });
  patch(2, { price: 2 });
  patch(2, { price: 3 });
  expect(news()).toEqual([alertOf(1, 'any'), moveOf(2, 'any')]);
});

test('a price alert comes once the price has moved by half, up or down, since the token was watched', () => {
  const { user, patch, news, matcher } = setUp();
  for (const id of ['up', 'down', 'still', 'off']) user(id, { priceChangeAlerts: id !== 'off' });
  const address = addressNumber(1);
  matcher.watch('up', { address, price: 0.000_000_03, since: 1 });
  matcher.watch('off', { address, price: 0.000_000_03, since: 1 });
  matcher.watch('down', { address, price: 0.000_000_09, since: 1 });
  matcher.watch('still', { address, price: 0.000_000_045, since: 1 });
  patch(1, { price: 0.000_000_044_9 });
  expect(news()).toEqual([moveOf(1, 'down')]);
  patch(1, { price: 0.000_000_045 });
  expect(news()).toEqual([moveOf(1, 'up')]);
  patch(1, { price: 0.000_000_045 });
  patch(1, { price: 0.000_000_03 });
  patch(1, { price: null });
  expect(news()).toEqual([]);
  patch(1, { price: 0.000_000_022_5 });
  expect(news()).toEqual([moveOf(1, 'still')]);
  expect(matcher.size.references).toBe(0);
});

test('who was alerted of a token hears of its moves, from the price of the alert on', () => {
  const { user, token, patch, clock, news, matcher } = setUp();
  user('any');
  token(1, { price: 2 });
  matcher.wasAlerted('any', { address: addressNumber(1), price: 2, at: clock.now() });
  expect(news()).toEqual([alertOf(1, 'any')]);
  patch(1, { price: 2.9 });
  patch(1, { price: 1 });
  expect(news()).toEqual([moveOf(1, 'any')]);
});

test('without a price the first one is what counts', () => {
  const { user, patch, settled, news, matcher } = setUp();
  user('any');
  matcher.watch('any', { address: addressNumber(1), price: null, since: 1 });
  patch(1, { price: 4 });
  patch(1, { price: 5 });
  expect([news(), settled]).toEqual([[], [[addressNumber(1), 4, ['any']]]]);
  patch(1, { price: 6 });
  expect(news()).toEqual([moveOf(1, 'any')]);
});

test('price alerts count from when they were switched on', () => {
  const { user, patch, clock, news, matcher } = setUp();
  user('any', { priceChangeAlerts: false });
  const address = addressNumber(1);
  matcher.watch('any', { address, price: 1, since: 1 });
  patch(1, { price: 10 });
  clock.pass(1);
  expect(matcher.changed('any', defaultAlerts)).toBe(true);
  matcher.watch('any', { address, price: 1, since: 1 });
  matcher.wasAlerted('any', { address, price: 1, at: 1 });
  patch(1, { price: 10 });
  patch(1, { price: 14 });
  expect(news()).toEqual([]);
  patch(1, { price: 15 });
  expect(news()).toEqual([moveOf(1, 'any')]);
});

test('tokens that are removed are forgotten, and who stops watching hears no more', () => {
  const { user, token, patch, news, matcher } = setUp();
  user('any', { minLiquidity: 9 });
  for (const number of [1, 2, 3]) {
    token(number);
    matcher.watch('any', { address: addressNumber(number), price: 1, since: 1 });
  }
  matcher.unwatch('any', addressNumber(1));
  matcher.entries([{ seq: 1, event: 'tokens-removed', payload: { seq: 1, addresses: [addressNumber(2)] } }]);
  expect(matcher.size).toMatchObject({ young: 2, references: 1 });
  matcher.entries([{ seq: 2, event: 'tokens-removed', payload: { seq: 2, all: true } }]);
  expect(matcher.size).toMatchObject({ young: 0, references: 0 });
  for (const number of [1, 2, 3]) patch(number, { price: 5, currentLiquidity: 20 });
  expect(news()).toEqual([]);
});

test('there are no more references than there may be', () => {
  const { user, matcher } = setUp({ maxReferences: 3 });
  user('any');
  for (let number = 0; number < 10; number += 1) {
    matcher.watch('any', { address: addressNumber(number), price: 1, since: 1 });
  }
  expect(matcher.size.references).toBe(3);
});

test('a token whose creation is not known may be of any age: nobody is alerted before it is known to be young', () => {
  const { user, token, patch, clock, news } = setUp();
  user('any');
  token(1, { createdAt: null });
  token(2, { createdAt: null });
  patch(1, { currentLiquidity: 9 });
  expect(news()).toEqual([]);
  patch(1, { createdAt: new Date(clock.now() - MINUTE).toISOString() });
  patch(2, { createdAt: new Date(clock.now() - 600 * MINUTE).toISOString() });
  patch(2, { currentLiquidity: 9 });
  expect(news()).toEqual([alertOf(1, 'any')]);
});

test('what is stored of a token does not replace what the feed has told meanwhile, and who was alerted stays alerted', () => {
  const { user, token, patch, clock, news, matcher } = setUp();
  user('first', { minLiquidity: 5 });
  user('second');
  const stored = feedToken(1, clock.now(), { currentLiquidity: 9, version: 1 });
  token(1, { currentLiquidity: 1, version: 2 });
  expect(news()).toEqual([alertOf(1, 'second')]);
  matcher.token(stored, ['first']);
  patch(1, { currentLiquidity: 6 });
  expect(news()).toEqual([]);
});

test('while there is no room nobody is asked at all, however much is told', () => {
  const { user, token, patch, full, asked, news, matcher } = setUp();
  user('any');
  matcher.watch('any', { address: addressNumber(2), price: 1, since: 1 });
  full(true);
  token(1);
  patch(1, { currentLiquidity: 3 });
  patch(2, { price: 2 });
  expect([asked(), news()]).toEqual([0, []]);
  full(false);
  patch(1, { holderCount: 7 });
  patch(2, { price: 2 });
  expect(news()).toEqual([alertOf(1, 'any'), moveOf(2, 'any')]);
});
