import fc from 'fast-check';
import { pino } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../../common/time.ts';
import { createAllowance, type UsageCounter } from './allowance.ts';

const MONTH_START = Date.UTC(2026, 10, 1);
const NEXT_MONTH = Date.UTC(2026, 11, 1);
const log = pino({ level: 'silent' });
const createCounter = () => new RateLimiterMemory({ points: 1, duration: 0 });

/** An allowance of a plan whose bucket holds a run of `run` credits. */
function setUp({ perMonth = 1_440, run = 2, at = MONTH_START, usage = createCounter() as UsageCounter } = {}) {
  const time = { at };
  const state = { key: 'first' };
  const start = async () => {
    const credits = { perMonth, listings: run, quotes: 0 };
    const deps = { currentKey: () => state.key, clock: { now: () => time.at } };
    const allowance = createAllowance('service', credits, deps);
    await allowance.load({ usage, log });
    return allowance;
  };
  return { time, state, start };
}

describe('a monthly allowance', () => {
  test('is handed out evenly: every request as early as allowed spends it by the end of the month', async () => {
    const { time, start } = setUp();
    const allowance = await start();
    const perDay = new Map<number, number>();
    while (time.at < NEXT_MONTH) {
      const wait = allowance.readyIn(1);
      if (wait === 0) {
        allowance.take(1);
        const day = Math.floor((time.at - MONTH_START) / DAY);
        perDay.set(day, (perDay.get(day) ?? 0) + 1);
      } else time.at += wait;
    }
    expect([...perDay.values()].slice(0, 30).every((count) => Math.abs(count - 48) <= 2)).toBe(true);
    expect(perDay.size).toBeGreaterThanOrEqual(30);
  });

  test('is never exceeded, whatever is requested, restarted or set back', async () => {
    const step = fc.record({ wait: fc.integer({ min: -DAY, max: 3 * DAY }), credits: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), fc.nat(400), async (steps, restartAt) => {
        const { time, start } = setUp({ perMonth: 100, run: 12 });
        let allowance = await start();
        const used = new Map<number, number>();
        for (const [index, { wait, credits }] of steps.entries()) {
          time.at = Math.max(MONTH_START, time.at + wait);
          if (index === restartAt) {
            await allowance.saved();
            allowance = await start();
          }
          if (allowance.readyIn(credits) > 0) continue;
          allowance.take(credits);
          const month = allowance.read().resetsAt;
          used.set(month, (used.get(month) ?? 0) + credits);
        }
        expect([...used.values()].every((sum) => sum <= 100)).toBe(true);
      }),
    );
  });

  test('resumes with the stored usage of this month and of this key', async () => {
    const usage = createCounter();
    const { time, state, start } = setUp({ at: MONTH_START + 15 * DAY, usage });
    const first = await start();
    for (let taken = 0; taken < 1_439; taken += 1) first.take(1);
    await first.saved();
    const allowance = await start();
    expect(allowance.read()).toEqual({ limit: 1_440, left: 1, resetsAt: NEXT_MONTH });
    // The last credit follows at the end of the month, two of them never.
    expect(allowance.readyIn(1)).toBe(NEXT_MONTH - time.at);
    expect(allowance.includes(2)).toBe(false);
    state.key = 'second';
    allowance.keyChanged();
    expect(allowance.read().left).toBe(1_440);
    state.key = 'first';
    allowance.keyChanged();
    await expect.poll(() => allowance.read().left).toBe(1);
    time.at = NEXT_MONTH;
    expect([allowance.readyIn(2), allowance.read().left]).toEqual([0, 1_440]);
  });

  test('hands out nothing extra after a restart', async () => {
    const { time, start } = setUp();
    const allowance = await start();
    time.at += DAY;
    allowance.take(49);
    await allowance.saved();
    const wait = (await start()).readyIn(2);
    // One credit more than the share of the first day is used.
    expect(wait).toBeCloseTo((29 * DAY) / 1_391, -4);
  });

  test('counts the credits that could not be stored with the next request', async () => {
    const counter = createCounter();
    let isAway = true;
    const penalty: UsageCounter['penalty'] = (key, points) =>
      isAway ? Promise.reject(new Error('away')) : counter.penalty(key, points);
    const { start } = setUp({ usage: { get: (key) => counter.get(key), penalty } });
    const allowance = await start();
    allowance.take(3);
    await allowance.saved();
    isAway = false;
    allowance.take(2);
    await allowance.saved();
    expect((await start()).read().left).toBe(1_435);
  });

  test('lets an unused bucket hold no more than its size', async () => {
    const { time, start } = setUp();
    const allowance = await start();
    time.at += 20 * DAY;
    expect([allowance.readyIn(2), allowance.readyIn(3) > 0]).toEqual([0, true]);
    allowance.take(2);
    // 1,438 credits for the ten days left.
    expect(allowance.readyIn(1)).toBeLessThan(11 * MINUTE);
    expect(allowance.readyIn(1)).toBeGreaterThan(9 * MINUTE);
  });
});
