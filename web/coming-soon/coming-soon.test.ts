import { readFileSync } from 'node:fs';
import path from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { type Launches, launchCalls } from '../../common/launches/http.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { sessionUser } from '../testing/render.tsx';
import { passTime } from '../testing/settle.ts';
import { countdownAt, LAUNCH_AT, launchesText, start } from './coming-soon.ts';

const server = fakeServerPerTest();
const html = readFileSync(path.join(import.meta.dirname, '../front.html'), 'utf8');
const at = '2026-09-01T12:00:10.000Z';
const launches: Launches = {
  perMinute: 31,
  lastAt: '2026-09-01T12:00:08.000Z',
  publishedAfterMs: 92,
  simulated: false,
  at,
};
let stop = (): void => undefined;

function open(pathname = '/') {
  document.body.innerHTML = /<body>(.*)<\/body>/s.exec(html)?.[1] ?? '';
  const replaced = vi.fn();
  const location = {
    pathname,
    replace(to: string) {
      // The browser's own one may not be called apart from its object.
      if (this !== location) throw new TypeError('Illegal invocation');
      replaced(to);
    },
  };
  stop = start(document, location);
  return replaced;
}

beforeEach(() => {
  server.fail(authCalls.me, 'unauthenticated');
  server.answer(launchCalls.read, launches);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

/** Returns the displayed countdown, e.g. `02 Days 03 Hours …`. */
function shownCountdown(): string {
  return within(screen.getByRole('timer'))
    .getAllByText(/./)
    .map((part) => part.textContent)
    .join(' ');
}

describe('countdown', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  test('shows COMING SOON and a countdown in days, hours, minutes and seconds [S2.1-01]', () => {
    vi.setSystemTime(Date.parse('2025-05-21T20:56:57Z'));
    open();
    expect(screen.getByRole('heading', { name: 'COMING SOON' })).toBeVisible();
    expect(shownCountdown()).toBe('02 Days 03 Hours 03 Minutes 03 Seconds');
    passTime(4000);
    expect(shownCountdown()).toBe('02 Days 03 Hours 02 Minutes 59 Seconds');
  });

  test('stops at zero after the date [S2.1-02]', () => {
    vi.setSystemTime(LAUNCH_AT - 2000);
    open();
    expect(shownCountdown()).toBe('00 Days 00 Hours 00 Minutes 02 Seconds');
    passTime(60_000);
    expect(shownCountdown()).toBe('00 Days 00 Hours 00 Minutes 00 Seconds');
  });

  test('is at zero long after the date [S2.1-02]', () => {
    expect(countdownAt(Date.parse('2031-01-01T00:00:00Z'))).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
  });

  test('counts down to 2025-05-24T00:00:00Z [S2.1-01]', () => {
    expect(new Date(LAUNCH_AT).toISOString()).toBe('2025-05-24T00:00:00.000Z');
    expect(countdownAt(Date.parse('2025-05-13T12:00:00Z'))).toEqual({ days: 10, hours: 12, minutes: 0, seconds: 0 });
  });
});

describe('session', () => {
  test('a visitor without one finds a link to sign in [S2.1-03]', async () => {
    const replace = open();
    await waitFor(() => expect(server.requests).toHaveLength(2));
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth');
    expect(replace).not.toHaveBeenCalled();
  });

  test('a signed-in visitor is led from / to the dashboard [S2.1-03]', async () => {
    server.answer(authCalls.me, sessionUser());
    const replace = open();
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/app'));
  });

  test('a signed-in visitor of another address finds a link to the dashboard [S2.1-10]', async () => {
    server.answer(authCalls.me, sessionUser());
    const replace = open('/nowhere');
    expect(await screen.findByRole('link', { name: 'Go to dashboard' })).toHaveAttribute('href', '/app');
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/app');
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
    expect(replace).not.toHaveBeenCalled();
  });
});

describe('launches', () => {
  test('are shown while they are known', async () => {
    open();
    expect(
      await screen.findByText(/^Live now: 31 launches a minute · last one \d+ s ago · chain → screen 92 ms$/),
    ).toBeVisible();
  });

  test('unknown figures are left out', () => {
    expect(launchesText({ ...launches, perMinute: null, lastAt: null, publishedAfterMs: null }, 0)).toBe('');
    expect(launchesText({ ...launches, publishedAfterMs: null }, 70_000)).toBe(
      'Live now: 31 launches a minute · last one 1 min ago',
    );
    expect(launchesText({ ...launches, simulated: true, lastAt: null }, 0)).toBe(
      'Simulated market: 31 launches a minute · chain → screen 92 ms',
    );
    expect(launchesText({ ...launches, perMinute: 1, lastAt: null, publishedAfterMs: 1_530 }, 0)).toBe(
      'Live now: 1 launch a minute · chain → screen 1.5 s',
    );
  });

  test('nothing is shown when the server does not answer', async () => {
    server.fail(launchCalls.read, 'unavailable');
    open();
    await waitFor(() => expect(server.requests).toHaveLength(2));
    expect(screen.queryByText(/Live now/)).toBeNull();
  });
});
