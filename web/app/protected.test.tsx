import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { logout } from '../auth/logout.ts';
import { endSession } from '../auth/session.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderRouted } from '../testing/render.tsx';
import { settle } from '../testing/settle.ts';
import { Protected } from './guards.tsx';

const server = fakeServerPerTest();

const open = (path: string) => renderRouted(<Protected>the page</Protected>, { path });

test('the wallet page stays when the session ends while it is open, until it is left [S2.12-04]', async () => {
  const { store, path, navigate } = open('/app/wallet');
  act(() => endSession(store));
  expect(screen.getByText('the page')).toBeVisible();
  expect(path()).toBe('/app/wallet');
  act(() => navigate('/app/tokens'));
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('the wallet page leads to /auth without a session and after a logout [S2.3-02]', async () => {
  const visitor = renderRouted(<Protected>the page</Protected>, { path: '/app/wallet', session: null });
  await waitFor(() => expect(visitor.path()).toBe('/auth'));
  visitor.unmount();

  server.answer(authCalls.logout, { ok: true });
  const { store, path } = open('/app/wallet');
  await settle(() => logout(store));
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('other pages lead to /auth when the session ends [S2.3-02]', async () => {
  const { store, path } = open('/app/tokens');
  act(() => endSession(store));
  await waitFor(() => expect(path()).toBe('/auth'));
});
