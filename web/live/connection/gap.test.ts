import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { createGapCloser, RESUME_GRACE_MS } from './gap.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function closer() {
  const asked: FeedCursor[] = [];
  const giveUp = vi.fn();
  const state: { missing: FeedCursor | null } = { missing: null };
  const gap = createGapCloser({
    missing: () => state.missing,
    ask: (place) => void asked.push(place),
    giveUp,
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
  return { gap, asked, giveUp, state };
}

const at = (seq: number): FeedCursor => ({ epoch: 'e', seq });

test('a jump is asked for at once, once, and again when nothing comes [F4]', () => {
  const { gap, asked, state } = closer();
  state.missing = at(7);
  gap.look(0);
  gap.look(0);
  expect(asked).toEqual([at(7)]);
  vi.advanceTimersByTime(2_000);
  expect(asked).toEqual([at(7), at(7)]);
  state.missing = null;
  gap.look(0);
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(2);
});

test('after a resumed connection the server has a moment to replay by itself [F2]', () => {
  const { gap, asked, state } = closer();
  state.missing = at(7);
  gap.look(RESUME_GRACE_MS);
  vi.advanceTimersByTime(RESUME_GRACE_MS - 1);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(asked).toEqual([at(7)]);
});

test('a replay that brings nothing three times is given up, one that goes on is not [F4]', () => {
  const { gap, asked, giveUp, state } = closer();
  state.missing = at(7);
  gap.look(0);
  vi.advanceTimersByTime(2_000);
  state.missing = at(9);
  vi.advanceTimersByTime(4_000);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(4_000);
  expect(giveUp).toHaveBeenCalledTimes(1);
  expect(asked.map((place) => place.seq)).toEqual([7, 7, 9, 9, 9]);
});
