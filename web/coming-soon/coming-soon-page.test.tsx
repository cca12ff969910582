import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithApp } from '../testing/render.tsx';
import { passTime } from '../testing/settle.ts';
import ComingSoonPage, { countdownAt, LAUNCH_AT } from './coming-soon-page.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the displayed countdown, e.g. `02 Days 03 Hours …`. */
function shownCountdown(): string {
  return within(screen.getByRole('timer'))
    .getAllByText(/./)
    .map((part) => part.textContent)
    .join(' ');
}

test('shows COMING SOON and a countdown in days, hours, minutes and seconds [S2.1-01]', () => {
  vi.setSystemTime(Date.parse('2025-05-21T20:56:57Z'));
  renderWithApp(<ComingSoonPage />, { path: '/', session: null });
  expect(screen.getByRole('heading', { name: 'COMING SOON' })).toBeVisible();
  expect(shownCountdown()).toBe('02 Days 03 Hours 03 Minutes 03 Seconds');
  passTime(4000);
  expect(shownCountdown()).toBe('02 Days 03 Hours 02 Minutes 59 Seconds');
});

test('stops at zero after the date [S2.1-02]', () => {
  vi.setSystemTime(LAUNCH_AT - 2000);
  renderWithApp(<ComingSoonPage />, { path: '/', session: null });
  expect(shownCountdown()).toBe('00 Days 00 Hours 00 Minutes 02 Seconds');
  passTime(60_000);
  expect(shownCountdown()).toBe('00 Days 00 Hours 00 Minutes 00 Seconds');
  expect(vi.getTimerCount(), 'no timer runs on').toBe(0);
});

test('is at zero long after the date [S2.1-02]', () => {
  expect(countdownAt(Date.parse('2031-01-01T00:00:00Z'))).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});

test('counts down to 2025-05-24T00:00:00Z [S2.1-01]', () => {
  expect(new Date(LAUNCH_AT).toISOString()).toBe('2025-05-24T00:00:00.000Z');
  expect(countdownAt(Date.parse('2025-05-13T12:00:00Z'))).toEqual({ days: 10, hours: 12, minutes: 0, seconds: 0 });
});

test('has a link to sign in [S2.1-03]', () => {
  renderWithApp(<ComingSoonPage />, { path: '/', session: null });
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth');
});
