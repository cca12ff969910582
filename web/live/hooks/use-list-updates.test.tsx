import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ListUpdates } from '../../../common/live/lists.ts';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { linkAtom } from '../atoms/atoms.ts';
import { liveOf } from '../live.ts';
import { address, token } from '../testing/build.ts';
import { useListUpdates } from './use-list-updates.ts';

const choice = { f: 'holders:30-', sort: 'price' } as const;
const position = { epoch: 'e', seq: 10 };
const updates = (fields: Partial<ListUpdates>): ListUpdates => ({
  list: 'f=holders%3A30-',
  epoch: 'e',
  from: 10,
  to: 12,
  at: 0,
  solUsd: null,
  patches: [],
  entered: [],
  left: [],
  total: 3,
  ...fields,
});

function open(fetched: () => FeedCursor | null = () => position) {
  const onGap = vi.fn<() => void>();
  function Shown() {
    const { follows, total } = useListUpdates(choice, fetched, onGap);
    return <p data-testid="list">{`${follows} ${total}`}</p>;
  }
  const { store } = renderWithApp(<Shown />);
  act(() => store.set(linkAtom, { phase: 'live', since: 1, roundTrip: null }));
  const live = liveOf(store);
  const receive = (payload: ListUpdates) => act(() => live.receive({ event: 'list-updates', payload }));
  return { live, receive, onGap, shown: () => screen.getByTestId('list').textContent };
}

test('subscribes to the list by its limits alone, and leaves all others unread', () => {
  const { live, receive, shown } = open();
  expect(live.topics.joined()).toContain('list:f=holders%3A30-');
  receive(updates({ list: 'f=holders%3A31-' }));
  expect(shown()).toBe('false null');
});

test('a token that enters becomes known, and the total follows', async () => {
  const { live, receive, shown } = open();
  receive(updates({ entered: [token(1)] }));
  await waitFor(() => expect(shown()).toBe('true 3'));
  expect(live.model.state.tokens.get(address(1))).toEqual(token(1));
  receive(updates({ from: 12, to: 13, total: 2, patches: [{ ...token(1), price: 9, version: 2 }] }));
  await waitFor(() => expect(shown()).toBe('true 2'));
  expect(live.model.state.tokens.get(address(1))?.price).toBe(9);
});

test('an event that the response includes changes nothing', () => {
  const { live, receive, onGap } = open();
  receive(updates({ from: 5, to: 9, entered: [token(1)] }));
  expect(live.model.state.tokens.size).toBe(0);
  expect(onGap).not.toHaveBeenCalled();
});

test.each([
  { epoch: 'e', from: 13, to: 14 },
  { epoch: 'next', from: 1, to: 2 },
])('missing events fetch the list again: %j', (gap) => {
  const { receive, onGap, shown } = open();
  receive(updates({}));
  receive(updates(gap));
  expect(onGap).toHaveBeenCalledTimes(1);
  expect(shown()).toBe('false null');
});

test('events that arrive before the response are applied once it reaches them', async () => {
  let fetched: FeedCursor | null = null;
  const { live, receive, onGap, shown } = open(() => fetched);
  receive(updates({ from: 8, to: 11, entered: [token(1)] }));
  receive(updates({ from: 11, to: 12 }));
  fetched = position;
  receive(updates({ from: 12, to: 13, total: 5 }));
  await waitFor(() => expect(shown()).toBe('true 5'));
  expect(live.model.state.tokens.has(address(1))).toBe(true);
  expect(onGap).not.toHaveBeenCalled();
});

test('one request closes a gap, however many events wait for it', () => {
  let fetched = position;
  const { receive, onGap, shown } = open(() => fetched);
  for (const from of [13, 14, 15]) receive(updates({ from, to: from + 1 }));
  expect(onGap).toHaveBeenCalledTimes(1);
  fetched = { epoch: 'e', seq: 14 };
  receive(updates({ from: 16, to: 17, total: 7 }));
  expect(shown()).toBe('true 7');
  expect(onGap).toHaveBeenCalledTimes(1);
});

test('events of an earlier epoch leave with the first response of the next one', () => {
  let fetched = position;
  const { receive, shown } = open(() => fetched);
  receive(updates({ from: 13, to: 14 }));
  receive(updates({ epoch: 'next', from: 1, to: 2 }));
  fetched = { epoch: 'next', seq: 2 };
  receive(updates({ epoch: 'next', from: 2, to: 3, total: 8 }));
  expect(shown()).toBe('true 8');
});
