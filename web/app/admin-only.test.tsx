import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { sessionAtom } from '../auth/session.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { AdminOnly } from './guards.tsx';

const server = fakeServerPerTest();

const admin = sessionUser({ isAdmin: true });
const open = () => renderWithApp(<AdminOnly>the page</AdminOnly>, { path: '/app/admin', session: admin });

test("shows 'Loading admin access...' while the session is checked, then shows an administrator the page [S2.3-03, S6-06]", async () => {
  let respond = (_response: Response): void => undefined;
  const response = new Promise<Response>((resolve) => {
    respond = resolve;
  });
  server.reply(authCalls.me, () => response);
  open();
  expect(screen.getByRole('status')).toHaveTextContent('Loading admin access...');
  expect(screen.queryByText('the page')).toBeNull();
  respond(json(admin));
  expect(await screen.findByText('the page')).toBeVisible();
  expect(screen.queryByText('Loading admin access...')).toBeNull();
});

test("shows 'Access Denied' with a link to / after the rights were revoked [S2.3-05]", async () => {
  server.answer(authCalls.me, sessionUser());
  const { store } = open();
  expect(await screen.findByText('Access Denied')).toBeVisible();
  expect(screen.getByText('You do not have administrator privileges to access this page.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Return to Dashboard' })).toHaveAttribute('href', '/');
  expect(screen.queryByText('the page')).toBeNull();
  expect(store.get(sessionAtom)).toMatchObject({ isAdmin: false });
});

test('hides the page as soon as the session loses the rights [S2.3-05]', async () => {
  server.answer(authCalls.me, admin);
  const { store } = open();
  await screen.findByText('the page');
  act(() => store.set(sessionAtom, sessionUser()));
  expect(screen.getByText('Access Denied')).toBeVisible();
  expect(screen.queryByText('the page')).toBeNull();
});

test("a failed check shows the alert 'Authentication Error' with a link to /auth and can be retried [S2.3-04]", async () => {
  server.fail(authCalls.me, 'unavailable');
  open();
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Authentication Error');
  expect(alert).toHaveTextContent('The database is not reachable right now.');
  expect(screen.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/auth');
  server.answer(authCalls.me, admin);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('the page')).toBeVisible();
});

test('leads to /auth when the session has ended [S2.3-06]', async () => {
  server.fail(authCalls.me, 'unauthenticated');
  const { path } = open();
  await waitFor(() => expect(path()).toBe('/auth'));
});
