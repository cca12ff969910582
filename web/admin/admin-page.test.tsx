import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import { templateCalls } from '../../common/templates/http.ts';
import { liveOf } from '../live/live.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { holdResponse } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import AdminPage from './admin-page.tsx';
import { adminUser, serveUsers, stats } from './testing/fixtures.ts';

const server = fakeServerPerTest();

beforeEach(() => {
  server.answer(adminCalls.stats, stats);
  server.answer(templateCalls.list, []);
  serveUsers(server, [adminUser(1)]);
});

const open = (path = '/app/admin'): Rendered =>
  renderWithApp(<AdminPage />, { path, session: sessionUser({ username: 'ann', isAdmin: true }) });

/** The element of the figure under a label. */
const figure = (label: string) => screen.getByText(label).parentElement?.nextElementSibling;

test('the header has an Admin badge, the username and a link to the audit log [S2.13-01]', async () => {
  open();
  expect(screen.getByText('Admin')).toBeVisible();
  expect(screen.getByText('ann')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Audit log' })).toHaveAttribute('href', '/app/admin/audit');
  await screen.findByText('1,234');
  expect(document.title).toBe('Admin · Mintwatch');
});

test('shows a loading state, then four stat cards that follow live events [S2.13-02, S2.13-20]', async () => {
  const respond = holdResponse(server, adminCalls.stats);
  const { store } = open();
  expect(await screen.findByRole('status', { name: 'Loading admin dashboard' })).toBeInTheDocument();
  act(() => respond(json(stats)));
  await screen.findByText('Total Users');
  expect(screen.queryByRole('status', { name: 'Loading admin dashboard' })).toBeNull();
  const figures = () =>
    ['Total Users', 'Active Users', 'Total Tokens', 'New Tokens (24h)'].map((label) => figure(label)?.textContent);
  expect(figures()).toEqual(['1,234', '1,200', '56,789', '321']);
  act(() =>
    liveOf(store).receive({ event: 'admin-stats', payload: { ...stats, tokens: { total: 56_790, last24h: 322 } } }),
  );
  await waitFor(() => expect(figures()).toEqual(['1,234', '1,200', '56,790', '322']));
});

test('shows an error with Return to Login when the figures fail to load; the tabs still work [S2.3-04, S2.13-02]', async () => {
  server.fail(adminCalls.stats, 'unavailable');
  open();
  expect(await screen.findByText('The admin dashboard could not be loaded')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/auth');
  expect(await screen.findByRole('article', { name: 'user-1' })).toBeVisible();
  server.answer(adminCalls.stats, stats);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('1,234')).toBeVisible();
});

test('has four tabs and stores the open one in the address [S2.13-03]', async () => {
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

test('opens the tab in the address [S2.13-03]', async () => {
  open('/app/admin?tab=templates');
  expect(screen.getByRole('tab', { name: 'Notification Templates' })).toHaveAttribute('aria-selected', 'true');
  expect(await screen.findByText('No Templates')).toBeVisible();
});

test('refetches the users when their number changes [S2.13-04]', async () => {
  const users = serveUsers(server, [adminUser(1)]);
  const { store } = open();
  await screen.findByRole('article', { name: 'user-1' });
  await screen.findByText('1,234');
  users.unshift(adminUser(2));
  act(() =>
    liveOf(store).receive({ event: 'admin-stats', payload: { ...stats, users: { total: 1_235, active: 1_201 } } }),
  );
  expect(await screen.findByRole('article', { name: 'user-2' })).toBeVisible();
});
