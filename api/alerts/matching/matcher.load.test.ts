import { expect, test } from 'vitest';
import { fakeClock } from '../../market/testing/market.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { feedToken, newToken, seeded, update } from '../testing/tokens.ts';
import { Matcher } from './matcher.ts';
import { type Point, satisfies } from './thresholds.ts';

const between = (random: () => number, low: number, high: number) => Math.floor(low + random() * (high - low + 1));

test('however a token moves, exactly those are found whose settings it met at some moment', () => {
  const clock = fakeClock();
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = seeded(seed);
    const found = new Map<string, number>();
    const matcher = new Matcher({
      clock,
      found: ({ userIds }) => {
        // Now and then there is no room.
        if (random() < 0.1) return false;
        for (const id of userIds) found.set(id, (found.get(id) ?? 0) + 1);
        return true;
      },
      settled: () => {},
    });
    const users = Array.from({ length: 60 }, (_, number) => ({
      id: `user ${number}`,
      alerts: {
        minLiquidity: between(random, 0, 10),
        maxRisk: between(random, 0, 10) * 10,
        newTokenAlerts: random() < 0.9,
        priceChangeAlerts: true,
      },
      since: 0,
      priceSince: 0,
    }));
    for (const user of users) matcher.put(user);
    matcher.entries([newToken(feedToken(1, clock.now(), { scamProbability: null }))]);
    const points: Point[] = [];
    for (let step = 0; step < 40; step += 1) {
      const point = { risk: between(random, 0, 10) * 10, liquidity: between(random, 0, 10) };
      const fields = { scamProbability: point.risk, currentLiquidity: point.liquidity };
      // Told until there was room for whoever is new.
      const said = found.size;
      for (let again = 0; again < 5 && (again === 0 || found.size === said); again += 1) {
        matcher.entries([update(clock.now(), { address: addressNumber(1), ...fields })]);
      }
      points.push(point);
    }
    const expected = users
      .filter(({ alerts }) => alerts.newTokenAlerts && points.some((point) => satisfies(point, alerts)))
      .map(({ id }) => id);
    expect(new Set(found.keys())).toEqual(new Set(expected));
    expect(Math.max(1, ...found.values())).toBe(1);
  }
});

test('among 10,000 users an update that is no news to anybody costs microseconds', () => {
  const clock = fakeClock();
  const random = seeded(7);
  let alerts = 0;
  const matcher = new Matcher({
    clock,
    found: ({ userIds }) => {
      alerts += userIds.length;
      return true;
    },
    settled: () => {},
  });
  for (let number = 0; number < 10_000; number += 1) {
    const settings = { newTokenAlerts: true, priceChangeAlerts: true };
    const thresholds = { minLiquidity: between(random, 0, 100) / 10, maxRisk: between(random, 0, 10) * 5 };
    matcher.put({ id: `user ${number}`, alerts: { ...settings, ...thresholds }, since: 0, priceSince: 0 });
  }
  const tokens = 200;
  for (let number = 0; number < tokens; number += 1) {
    const figures = { scamProbability: between(random, 20, 60), currentLiquidity: 4 };
    matcher.entries([newToken(feedToken(number, clock.now(), figures))]);
    // Ten users watch each of them.
    for (let watcher = 0; watcher < 10; watcher += 1) {
      const user = `user ${between(random, 0, 9_999)}`;
      matcher.watch(user, { address: addressNumber(number), price: 1 + random() / 2, since: 1 });
    }
  }
  expect(alerts).toBeGreaterThan(10_000);
  const before = alerts;
  const updates = 50_000;
  const entries = Array.from({ length: updates / 50 }, () =>
    update(
      clock.now(),
      ...Array.from({ length: 50 }, () => ({
        address: addressNumber(between(random, 0, tokens - 1)),
        price: 0.8 + random() * 0.6,
        currentLiquidity: random() * 4,
      })),
    ),
  );
  const begun = performance.now();
  matcher.entries(entries);
  const each = ((performance.now() - begun) * 1000) / updates;
  expect(alerts).toBe(before);
  // A hundred times what it takes, since machines may be busy: asking all 10,000 would be more.
  expect(each).toBeLessThan(200);
});
