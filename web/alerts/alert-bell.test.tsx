import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertCalls } from '../../common/alerts/http.ts';
import type { Alert } from '../../common/alerts/model.ts';
import { sessionAtom } from '../auth/session.ts';
import { liveOf } from '../live/live.ts';
import { type FakeServer, fakeServer } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { AlertBell } from './alert-bell.tsx';
import { withAlert } from './use-alerts.ts';

let server: FakeServer;

beforeEach(() => {
  localStorage.clear();
  server = fakeServer();
});
afterEach(() => server.close());

const alert = (number: number): Alert => ({
  id: `alert-${number}`,
  type: 'new_token',
  address: 'So11111111111111111111111111111111111111112',
  name: `Token ${number}`,
  symbol: `T${number}`,
  figures: null,
  text: `New token: Token ${number}`,
  at: new Date(Date.now() - 60_000 + number * 1000).toISOString(),
});

test('counts an alert as new until the menu is opened', async () => {
  server.answer(alertCalls.list, [alert(1)]);
  const { store } = renderWithApp(<AlertBell />);
  expect(await screen.findByRole('button', { name: 'Alerts, 1 new' })).toBeInTheDocument();
  act(() => liveOf(store).receive({ event: 'alert', payload: alert(2) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 2 new' }));
  const links = screen.getAllByRole('menuitem');
  expect(links[0]).toHaveTextContent('New token: Token 2');
  expect(links[0]).toHaveAttribute('href', '/app/tokens/So11111111111111111111111111111111111111112');
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeInTheDocument();
});

test('explains the empty list', async () => {
  server.answer(alertCalls.list, []);
  renderWithApp(<AlertBell />);
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts' }));
  expect(screen.getByText(/No alerts yet/)).toBeInTheDocument();
});

test('the list is bounded and has each alert once', () => {
  let list: Alert[] = [];
  for (let number = 0; number < 30; number += 1) list = withAlert(withAlert(list, alert(number)), alert(number));
  expect(list).toHaveLength(20);
  expect(list[0]?.id).toBe('alert-29');
  expect(new Set(list.map(({ id }) => id)).size).toBe(20);
});

test('tracks seen alerts per user of the browser', async () => {
  server.answer(alertCalls.list, [alert(1)]);
  const { store } = renderWithApp(<AlertBell />);
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 1 new' }));
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeInTheDocument();
  act(() => store.set(sessionAtom, sessionUser({ id: 'user-2', username: 'other' })));
  expect(await screen.findByRole('button', { name: 'Alerts, 1 new' })).toBeInTheDocument();
  act(() => store.set(sessionAtom, sessionUser()));
  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeInTheDocument();
});

test('an alert that arrives while the menu is open is not new after closing it', async () => {
  server.answer(alertCalls.list, [alert(1)]);
  const { store } = renderWithApp(<AlertBell />);
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 1 new' }));
  act(() => liveOf(store).receive({ event: 'alert', payload: alert(2) }));
  expect(await screen.findByText('New token: Token 2')).toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeInTheDocument();
});

test('another tab clears the number of new alerts, and storage holds a limited number of users', async () => {
  server.answer(alertCalls.list, [alert(1)]);
  const { store } = renderWithApp(<AlertBell />);
  expect(await screen.findByRole('button', { name: 'Alerts, 1 new' })).toBeInTheDocument();
  const elsewhere = JSON.stringify(Array.from({ length: 60 }, (_, user) => [`user-${60 - user}`, Date.now()]));
  localStorage.setItem('mintwatch-alerts-seen', elsewhere);
  act(
    () => void window.dispatchEvent(new StorageEvent('storage', { key: 'mintwatch-alerts-seen', newValue: elsewhere })),
  );
  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeInTheDocument();
  act(() => liveOf(store).receive({ event: 'alert', payload: alert(100) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 1 new' }));
  expect(JSON.parse(localStorage.getItem('mintwatch-alerts-seen') ?? '[]')).toHaveLength(20);
});
