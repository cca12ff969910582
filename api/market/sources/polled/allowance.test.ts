import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../../common/time.ts';
import { createAllowance } from './allowance.ts';

const MONTH_START = Date.UTC(2026, 10, 1);
const NEXT_MONTH = Date.UTC(2026, 11, 1);

function setUp({ perMonth = 3_000, burst = 2, at = MONTH_START } = {}) {
  const time = { at };
  return { time, allowance: createAllowance(perMonth, burst, () => time.at) };
}

describe('a monthly allowance', () => {
  test('is handed out evenly: every request as early as allowed spends it by the end of the month', () => {
    const { time, allowance } = setUp();
    const perDay = new Map<number, number>();
    while (time.at < NEXT_MONTH) {
      const wait = allowance.readyIn(1);
      if (wait === 0) {
        allowance.take(1);
        const day = Math.floor((time.at - MONTH_START) / DAY);
        perDay.set(day, (perDay.get(day) ?? 0) + 1);
      } else time.at += wait;
    }
    expect([...perDay.values()].slice(0, 30).every((count) => Math.abs(count - 100) <= 2)).toBe(true);
    expect(perDay.size).toBeGreaterThanOrEqual(30);
  });

  test('is never exceeded, whatever is requested, restarted or set back', () => {
    const step = fc.record({ wait: fc.integer({ min: -DAY, max: 3 * DAY }), credits: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.nat(400), (steps, restartAt) => {
        const time = { at: MONTH_START };
        let allowance = createAllowance(100, 12, () => time.at);
        const used = new Map<string, number>();
        for (const [index, { wait, credits }] of steps.entries()) {
          time.at = Math.max(MONTH_START, time.at + wait);
          if (index === restartAt) {
            const usage = allowance.usage();
            allowance = createAllowance(100, 12, () => time.at);
            allowance.restore(usage);
          }
          if (allowance.readyIn(credits) > 0) continue;
          allowance.take(credits);
          const { month } = allowance.usage();
          used.set(month, (used.get(month) ?? 0) + credits);
        }
        expect([...used.values()].every((sum) => sum <= 100)).toBe(true);
      }),
    );
  });

  test('resumes with the usage of this month and ignores that of an earlier one', () => {
    const { time, allowance } = setUp({ at: MONTH_START + 15 * DAY });
    allowance.restore({ month: '2026-11', used: 2_999, at: time.at });
    expect(allowance.read()).toEqual({ limit: 3_000, left: 1, resetsAt: NEXT_MONTH });
    // The last credit follows at the end of the month, two of them never.
    expect(allowance.readyIn(1)).toBe(NEXT_MONTH - time.at);
    expect(allowance.includes(2)).toBe(false);
    allowance.restore({ month: '2026-10', used: 3_000, at: time.at });
    expect(allowance.read().left).toBe(1);
    time.at = NEXT_MONTH;
    expect([allowance.readyIn(2), allowance.read().left]).toEqual([0, 3_000]);
  });

  test('lets an unused bucket hold no more than its size', () => {
    const { time, allowance } = setUp();
    time.at += 20 * DAY;
    expect([allowance.readyIn(2), allowance.readyIn(3) > 0]).toEqual([0, true]);
    allowance.take(2);
    // 2,998 credits for the ten days left.
    expect(allowance.readyIn(1)).toBeCloseTo((10 * DAY) / 2_998, -1);
    expect(allowance.readyIn(1)).toBeLessThan(5 * MINUTE);
  });
});
