import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authCalls } from '../../../common/auth/http.ts';
import type { SessionUser } from '../../../common/auth/model.ts';
import { sessionAtom } from '../../auth/session.ts';
import { createAppStore, type Store, useAtomValue } from '../../store.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { settle } from '../../testing/settle.ts';
import { linkAtom } from '../atoms/atoms.ts';
import { REFUSED_RETRY_MS, SESSION_CHECK_MS } from '../connection/connection.ts';
import { type SocketServer, socketServer } from '../testing/socket-server.ts';
import { useLive } from './use-live.ts';

const ann: SessionUser = { id: '7', username: 'ann', isAdmin: true, hasSecondFactor: false };
const bob: SessionUser = { id: '8', username: 'bob', isAdmin: false, hasSecondFactor: false };
let sockets: SocketServer;
const rest = fakeServerPerTest();
let store: Store;

beforeEach(async () => {
  sockets = await socketServer();
  vi.stubGlobal('location', new URL(sockets.url));
  store = createAppStore();
});
afterEach(async () => {
  await sockets.close();
  vi.useRealTimers();
});

function Page() {
  useLive();
  const session = useAtomValue(sessionAtom);
  const { phase } = useAtomValue(linkAtom);
  return session !== null && session !== 'unknown' && <p data-testid="page">{`${session.username}, ${phase}`}</p>;
}

const shows = (text: string) => waitFor(() => expect(screen.getByTestId('page')).toHaveTextContent(text));

/** Signs this user in on the server: in the session, and where a connection is admitted. */
function signIn(user: SessionUser): void {
  rest.answer(authCalls.me, user);
  sockets.user = { id: user.id, isAdmin: user.isAdmin };
}

/** The phases of the feed from now on, each once. A start begins with `connecting`, a reconnect does not. */
function recordPhases(): string[] {
  const phases: string[] = [];
  store.sub(linkAtom, () => {
    const { phase } = store.get(linkAtom);
    if (phases.at(-1) !== phase) phases.push(phase);
  });
  return phases;
}

test('restarts the feed for another user after the server ended the connection [L1]', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  });
  const phases = recordPhases();
  const end = async (): Promise<void> => {
    sockets.io.disconnectSockets(true);
    await waitFor(() => expect(phases.at(-1)).toBe('down'));
    await settle(() => vi.advanceTimersByTimeAsync(SESSION_CHECK_MS));
  };
  renderWithApp(<Page />, { store, session: ann });
  await shows('ann, live');
  signIn(bob);
  await end();
  await shows('bob, live');
  const restarted = ['connecting', 'live', 'down', 'connecting', 'live'];
  expect(phases).toEqual(restarted);
  // The same user: nothing restarts.
  signIn({ ...bob, username: 'robert' });
  await end();
  await shows('robert');
  await settle(() => vi.advanceTimersByTimeAsync(REFUSED_RETRY_MS));
  await shows('robert, live');
  expect(phases).toEqual([...restarted, 'down', 'live']);
  expect(sockets.handshakes).toHaveLength(3);
  expect(sockets.connections()).toBe(1);
});

test('loads the session when the connection was admitted with other rights or as another user [L1, L2]', async () => {
  const reconnect = () => {
    for (const socket of sockets.io.sockets.sockets.values()) socket.conn.close();
  };
  renderWithApp(<Page />, { store, session: ann });
  await shows('ann, live');
  expect(rest.count(authCalls.me)).toBe(0);
  signIn({ ...ann, isAdmin: false });
  reconnect();
  await waitFor(() => expect(store.get(sessionAtom)).toMatchObject({ id: '7', isAdmin: false }));
  signIn(bob);
  reconnect();
  await shows('bob, live');
});
