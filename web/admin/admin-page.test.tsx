import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import { templateCalls } from '../../common/templates/http.ts';
import { liveOf } from '../live/live.ts';
import { type FakeServer, fakeServer, json } from '../testing/fake-server.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import AdminPage from './admin-page.tsx';
import { adminUser, keepUsers, stats } from './testing/users.ts';

let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  server.answer(adminCalls.stats, stats);
  server.answer(templateCalls.list, []);
  keepUsers(server, [adminUser(1)]);
});
afterEach(() => server.close());

const open = (path = '/app/admin'): Rendered =>
  renderWithApp(<AdminPage />, { path, session: sessionUser({ username: 'ann', isAdmin: true }) });

/** The figure under a label. */
const figure = (label: string) => screen.getByText(label).parentElement?.nextElementSibling;

test('the header has an Admin badge and the username, and leads to the audit log [S2.13-01]', async () => {
  open();
  expect(screen.getByText('Admin')).toBeVisible();
  expect(screen.getByText('ann')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Audit log' })).toHaveAttribute('href', '/app/admin/audit');
  await screen.findByText('1,234');
  expect(document.title).toBe('Admin · Mintwatch');
});

test('four stat cards, after a loading state, which follow the live figures [S2.13-02, S2.13-20]', async () => {
  let answer = (_response: Response): void => undefined;
  server.reply(
    adminCalls.stats,
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const { store } = open();
  expect(await screen.findByRole('status', { name: 'Loading admin dashboard' })).toBeInTheDocument();
  act(() => answer(json(stats)));
  await screen.findByText('Total Users');
  expect(screen.queryByRole('status', { name: 'Loading admin dashboard' })).toBeNull();
  const figures = () =>
    ['Total Users', 'Active Users', 'Total Tokens', 'New Tokens (24h)'].map((label) => figure(label)?.textContent);
  expect(figures()).toEqual(['1,234', '1,200', '56,789', '321']);
  act(() => liveOf(store).hear.adminStats({ ...stats, tokens: { total: 56_790, last24h: 322 } }));
  await waitFor(() => expect(figures()).toEqual(['1,234', '1,200', '56,790', '322']));
});

test('figures that cannot be had are an error with Return to Login; the tabs still work [S2.3-04, S2.13-02]', async () => {
  server.fail(adminCalls.stats, 'unavailable');
  open();
  expect(await screen.findByText('The admin dashboard could not be loaded')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/auth');
  expect(await screen.findByRole('article', { name: 'user-1' })).toBeVisible();
  server.answer(adminCalls.stats, stats);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('1,234')).toBeVisible();
});

test('four tabs, of which a reload opens the same again [S2.13-03]', async () => {
  const { path } = open();
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'User Management',
    'Token Management',
    'System Status',
    'Notification Templates',
  ]);
  expect(screen.getByRole('tab', { name: 'User Management' })).toHaveAttribute('aria-selected', 'true');
  await userEvent.click(screen.getByRole('tab', { name: 'Notification Templates' }));
  expect(path()).toBe('/app/admin?tab=templates');
  expect(await screen.findByText('No Templates')).toBeVisible();
});

test('the address names the open tab [S2.13-03]', async () => {
  open('/app/admin?tab=templates');
  expect(screen.getByRole('tab', { name: 'Notification Templates' })).toHaveAttribute('aria-selected', 'true');
  expect(await screen.findByText('No Templates')).toBeVisible();
});

test('another number of users has the list fetched again [S2.13-04]', async () => {
  const users = keepUsers(server, [adminUser(1)]);
  const { store } = open();
  await screen.findByRole('article', { name: 'user-1' });
  await screen.findByText('1,234');
  users.unshift(adminUser(2));
  act(() => liveOf(store).hear.adminStats({ ...stats, users: { total: 1_235, active: 1_201 } }));
  expect(await screen.findByRole('article', { name: 'user-2' })).toBeVisible();
});
