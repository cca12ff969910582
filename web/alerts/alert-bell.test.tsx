import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { alertCalls } from '../../common/alerts/http.ts';
import type { Alert } from '../../common/alerts/model.ts';
import { alertRuleCalls } from '../../common/alerts/rules/http.ts';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { sessionAtom } from '../auth/session.ts';
import { tabTitleAtom } from '../layout/page-title.ts';
import { liveOf } from '../live/live.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { AlertBell } from './alert-bell.tsx';
import { withAlert } from './use-alerts.ts';

const server = fakeServerPerTest();

beforeEach(() => {
  localStorage.clear();
});

const alert = (number: number): Alert => ({
  id: `alert-${number}`,
  type: 'new_token',
  address: 'So11111111111111111111111111111111111111112',
  ref: null,
  name: `Token ${number}`,
  symbol: `T${number}`,
  figures: null,
  cause: null,
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

test('shows symbol, risk, market cap, liquidity and age of the time of the alert, and an unknown figure as a dash', async () => {
  const at = new Date(Date.now() - 120_000);
  const figures = {
    ...{ marketCap: 12_400, currentLiquidity: 5.2, scamProbability: 29, holderCount: 41 },
    ...{
      copyOf: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      createdAt: new Date(at.getTime() - 40_000).toISOString(),
    },
  };
  const unknown = {
    copyOf: null,
    createdAt: null,
    marketCap: null,
    currentLiquidity: null,
    holderCount: null,
    scamProbability: null,
  };
  server.answer(alertCalls.list, [
    { ...alert(3), at: at.toISOString(), figures },
    { ...alert(2), at: at.toISOString(), type: 'price_alert', symbol: null, figures: unknown },
  ]);
  renderWithApp(<AlertBell />);
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 2 new' }));
  const [known, other] = screen.getAllByRole('menuitem', { name: /MC/ });
  expect(known).toHaveTextContent('T3Copy29Low Risk2mNew tokenMC $12.4KLiq 5.200 SOLAge 40s41 holders');
  expect(other).toHaveTextContent('Token 2–Unknown2mPrice changeMC –Liq –Age –– holders');
});

test('shows alerts about own trades with their texts, each with its title and its page', async () => {
  const trades: [Alert['type'], string][] = [
    ['trade_bought', 'Bought'],
    ['trade_sold', 'Sold'],
    ['trade_failed', 'Order failed'],
    ['trade_unknown', 'No verdict yet'],
    ['exit_stuck', 'Sale does not get through'],
  ];
  const stop: Alert = {
    ...alert(9),
    type: 'trading_stopped',
    address: null,
    name: null,
    symbol: null,
    text: 'Stopped.',
  };
  const password: Alert = {
    ...stop,
    ...{ id: 'password', type: 'password_exposed', ref: 'b'.repeat(24), text: 'Exposed.' },
  };
  server.answer(alertCalls.list, [
    stop,
    ...trades.map(([type], at): Alert => ({ ...alert(at), type, ref: 'a'.repeat(24), text: `Text of ${type}` })),
    password,
  ]);
  renderWithApp(<AlertBell />);
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 7 new' }));
  const lines = screen.getAllByRole('menuitem');
  expect(lines[0]).toHaveTextContent(/^Trading stopped.*Stopped\.$/);
  expect(lines[0]).toHaveAttribute('href', '/app/positions');
  for (const [at, [type, title]] of trades.entries()) {
    expect(lines[at + 1]).toHaveTextContent(new RegExp(`^${title}.*Text of ${type}$`));
    expect(lines[at + 1]).toHaveAttribute('href', '/app/tokens/So11111111111111111111111111111111111111112');
  }
  expect(lines[6]).toHaveTextContent(/^Change your password.*Exposed\.$/);
  expect(lines[6]).toHaveAttribute('href', '/app/settings');
});

test('counts the alerts that the limit held back while the menu is open, and leads to the limit', async () => {
  const hour = {
    ...{ since: '2026-01-01T12:00:00.000Z', limit: 6, received: 6, heldBack: 0, presets: [] },
    allPresets: { limit: 120, heldBack: 0 },
  };
  server.answer(alertCalls.list, [alert(1)]);
  server.answer(alertCalls.hour, hour);
  const { store } = renderWithApp(<AlertBell />);
  const bell = await screen.findByRole('button', { name: 'Alerts, 1 new' });
  expect(server.count(alertCalls.hour)).toBe(0);
  await userEvent.click(bell);
  await waitFor(() => expect(server.count(alertCalls.hour)).toBe(1));
  expect(screen.queryByText(/more matched/)).toBeNull();
  server.answer(alertCalls.hour, { ...hour, heldBack: 1_014 });
  act(() => liveOf(store).receive({ event: 'alert', payload: alert(2) }));
  const line = await screen.findByRole('menuitem', { name: /1,014 more matched this hour; limit 6/ });
  expect(line).toHaveAttribute('href', '/app/settings?tab=alerts');
  await userEvent.keyboard('{Escape}');
  const presets = [2, 5].map((dropped) => ({ name: 'Final stretch', limit: 6, heldBack: 0, dropped }));
  server.answer(alertCalls.hour, { ...hour, heldBack: 14, presets, allPresets: { limit: 120, heldBack: 3 } });
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts' }));
  expect(await screen.findByText('14 more matched this hour; limit 6')).toBeInTheDocument();
  expect(screen.getByText('3 more matched this hour; limit 120 for all presets together')).toBeInTheDocument();
  expect(screen.getByText('7 dropped this hour: too many at once')).toBeInTheDocument();
});

test('an alert by preset names the bound it passed, and can be opened, watched and muted', async () => {
  const figures = {
    ...{ copyOf: null, createdAt: null, marketCap: 12_400, currentLiquidity: 5, holderCount: 41, scamProbability: 34 },
  };
  const ref = 'a'.repeat(24);
  const condition = { field: 'holders' as const, bound: 'min' as const, value: 30 };
  const cause = { why: { preset: 'Fresh & clean', condition }, sound: 'none' as const, desktop: false };
  server.answer(alertCalls.list, [{ ...alert(1), type: 'preset_match', ref, figures, cause }]);
  renderWithApp(<AlertBell />);
  const open = async () => userEvent.click(await screen.findByRole('button', { name: /^Alerts/ }));
  await open();
  expect(screen.getByText('passed Fresh & clean: holders ≥ 30')).toBeInTheDocument();
  const page = '/app/tokens/So11111111111111111111111111111111111111112';
  expect(screen.getByRole('menuitem', { name: 'Open T1' })).toHaveAttribute('href', page);
  server.answer(watchlistCalls.add, { list: 'watch', address: alert(1).address ?? '', addedAt: alert(1).at });
  await userEvent.click(screen.getByRole('menuitem', { name: 'Watch T1' }));
  await waitFor(() => expect(server.count(watchlistCalls.add)).toBe(1));
  server.fail(alertRuleCalls.change, 'not-found');
  await open();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Mute Fresh & clean for 1 h' }));
  await waitFor(() => expect(server.requests.at(-1)).toMatchObject({ method: 'PATCH', body: { muted: true } }));
});

test('the title of the tab has the number of new alerts', async () => {
  server.answer(alertCalls.list, [alert(1)]);
  const { store } = renderWithApp(<AlertBell />);
  act(() => store.set(tabTitleAtom, 'Tokens'));
  await waitFor(() => expect(document.title).toBe('(1) Tokens · Mintwatch'));
  act(() => liveOf(store).receive({ event: 'alert', payload: alert(2) }));
  await waitFor(() => expect(document.title).toBe('(2) Tokens · Mintwatch'));
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 2 new' }));
  await waitFor(() => expect(document.title).toBe('Tokens · Mintwatch'));
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
