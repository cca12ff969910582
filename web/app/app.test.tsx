import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { alertCalls } from '../../common/alerts/http.ts';
import { authCalls } from '../../common/auth/http.ts';
import { FEED_EPOCH_HEADER, FEED_SEQ_HEADER } from '../../common/live/protocol.ts';
import { presetCalls } from '../../common/presets/http.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { loadSession, type Session, sessionAtom } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { stats, token } from '../live/testing/build.ts';
import { type SocketServer, socketServer } from '../live/testing/socket-server.ts';
import { workingBot } from '../telegram/testing/fixtures.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { type Rendered, renderRouted, sessionUser } from '../testing/render.tsx';
import { settle } from '../testing/settle.ts';
import { account } from '../trading/testing/fixtures.ts';
import { listSetsAtom } from '../watchlists/lists.ts';
import { entry } from '../watchlists/testing/own-lists.ts';
import { App } from './app.tsx';

const address = 'So11111111111111111111111111111111111111112';
/** The user's own pages: path of the earlier variant, whose twin is under /app, and what it alone shows. */
const ownPages = [
  ['/auto-buy', 'Auto-Buy Rules'],
  ['/auto-buy-strategies', 'Auto-Buy Strategies'],
  ['/transactions', 'Transactions'],
  ['/wallet', 'Wallet'],
  ['/settings', 'Settings'],
] as const;
/** The administrators' pages, likewise. */
const adminPages = [
  ['/admin', 'User Management'],
  ['/diagnostics', 'Diagnostics'],
  ['/telegram-status', 'Telegram Status'],
] as const;
let sockets: SocketServer;
const server = fakeServerPerTest();

beforeAll(async () => {
  sockets = await socketServer();
});
afterAll(() => sockets.close());
beforeEach(() => {
  vi.stubGlobal('location', new URL(sockets.url));
});
afterEach(() => {
  // Before the stubs end: a page that is still shown would send its requests to a real address.
  cleanup();
});

/** Renders the app at a path. The live feed admits the user of the session. */
function open(path: string, session: Session = sessionUser()): Rendered {
  if (session !== null && session !== 'unknown') sockets.user = { id: session.id, isAdmin: session.isAdmin };
  return renderRouted(<App />, { path, session });
}

/** Waits for the page with this title, or with this tab. */
async function sees(name: string): Promise<void> {
  expect(await screen.findByText(name, { selector: 'h1, [role=tab]' })).toBeVisible();
}

describe('a visitor who is not signed in', () => {
  test('sees the login and register page at /auth [S2.1-04]', async () => {
    open('/auth', null);
    expect(await screen.findByRole('tab', { name: 'Login' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Register' })).toBeVisible();
  });

  test.each([
    ...['/app', '/app/tokens', `/app/tokens/${address}`, '/app/no/such/page'],
    ...['/dashboard', '/tokens', `/tokens/${address}`],
    ...[...ownPages, ...adminPages].flatMap(([path]) => [path, `/app${path}`]),
  ])('is redirected from %s to /auth [S2.1-08, S2.1-10, S2.1-13, S2.1-14, S2.3-02, S2.3-06]', async (path) => {
    const { path: now } = open(path, null);
    await waitFor(() => expect(now()).toBe('/auth'));
  });

  test.each(['/', '/nowhere', '/application', '/tokens/a/b'])(
    'is sent from %s to the front page, which the server has [S2.1-01, S2.1-10]',
    async (other) => {
      const replace = vi.fn();
      vi.stubGlobal('location', Object.assign(new URL(sockets.url), { replace }));
      open(other, null);
      await waitFor(() => expect(replace).toHaveBeenCalledWith(other));
    },
  );
});

test.each([null, sessionUser(), sessionUser({ isAdmin: true })])(
  'anyone sees the direct admin page at /direct-admin (%#) [S2.1-06]',
  async (session) => {
    const { path } = open('/direct-admin', session);
    await sees('Direct Admin');
    expect(path()).toBe('/direct-admin');
  },
);

describe('an administrator', () => {
  const session = sessionUser({ isAdmin: true });
  beforeEach(() => server.answer(authCalls.me, session));

  test.each([...adminPages, ['/admin/audit', 'Audit log']] as const)(
    'sees at /app%s %s [S2.1-09, S6-06]',
    async (path, title) => {
      open(`/app${path}`, session);
      await sees(title);
    },
  );

  test.each(adminPages)('is redirected from %s to its /app twin, which shows %s [S2.1-14]', async (from, title) => {
    const { path } = open(from, session);
    await sees(title);
    expect(path()).toBe(`/app${from}`);
  });
});

describe('a visitor who is not an administrator', () => {
  test.each(['/app/admin', '/app/admin/audit', '/app/telegram-status'])(
    'reads Access Denied at %s [S2.1-09, S2.3-05]',
    async (path) => {
      server.answer(authCalls.me, sessionUser());
      open(path);
      expect(await screen.findByText('Access Denied')).toBeVisible();
    },
  );

  test('is redirected from diagnostics to /, and so to the dashboard [S2.3-07]', async () => {
    server.answer(authCalls.me, sessionUser());
    const { path } = open('/app/diagnostics');
    await sees('Dashboard');
    expect(path()).toBe('/app');
  });
});

describe('a signed-in visitor', () => {
  test.each(['/', '/auth'])('is redirected from %s to the dashboard [S2.1-03, S2.1-05]', async (from) => {
    const { path } = open(from);
    await sees('Dashboard');
    expect(path()).toBe('/app');
  });

  test.each([
    ['/app', 'Dashboard'],
    ['/app/tokens', 'Tokens'],
    [`/app/tokens/${address}`, 'Token'],
  ])('sees at %s %s [S2.1-07]', async (path, title) => {
    open(path);
    await sees(title);
  });

  test('has the alerts in the header and the bot in the sidebar [S2.2-05]', async () => {
    server.answer(alertCalls.list, []);
    server.answer(telegramCalls.status, workingBot);
    open('/app');
    expect(await screen.findByRole('button', { name: 'Alerts' })).toBeVisible();
    const bot = () => screen.getByRole('link', { name: 'Telegram bot' });
    await waitFor(() => expect(bot()).toHaveAttribute('href', 'https://t.me/mintwatch_bot'));
  });

  test.each([
    ['/dashboard', '/app'],
    ['/tokens', '/app/tokens'],
    [`/tokens/${address}`, `/app/tokens/${address}`],
  ])('is redirected from %s to %s [S2.1-12]', async (from, to) => {
    const { path } = open(from);
    await waitFor(() => expect(path()).toBe(to));
  });

  test.each(ownPages)(
    'is redirected from %s to its /app twin, which shows %s [S2.1-08, S2.1-13]',
    async (from, title) => {
      const { path } = open(from);
      await sees(title);
      expect(path()).toBe(`/app${from}`);
    },
  );

  test('reads the reason on the 404 page, whose link leads to the dashboard [S2.1-10, S2.1-11]', async () => {
    const { path } = open('/app/no/such/page');
    expect(await screen.findByText('404')).toBeVisible();
    expect(path()).toBe('/app/no/such/page');
    expect(screen.getByText("The page you're looking for doesn't exist or has been moved.")).toBeVisible();
    const link = screen.getByRole('link', { name: 'Return to Dashboard' });
    expect(link).toHaveAttribute('href', '/');
    await userEvent.click(link);
    await sees('Dashboard');
    expect(path()).toBe('/app');
  });
});

describe('the requests of a start', () => {
  const counts = () => {
    const paths = server.requests.map(({ path }) => path);
    return Object.fromEntries(paths.toSorted().map((path) => [path, paths.filter((one) => one === path).length]));
  };

  test("each is sent once after the rooms of the user's events are joined; those of the rows also at once", async () => {
    const { epoch, seq } = sockets.head;
    server.answer(tokenCalls.list, [token(1)], { [FEED_EPOCH_HEADER]: epoch, [FEED_SEQ_HEADER]: String(seq) });
    server.answer(tokenCalls.stats, stats());
    // No response comes before the test has counted: a second request would have been sent by then.
    const paths = [alertCalls.list, presetCalls.list, telegramCalls.status, tradingCalls.account, watchlistCalls.list];
    for (const call of paths) server.reply(call, () => new Promise(() => undefined));
    const admit = sockets.hold();
    const { store } = open('/app/tokens');
    const first = {
      ...{ '/api/tokens': 1, '/api/tokens/stats': 1 },
      ...{ [tradingCalls.account.path]: 1, [watchlistCalls.list.path]: 1 },
    };
    await waitFor(() => expect(counts()).toEqual(first));
    admit();
    await waitFor(() => expect(store.get(linkAtom).phase).toBe('live'));
    const all = {
      ...{ ...first, ...Object.fromEntries(paths.map(({ path }) => [path, 1])) },
      ...{ [tradingCalls.account.path]: 2, [watchlistCalls.list.path]: 2 },
    };
    await waitFor(() => expect(counts()).toEqual(all));
    await settle(() => Promise.resolve());
    expect(counts()).toEqual(all);
  });

  test('rows appear without blacklisted tokens while the socket connects', async () => {
    const { epoch, seq } = sockets.head;
    const headers = { [FEED_EPOCH_HEADER]: epoch, [FEED_SEQ_HEADER]: String(seq) };
    server.answer(tokenCalls.list, [token(1, { name: 'Shown' }), token(2, { name: 'Banned' })], headers);
    server.answer(watchlistCalls.list, [entry('black', 2)]);
    server.answer(tradingCalls.account, account());
    const admit = sockets.hold();
    const { store } = open('/app/tokens');
    expect((await screen.findAllByText('Shown'))[0]).toBeVisible();
    expect(screen.queryByText('Banned')).toBeNull();
    expect(store.get(linkAtom).phase).toBe('connecting');
    admit();
  });

  test('a fetch of the watchlists that is in progress when the rooms are joined starts again', async () => {
    const admit = sockets.hold();
    const started: ((response: Response) => void)[] = [];
    server.reply(watchlistCalls.list, () => new Promise((resolve) => started.push(resolve)));
    const { store } = open('/app/tokens');
    await waitFor(() => expect(started).toHaveLength(1));
    admit();
    await waitFor(() => expect(started).toHaveLength(2));
    started[0]?.(json([]));
    started[1]?.(json([entry('black', 1)]));
    await waitFor(() => expect(store.get(listSetsAtom)?.black.size).toBe(1));
  });

  test('watchlists from before the rooms were joined are fetched again', async () => {
    const admit = sockets.hold();
    server.answer(watchlistCalls.list, []);
    const { store } = open('/app/tokens');
    await waitFor(() => expect(store.get(listSetsAtom)?.black.size).toBe(0));
    server.answer(watchlistCalls.list, [entry('black', 1)]);
    admit();
    await waitFor(() => expect(store.get(listSetsAtom)?.black.size).toBe(1));
  });
});

describe('the session', () => {
  test('a protected route shows a spinner while it loads [S2.3-01]', async () => {
    const { store, path } = open('/app', 'unknown');
    expect(screen.getByRole('status')).toHaveTextContent('Loading your session');
    expect(path()).toBe('/app');
    act(() => store.set(sessionAtom, sessionUser()));
    await sees('Dashboard');
  });

  test('is unknown, then signed out when the current-user call returns 401 [S4-01, S7-02]', async () => {
    server.fail(authCalls.me, 'unauthenticated');
    const { store, path } = open('/app', 'unknown');
    expect(store.get(sessionAtom)).toBe('unknown');
    await settle(() => loadSession(store));
    expect(store.get(sessionAtom)).toBeNull();
    await waitFor(() => expect(path()).toBe('/auth'));
  });

  test('is unknown, then signed in with the user and whether an admin [S4-01]', async () => {
    server.answer(authCalls.me, { id: '7', username: 'ann', isAdmin: true, hasSecondFactor: false });
    const { store } = open('/app', 'unknown');
    await settle(() => loadSession(store));
    expect(store.get(sessionAtom)).toEqual({ id: '7', username: 'ann', isAdmin: true, hasSecondFactor: false });
    await sees('Dashboard');
  });

  test('stays unknown when the server is down, says why, and loads on Retry [S4-01]', async () => {
    server.fail(authCalls.me, 'unavailable');
    const { store, path } = open('/app', 'unknown');
    await settle(() => loadSession(store));
    expect(screen.getByRole('alert')).toHaveTextContent('The database is not reachable right now.');
    expect(path()).toBe('/app');
    server.answer(authCalls.me, sessionUser());
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await sees('Dashboard');
  });

  test.each(['/app/admin', '/app/admin/audit', '/app/diagnostics', '/app/telegram-status'])(
    "of a reload of %s is checked under 'Loading admin access...', and a failure leaves a way to the login [S2.3-03, S2.3-04]",
    async (path) => {
      server.fail(authCalls.me, 'unavailable');
      const { store } = open(path, 'unknown');
      expect(screen.getByRole('status')).toHaveTextContent('Loading admin access...');
      await settle(() => loadSession(store));
      const alert = screen.getByRole('alert');
      expect(alert).toHaveTextContent('Authentication Error');
      expect(alert).toHaveTextContent('The database is not reachable right now.');
      expect(screen.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/auth');
    },
  );

  test('leads back to /auth once it has ended elsewhere [S2.3-02]', async () => {
    const { store, path } = open('/app');
    await sees('Dashboard');
    server.fail(tokenCalls.list, 'unauthenticated');
    await settle(() => request(tokenCalls.list).catch(() => undefined));
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(store.get(sessionAtom)).toBeNull();
  });
});
