import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chainedTrades, type TradeStep } from '../../../testing/chained-trades.ts';
import { fakeClock } from '../../../testing/market.ts';
import type { Observation } from '../../observation.ts';
import { createSlotOrder, type OrderLimits } from './slot-order.ts';

function openOrder(limits: Partial<OrderLimits> = {}, slotMs: number | null = null) {
  const clock = fakeClock();
  const seen: Observation[] = [];
  const order = createSlotOrder({
    observe: (observations) => void seen.push(...observations),
    clock,
    slotMs: () => slotMs,
    limits,
  });
  return { clock, seen, order };
}

const SOL = 1_000_000_000;
const steps = (...slots: number[]): TradeStep[] =>
  slots.map((gap, index) => ({ wallet: `w${index}`, amount: SOL, slots: gap }));

const step = fc.record({
  wallet: fc.constantFrom('a', 'b', 'c', 'd'),
  amount: fc.oneof(fc.integer({ min: 1_000, max: 5 * SOL }), fc.constantFrom(-0.3, -1)),
  slots: fc.constantFrom(0, 0, 0, 1, 1, 3),
});
const coins = fc
  .array(fc.array(step, { maxLength: 15 }), { minLength: 1, maxLength: 3 })
  .map((lives) => lives.map((life, index) => chainedTrades(index + 1, life)));

const slotOf = (one: Observation) => ('chain' in one ? (one.chain.slot ?? 0) : 0);
const ofCoin = (observations: readonly Observation[], address: string) =>
  observations.filter((one) => 'address' in one && one.address === address);

describe('the order of a coin', () => {
  test('is that of the chain for every shuffle within four slots', () => {
    const shuffles = fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(coins, shuffles, (lives, late) => {
        const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY });
        const frames = lives.flat().map((one, index) => ({ one, arrives: slotOf(one) + (late[index] ?? 0) }));
        for (const { one } of frames.toSorted((a, b) => a.arrives - b.arrives)) order.push([one]);
        order.flush();
        expect(seen).toHaveLength(frames.length);
        for (const life of lives) expect(ofCoin(seen, life[0].address)).toEqual(life);
      }),
    );
  });

  test('costs no delay while nothing is missing', () => {
    fc.assert(
      fc.property(coins, (lives) => {
        const { seen, order } = openOrder();
        const inOrder = lives.flat().toSorted((a, b) => slotOf(a) - slotOf(b));
        for (const [index, one] of inOrder.entries()) {
          order.push([one]);
          expect(seen).toHaveLength(index + 1);
        }
        order.stop();
      }),
    );
  });
});

describe('a coin met by a trade', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('as after a restart is held back by 50 ms at most, and in order', () => {
    const { seen, order, clock } = openOrder();
    const [, first, second, third] = chainedTrades(1, steps(0, 0, 1));
    const pass = (ms: number) => {
      clock.pass(ms);
      vi.advanceTimersByTime(ms);
    };
    if (second && first) order.push([second, first]);
    pass(20);
    const [, other] = chainedTrades(2, steps(1));
    if (other) order.push([other]);
    expect(seen).toEqual([]);
    pass(30);
    expect(seen).toEqual([first, second, other]);
    if (third) order.push([third]);
    expect(seen).toHaveLength(4);
    order.stop();
  });
});

describe('a missing trade', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('holds back the later trades of its coin for two seconds, and those of no other coin', () => {
    const { seen, order, clock } = openOrder();
    const [creation, first, , third, fourth] = chainedTrades(1, steps(0, 1, 0, 1));
    const other = chainedTrades(2, steps(0, 4));
    for (const one of [creation, first, third, fourth, ...other]) if (one) order.push([one]);
    expect(seen).toEqual([creation, first, ...other]);
    clock.pass(1_900);
    vi.advanceTimersByTime(1_900);
    expect(seen).toHaveLength(5);
    clock.pass(100);
    vi.advanceTimersByTime(100);
    expect(seen.slice(5)).toEqual([third, fourth]);
  });

  test('is no longer waited for once the stream is five slots ahead', () => {
    const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY });
    const [creation, first, , third] = chainedTrades(1, steps(0, 1, 0));
    const ahead = chainedTrades(2, steps(5, 1));
    for (const one of [creation, first, third, ahead[0], ahead[1]]) if (one) order.push([one]);
    expect(seen).not.toContain(third);
    if (ahead[2]) order.push([ahead[2]]);
    expect(seen).toContain(third);
  });

  test('is waited for by the length of the slots: with slots of 200 ms for eight of them', () => {
    const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY }, 200);
    const [creation, first, , third] = chainedTrades(1, steps(0, 1, 0));
    const ahead = chainedTrades(2, steps(9, 1));
    for (const one of [creation, first, third, ahead[0], ahead[1]]) if (one) order.push([one]);
    expect(seen).not.toContain(third);
    if (ahead[2]) order.push([ahead[2]]);
    expect(seen).toContain(third);
  });

  test('is forwarded at once when it comes later than that', () => {
    const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY });
    const [creation, first, second, third, fourth] = chainedTrades(1, steps(0, 1, 1, 1));
    for (const one of [creation, first, third]) if (one) order.push([one]);
    order.flush();
    for (const one of [second, fourth]) if (one) order.push([one]);
    expect(seen).toEqual([creation, first, third, second, fourth]);
  });

  test('read from the node lets the trades after it pass', () => {
    const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY });
    const [creation, first, second, third] = chainedTrades(1, steps(0, 1, 1));
    for (const one of [creation, first, third]) if (one) order.push([one]);
    if (second) order.note([second]);
    expect(seen).toEqual([creation, first, third]);
  });
});

test('a first met coin waits for its creation, and its trades follow it', () => {
  const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY });
  const [creation, first, second] = chainedTrades(1, steps(0, 0));
  for (const one of [second, first]) if (one) order.push([one]);
  expect(seen).toEqual([]);
  order.push([creation]);
  expect(seen).toEqual([creation, first, second]);
});

test('forwards everything in order when too much waits', () => {
  const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY, waiting: 2 });
  const [, first, second, third] = chainedTrades(1, steps(0, 1, 1));
  for (const one of [third, second, first]) if (one) order.push([one]);
  expect(seen).toEqual([first, second, third]);
});

test('discards what waits when it is stopped', () => {
  const { seen, order } = openOrder({ waitMs: Number.POSITIVE_INFINITY });
  const [, first] = chainedTrades(1, steps(0));
  if (first) order.push([first]);
  order.stop();
  order.flush();
  expect(seen).toEqual([]);
});

describe('while earlier observations are read', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('live ones are held, whole coins included, and follow in order', () => {
    const { seen, order, clock } = openOrder();
    const [creation, first, second, third] = chainedTrades(1, steps(0, 1, 1));
    const other = chainedTrades(2, steps(5));
    order.push([creation]);
    order.hold();
    for (const one of [third, ...other]) if (one) order.push([one]);
    if (first && second) order.note([first, second]);
    clock.pass(10_000);
    vi.advanceTimersByTime(10_000);
    expect(seen).toEqual([creation]);
    order.release();
    expect(seen).toEqual([creation, third, ...other]);
  });

  test('none are held for longer than 15 seconds', () => {
    const { seen, order, clock } = openOrder();
    const life = chainedTrades(1, steps(0, 1));
    order.hold();
    order.push(life);
    clock.pass(15_000);
    vi.advanceTimersByTime(14_999);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(life);
    order.stop();
  });

  test('no more are held than may wait', () => {
    const { seen, order } = openOrder({ waiting: 2 });
    const life = chainedTrades(1, steps(0, 1));
    order.hold();
    for (const one of life) order.push([one]);
    expect(seen).toEqual(life);
  });
});
