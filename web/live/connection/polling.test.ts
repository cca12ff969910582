import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInterest, type Subject } from '../model/subscriptions.ts';
import { createPolling, POLL_AFTER_MS, pollEvery } from './polling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function polled(answered = true) {
  const interest = createInterest();
  const asked: Subject[] = [];
  const changes: object[] = [];
  const polling = createPolling({
    interest,
    now: () => Date.now(),
    poll: (subject) => {
      asked.push(subject);
      return Promise.resolve(answered);
    },
    onChange: (change) => void changes.push(change),
  });
  const times = (subject: Subject) => asked.filter((one) => one === subject).length;
  return { interest, polling, asked, changes, times };
}

test('a socket that is back within 3 s is not replaced by polling [P1]', () => {
  const { interest, polling, asked } = polled();
  interest.add('newest', pollEvery.listPage);
  polling.down();
  vi.advanceTimersByTime(POLL_AFTER_MS - 1);
  polling.up();
  vi.advanceTimersByTime(120_000);
  expect(asked).toEqual([]);
});

test('the list page polls tokens after 3 s and then every 30 s [P1, S9-01]', () => {
  const { interest, polling, times } = polled();
  interest.add('newest', pollEvery.listPage);
  polling.down();
  vi.advanceTimersByTime(POLL_AFTER_MS);
  expect(times('newest')).toBe(1);
  vi.advanceTimersByTime(29_000);
  expect(times('newest')).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(times('newest')).toBe(2);
  vi.advanceTimersByTime(300_000);
  expect(times('newest')).toBe(12);
});

test('the dashboard polls tokens every 60 s, and new, runners and might-run every 30 s [P1, S9-02, S9-03]', () => {
  const { interest, polling, times } = polled();
  interest.add('newest', pollEvery.dashboard);
  for (const list of ['fresh', 'runners', 'mightRun'] as const) interest.add(list, pollEvery.liveLists);
  polling.down();
  vi.advanceTimersByTime(POLL_AFTER_MS + 120_000);
  expect(times('newest')).toBe(3);
  for (const list of ['fresh', 'runners', 'mightRun'] as const) expect(times(list)).toBe(5);
});

test("no poll follows the socket's return [P1]", async () => {
  const { interest, polling, asked, changes } = polled();
  interest.add('newest', pollEvery.listPage);
  polling.down();
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS + 31_000);
  const before = asked.length;
  polling.up();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(asked).toHaveLength(before);
  expect(changes.at(-1)).toEqual({ active: false });
});

test('what no page shows is not polled, save the totals, which tell that the server is there [P1]', () => {
  const { interest, polling, asked } = polled();
  const leave = interest.add('newest', pollEvery.listPage);
  leave();
  leave();
  polling.down();
  vi.advanceTimersByTime(POLL_AFTER_MS + 60_000);
  expect(new Set(asked)).toEqual(new Set(['stats']));
});

test('a page that opens while polling runs is served within a second [P1]', () => {
  const { interest, polling, times } = polled();
  polling.down();
  vi.advanceTimersByTime(POLL_AFTER_MS + 10_500);
  interest.add('runners', pollEvery.liveLists);
  vi.advanceTimersByTime(1_000);
  expect(times('runners')).toBe(1);
});

test('answers and failures are told with their time [P2]', async () => {
  const good = polled(true);
  good.polling.down();
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS);
  expect(good.changes).toEqual([{ active: true }, { answeredAt: Date.now() }]);
  const bad = polled(false);
  bad.polling.down();
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS);
  expect(bad.changes).toEqual([{ active: true }, { failedAt: Date.now() }]);
});
