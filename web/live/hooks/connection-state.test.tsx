import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAppStore } from '../../store.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { linkAtom, onlineAtom, type PollState, pollAtom } from '../atoms/atoms.ts';
import { freshnessOf } from '../atoms/freshness.ts';
import { NOON } from '../testing/build.ts';
import { ConnectionState } from './connection-state.tsx';
import { StaleNote } from './stale-note.tsx';

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => void vi.useRealTimers());

const none: PollState = { active: false, respondedAt: null, failedAt: null };

function shown(
  phase: 'connecting' | 'live' | 'down' | 'wrong-version',
  { poll = none, online = true, roundTrip = null as number | null, age = 10_000 } = {},
) {
  const store = createAppStore();
  store.set(linkAtom, { phase, since: NOON - age, roundTrip });
  store.set(pollAtom, poll);
  store.set(onlineAtom, online);
  renderWithApp(
    <>
      <ConnectionState />
      <StaleNote complete={true} />
    </>,
    { store },
  );
  return screen.getByRole('button', { name: /^Connection:/ });
}

test('shows the round trip while live [P2]', () => {
  expect(shown('live', { roundTrip: 41.6 })).toHaveTextContent('Live42 ms');
  expect(screen.queryByText(/Not live/)).toBeNull();
});

test.each([
  [149, 'text-muted'],
  [150, 'text-risk-medium'],
  [400, 'text-down'],
])('a round trip of %i ms is %s', (roundTrip, color) => {
  shown('live', { roundTrip });
  expect(screen.getByText(`${roundTrip} ms`)).toHaveClass(color);
});

test('shows a reconnect [P2]', () => {
  expect(shown('down', { age: 1_500 })).toHaveTextContent('Reconnecting');
});

test('shows the age of polled data, and marks it as stale [P2]', () => {
  const poll = { active: true, respondedAt: NOON - 12_400, failedAt: null };
  expect(shown('down', { poll, age: 60_000 })).toHaveTextContent('Polling12s old');
  expect(screen.getByText('Not live: this data is 12s old and may have changed.')).toBeVisible();
});

test('is offline when the browser has no network and the socket is down [P2]', () => {
  expect(shown('down', { online: false, age: 1_000 })).toHaveTextContent('Offline');
});

test('is live with a working socket, whatever the browser reports [P2]', () => {
  expect(shown('live', { online: false, roundTrip: 3 })).toHaveTextContent('Live3 ms');
  expect(screen.queryByText(/Not live/)).toBeNull();
});

test('is offline when polls fail too [P2]', () => {
  const poll = { active: true, respondedAt: null, failedAt: NOON - 1_000 };
  expect(shown('down', { poll })).toHaveTextContent('Offline');
  expect(screen.getByText(/Not live/)).toBeVisible();
});

test('ignores responses and failures of an earlier interruption [P2]', () => {
  const poll = { active: true, respondedAt: NOON - 90_000, failedAt: NOON - 80_000 };
  expect(freshnessOf({ phase: 'down', since: NOON - 4_000, roundTrip: null }, poll, true, NOON)).toEqual({
    state: 'reconnecting',
    age: 4_000,
  });
});

test('marks a list that misses events for half a second although the feed is live [F4]', () => {
  const store = createAppStore();
  store.set(linkAtom, { phase: 'live', since: NOON, roundTrip: 5 });
  renderWithApp(<StaleNote complete={false} />, { store });
  expect(screen.queryByRole('status')).toBeNull();
  act(() => void vi.advanceTimersByTime(500));
  expect(screen.getByRole('status')).toHaveTextContent('Catching up: some events are missing from this list.');
});

test('asks for a reload with another protocol version [L2]', () => {
  expect(shown('wrong-version')).toHaveTextContent('Reload');
});
