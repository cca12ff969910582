import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { settle } from '../testing/settle.ts';
import { logout } from './logout.ts';
import { sessionAtom } from './session.ts';

const server = fakeServerPerTest();

test("sets the session to null, shows a toast, and drops the user's cached data [S8.2-05, S4-02]", async () => {
  server.answer(authCalls.logout, { ok: true });
  const { store } = renderWithApp(<p>page</p>);
  store.get(queryClientAtom).setQueryData(['/api/tokens'], ['secret']);
  await settle(() => logout(store));
  expect(store.get(sessionAtom)).toBeNull();
  expect(screen.getByText('Logout successful')).toBeVisible();
  expect(screen.getByText('You have been logged out.')).toBeVisible();
  expect(store.get(queryClientAtom).getQueryData(['/api/tokens'])).toBeUndefined();
});

test("a failure shows the server's error text in a destructive toast and keeps the session [S8.2-06, S8.2-07]", async () => {
  server.fail(authCalls.logout, 'unavailable');
  const { store } = renderWithApp(<p>page</p>);
  await settle(() => logout(store));
  expect(store.get(sessionAtom)).toEqual(sessionUser());
  expect(screen.getByText('Logout failed').closest('[data-toast]')).toHaveAttribute('data-variant', 'destructive');
  expect(screen.getByText('The database is not reachable right now. Please try again in a moment.')).toBeVisible();
});

test('falls back to Logout failed without an error text [S8.2-06]', async () => {
  server.reply(authCalls.logout, () => new Response('oops', { status: 500 }));
  const { store } = renderWithApp(<p>page</p>);
  await settle(() => logout(store));
  expect(screen.getByText('Logout failed').closest('[data-toast]')).not.toHaveTextContent('oops');
});
