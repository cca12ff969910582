import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { createGapCloser, RESUME_GRACE_MS } from './gap.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function closer() {
  const requests: FeedCursor[] = [];
  const giveUp = vi.fn();
  const state: { missing: FeedCursor | null } = { missing: null };
  const gap = createGapCloser({
    missing: () => state.missing,
    request: (position) => void requests.push(position),
    giveUp,
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
  return { gap, requests, giveUp, state };
}

const at = (seq: number): FeedCursor => ({ epoch: 'e', seq });

test('requests missing events at once, and again when none arrive [F4]', () => {
  const { gap, requests, state } = closer();
  state.missing = at(7);
  gap.check(0);
  gap.check(0);
  expect(requests).toEqual([at(7)]);
  vi.advanceTimersByTime(2_000);
  expect(requests).toEqual([at(7), at(7)]);
  state.missing = null;
  gap.check(0);
  vi.advanceTimersByTime(60_000);
  expect(requests).toHaveLength(2);
});

test('waits for the replay of a resumed connection before it requests one [F2]', () => {
  const { gap, requests, state } = closer();
  state.missing = at(7);
  gap.check(RESUME_GRACE_MS);
  vi.advanceTimersByTime(RESUME_GRACE_MS - 1);
  expect(requests).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(requests).toEqual([at(7)]);
});

test('gives up after three replays without an event, not while they bring some [F4]', () => {
  const { gap, requests, giveUp, state } = closer();
  state.missing = at(7);
  gap.check(0);
  vi.advanceTimersByTime(2_000);
  state.missing = at(9);
  vi.advanceTimersByTime(4_000);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(4_000);
  expect(giveUp).toHaveBeenCalledTimes(1);
  expect(requests.map(({ seq }) => seq)).toEqual([7, 7, 9, 9, 9]);
});
