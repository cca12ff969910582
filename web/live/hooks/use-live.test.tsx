import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { authCalls } from '../../../common/auth/http.ts';
import { sessionAtom } from '../../auth/session.ts';
import { createAppStore } from '../../store.ts';
import { fakeServer } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { liveOf } from '../live.ts';
import { useLive } from './use-live.ts';

afterEach(() => void vi.unstubAllGlobals());

function Page() {
  useLive();
  return null;
}

test('restarts the feed for another user after the server ended the connection [L1]', async () => {
  const rest = fakeServer();
  const store = createAppStore();
  store.set(sessionAtom, { id: '7', username: 'ann', isAdmin: true, hasSecondFactor: false });
  const stop = vi.fn();
  const start = vi.spyOn(liveOf(store), 'start').mockReturnValue(stop);
  renderWithApp(<Page />, { store });
  const end = () => void start.mock.lastCall?.[0].onEnded?.();
  // React's strict mode starts twice.
  const starts = start.mock.calls.length;
  const bob = { id: '8', username: 'bob', isAdmin: false, hasSecondFactor: false };
  rest.answer(authCalls.me, bob);
  end();
  await waitFor(() => expect(start).toHaveBeenCalledTimes(starts + 1));
  expect(stop).toHaveBeenCalledTimes(starts);
  // The same user: nothing restarts.
  rest.answer(authCalls.me, { ...bob, username: 'robert' });
  end();
  await waitFor(() => expect(store.get(sessionAtom)).toMatchObject({ username: 'robert' }));
  expect(start).toHaveBeenCalledTimes(starts + 1);
});

test('loads the session when the connection was admitted with other rights or as another user [L1, L2]', async () => {
  const rest = fakeServer();
  const ann = { id: '7', username: 'ann', isAdmin: true, hasSecondFactor: false };
  const store = createAppStore();
  const start = vi.spyOn(liveOf(store), 'start').mockReturnValue(() => {});
  renderWithApp(<Page />, { store, session: ann });
  const admitted = (id: string, isAdmin: boolean) => start.mock.lastCall?.[0].onAdmitted?.({ id, isAdmin });
  admitted('7', true);
  expect(rest.count(authCalls.me)).toBe(0);
  rest.answer(authCalls.me, { ...ann, isAdmin: false });
  admitted('7', false);
  await waitFor(() => expect(store.get(sessionAtom)).toMatchObject({ id: '7', isAdmin: false }));
  rest.answer(authCalls.me, { ...ann, id: '8', isAdmin: false });
  admitted('8', false);
  await waitFor(() => expect(store.get(sessionAtom)).toMatchObject({ id: '8' }));
});
