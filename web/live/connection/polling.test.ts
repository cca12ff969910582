import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createShownLists, type Subject } from '../model/shown-lists.ts';
import { createPolling, POLL_AFTER_MS, pollEvery } from './polling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function polled(responded = true) {
  const shownLists = createShownLists();
  const polls: Subject[] = [];
  const changes: object[] = [];
  const polling = createPolling({
    shownLists,
    now: () => Date.now(),
    poll: (subject) => {
      polls.push(subject);
      return Promise.resolve(responded);
    },
    onChange: (change) => void changes.push(change),
  });
  const times = (subject: Subject) => polls.filter((one) => one === subject).length;
  return { shownLists, polling, polls, changes, times };
}

test('a socket that returns within 3 s causes no polling [P1]', () => {
  const { shownLists, polling, polls } = polled();
  shownLists.add('all', pollEvery.listPage);
  polling.start();
  vi.advanceTimersByTime(POLL_AFTER_MS - 1);
  polling.stop();
  vi.advanceTimersByTime(120_000);
  expect(polls).toEqual([]);
});

test('the list page polls tokens after 3 s and then every 30 s [P1, S9-01]', () => {
  const { shownLists, polling, times } = polled();
  shownLists.add('all', pollEvery.listPage);
  polling.start();
  vi.advanceTimersByTime(POLL_AFTER_MS);
  expect(times('all')).toBe(1);
  vi.advanceTimersByTime(29_000);
  expect(times('all')).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(times('all')).toBe(2);
  vi.advanceTimersByTime(300_000);
  expect(times('all')).toBe(12);
});

test('the dashboard polls tokens every 60 s, and new, runners and might-run every 30 s [P1, S9-02, S9-03]', () => {
  const { shownLists, polling, times } = polled();
  shownLists.add('all', pollEvery.dashboard);
  for (const list of ['new', 'runners', 'mightRun'] as const) shownLists.add(list, pollEvery.liveLists);
  polling.start();
  vi.advanceTimersByTime(POLL_AFTER_MS + 120_000);
  expect(times('all')).toBe(3);
  for (const list of ['new', 'runners', 'mightRun'] as const) expect(times(list)).toBe(5);
});

test('stops polling when the socket returns [P1]', async () => {
  const { shownLists, polling, polls, changes } = polled();
  shownLists.add('all', pollEvery.listPage);
  polling.start();
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS + 31_000);
  const before = polls.length;
  polling.stop();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(polls).toHaveLength(before);
  expect(changes.at(-1)).toEqual({ active: false });
});

test('polls nothing that no page shows, except the totals [P1]', () => {
  const { shownLists, polling, polls } = polled();
  const leave = shownLists.add('all', pollEvery.listPage);
  leave();
  leave();
  polling.start();
  vi.advanceTimersByTime(POLL_AFTER_MS + 60_000);
  expect(new Set(polls)).toEqual(new Set(['stats']));
});

test('polls for a page that opens during polling within a second [P1]', () => {
  const { shownLists, polling, times } = polled();
  polling.start();
  vi.advanceTimersByTime(POLL_AFTER_MS + 10_500);
  shownLists.add('runners', pollEvery.liveLists);
  vi.advanceTimersByTime(1_000);
  expect(times('runners')).toBe(1);
});

test('reports responses and failures with their time [P2]', async () => {
  const good = polled(true);
  good.polling.start();
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS);
  expect(good.changes).toEqual([{ active: true }, { respondedAt: Date.now() }]);
  const bad = polled(false);
  bad.polling.start();
  await vi.advanceTimersByTimeAsync(POLL_AFTER_MS);
  expect(bad.changes).toEqual([{ active: true }, { failedAt: Date.now() }]);
});
