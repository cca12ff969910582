import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../common/time.ts';
import { createDice, seededRandom } from '../../market/sources/simulator/random.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { alertOf, moveOf, setUpMatcher as setUp } from '../testing/matcher.ts';
import { detectedToken } from '../testing/tokens.ts';

test('matches only tokens whose scam probability is below the maximum risk of the user [S9-17]', () => {
  const { user, token, matches } = setUp();
  user('careful', { maxRisk: 5 });
  user('exact', { maxRisk: 10 });
  user('brave', { maxRisk: 15 });
  user('off', { maxRisk: 100, newTokenAlerts: false });
  token(1, { scamProbability: 10 });
  expect(matches()).toEqual([alertOf(1, 'brave')]);
});

test('treats an unknown risk as unsafe and an unknown liquidity as too low [S9-17]', () => {
  const { user, token, patch, matches } = setUp();
  user('any', { maxRisk: 100, minLiquidity: 0 });
  token(1, { scamProbability: null });
  token(2, { currentLiquidity: null });
  expect(matches()).toEqual([]);
  patch(1, { scamProbability: 99 });
  patch(2, { currentLiquidity: 0 });
  expect(matches()).toEqual([alertOf(1, 'any'), alertOf(2, 'any')]);
});

test('includes the minimum liquidity, and matches a user once, when the token reaches the settings', () => {
  const { user, token, patch, matches } = setUp();
  user('half', { minLiquidity: 0.5 });
  user('two', { minLiquidity: 2 });
  user('risky', { minLiquidity: 1, maxRisk: 60 });
  token(1, { scamProbability: 50, currentLiquidity: 0.4 });
  expect(matches()).toEqual([]);
  patch(1, { currentLiquidity: 1 });
  expect(matches()).toEqual([alertOf(1, 'risky')]);
  patch(1, { scamProbability: 20 });
  expect(matches()).toEqual([alertOf(1, 'half')]);
  patch(1, { scamProbability: 70, currentLiquidity: 5 });
  patch(1, { scamProbability: 10, currentLiquidity: 1.9 });
  expect(matches()).toEqual([]);
  patch(1, { currentLiquidity: 2 });
  patch(1, { currentLiquidity: 3, scamProbability: 1 });
  expect(matches()).toEqual([alertOf(1, 'two')]);
});

test('matches exactly the users whose settings a token met at some moment, once each, in any sequence of changes', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { next: random, whole } = createDice(seededRandom(String(seed)));
    const { clock, matcher, matches, user, token, patch, backlog } = setUp();
    const settings = Array.from({ length: 60 }, (_, number) => ({
      id: String(number),
      minLiquidity: whole(0, 10),
      maxRisk: whole(0, 10) * 10,
      newTokenAlerts: random() < 0.9,
    }));
    for (const { id, ...alerts } of settings) user(id, alerts);
    clock.pass(1);
    token(1, { scamProbability: null });
    const points = Array.from({ length: 40 }, () => ({
      scamProbability: whole(0, 10) * 10,
      currentLiquidity: whole(0, 10),
    }));
    for (const point of points) {
      // The backlog is full now and then; the next change retries.
      backlog.hasRoom = random() > 0.1;
      patch(1, point);
      backlog.hasRoom = true;
      patch(1, point);
    }
    const expected = settings.filter(
      ({ newTokenAlerts, maxRisk, minLiquidity }) =>
        newTokenAlerts &&
        points.some((point) => point.scamProbability < maxRisk && point.currentLiquidity >= minLiquidity),
    );
    const users = matches().flatMap((line) => line.split(' ').slice(2));
    expect(users).toHaveLength(expected.length);
    expect(new Set(users)).toEqual(new Set(expected.map(({ id }) => id)));
    expect(matcher.size().young).toBe(1);
  }
});

test('a token is too old for an alert after an hour', () => {
  const { user, token, patch, clock, matches, matcher } = setUp();
  user('any');
  token(1, { currentLiquidity: null });
  token(2, { currentLiquidity: null });
  token(3, { createdAt: new Date(clock.now() - HOUR).toISOString() });
  clock.pass(HOUR - 1);
  patch(1, { currentLiquidity: 2 });
  clock.pass(1);
  patch(2, { currentLiquidity: 2 });
  expect(matches()).toEqual([alertOf(1, 'any')]);
  token(4);
  expect(matcher.size().young).toBe(1);
});

test('changed settings apply to tokens detected later', () => {
  const { user, change, token, patch, clock, matches } = setUp();
  user('eager', { minLiquidity: 5 });
  token(1);
  clock.pass(1);
  change('eager', { minLiquidity: 1 });
  patch(1, { currentLiquidity: 3 });
  patch(1, { currentLiquidity: 30 });
  expect(matches()).toEqual([]);
  clock.pass(1);
  token(2);
  expect(matches()).toEqual([alertOf(2, 'eager')]);
  change('eager', { newTokenAlerts: false });
  clock.pass(1);
  token(3);
  expect(matches()).toEqual([]);
});

test('settings saved unchanged still apply to earlier tokens', () => {
  const { user, change, token, patch, clock, matches } = setUp();
  user('same');
  token(1, { currentLiquidity: 0.1 });
  clock.pass(1);
  change('same', {});
  patch(1, { currentLiquidity: 1 });
  expect(matches()).toEqual([alertOf(1, 'same')]);
});

test('a new user is matched with tokens detected after the registration, also before the user was known', () => {
  const { user, token, clock, matches } = setUp();
  token(1);
  clock.pass(1);
  const createdAt = clock.now();
  clock.pass(1);
  token(2);
  user('late', {}, createdAt);
  expect(matches()).toEqual([alertOf(2, 'late')]);
});

test('a match refused by a full backlog is found with the next change', () => {
  const { user, token, patch, watch, backlog, matches } = setUp();
  user('any');
  backlog.hasRoom = false;
  token(1);
  watch('any', 2, 1);
  patch(2, { price: 2 });
  backlog.hasRoom = true;
  patch(1, { holderCount: 7 });
  patch(2, { price: 2 });
  patch(2, { price: 3 });
  expect(matches()).toEqual([alertOf(1, 'any'), moveOf(2, 'any')]);
});

test('removed tokens and tokens no longer watched lead to no alert', () => {
  const { user, token, patch, watch, matches, matcher } = setUp();
  user('any', { minLiquidity: 9 });
  for (const number of [1, 2, 3]) {
    token(number);
    watch('any', number, 1);
  }
  matcher.unwatch('any', addressNumber(1));
  matcher.onTokensRemoved({ addresses: [addressNumber(2)] });
  expect(matcher.size()).toMatchObject({ young: 2, baselines: 1 });
  matcher.onTokensRemoved({ all: true });
  expect(matcher.size()).toMatchObject({ young: 0, baselines: 0 });
  for (const number of [1, 2, 3]) patch(number, { price: 5, currentLiquidity: 8 });
  expect(matches()).toEqual([]);
});

test('a token whose creation is unknown may be of any age and leads to no alert until it is known to be young', () => {
  const { user, token, patch, clock, matches } = setUp();
  user('any');
  token(1, { createdAt: null });
  token(2, { createdAt: null });
  patch(1, { currentLiquidity: 9 });
  expect(matches()).toEqual([]);
  patch(1, { createdAt: new Date(clock.now() - MINUTE).toISOString() });
  patch(2, { createdAt: new Date(clock.now() - 10 * HOUR).toISOString() });
  patch(2, { currentLiquidity: 9 });
  expect(matches()).toEqual([alertOf(1, 'any')]);
});

test('a stored token leaves out users alerted earlier, and does not replace what an event brought meanwhile', () => {
  const { user, token, patch, clock, matches, matcher } = setUp();
  user('first');
  user('second', { minLiquidity: 5 });
  const stored = (number: number) => detectedToken(number, clock.now(), { currentLiquidity: 9 });
  matcher.addStored(stored(1), new Set(['first']));
  expect(matches()).toEqual([alertOf(1, 'second')]);
  token(2, { currentLiquidity: 1 });
  expect(matches()).toEqual([alertOf(2, 'first')]);
  matcher.addStored(stored(2), new Set());
  expect(matches()).toEqual([]);
  patch(2, { currentLiquidity: 6 });
  expect(matches()).toEqual([alertOf(2, 'second')]);
});
