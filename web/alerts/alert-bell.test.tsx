import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertCalls } from '../../common/alerts/http.ts';
import type { Alert } from '../../common/alerts/model.ts';
import { liveOf } from '../live/live.ts';
import { type FakeServer, fakeServer } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
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
  text: `New token: Token ${number}`,
  at: new Date(Date.now() - 60_000 + number * 1000).toISOString(),
});

test('an alert is counted the moment it comes, and no longer once it was looked at', async () => {
  server.answer(alertCalls.list, [alert(1)]);
  const { store } = renderWithApp(<AlertBell />);
  expect(await screen.findByRole('button', { name: 'Alerts, 1 new' })).toBeInTheDocument();
  act(() => liveOf(store).hear.alert(alert(2)));
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 2 new' }));
  const links = screen.getAllByRole('menuitem');
  expect(links[0]).toHaveTextContent('New token: Token 2');
  expect(links[0]).toHaveAttribute('href', '/app/tokens/So11111111111111111111111111111111111111112');
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeInTheDocument();
});

test('without any it says what would come here', async () => {
  server.answer(alertCalls.list, []);
  renderWithApp(<AlertBell />);
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts' }));
  expect(screen.getByText(/No alerts yet/)).toBeInTheDocument();
});

test('the list is bounded, and an alert that comes twice is there once', () => {
  let list: Alert[] = [];
  for (let number = 0; number < 30; number += 1) list = withAlert(withAlert(list, alert(number)), alert(number));
  expect(list).toHaveLength(20);
  expect(list[0]?.id).toBe('alert-29');
  expect(new Set(list.map(({ id }) => id)).size).toBe(20);
});
