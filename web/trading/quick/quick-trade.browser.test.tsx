import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { defaultPresets } from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { newOrderSchema } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import { liveOf } from '../../live/live.ts';
import { address } from '../../live/testing/build.ts';
import { json } from '../../testing/fake-server.ts';
import { findToast, holdResponse, sent } from '../../testing/page.ts';
import { type Rendered, renderWithApp } from '../../testing/render.tsx';
import TokenListPage from '../../tokens/list/list-page.tsx';
import { aged, answer, listServer } from '../../tokens/testing/list-page.tsx';
import { forgetReceived, receivedOrdersAtom } from '../state/trading.ts';
import { useTradingEvents } from '../state/use-trading-events.ts';
import { AT, account, boughtOrder, order, position } from '../testing/fixtures.ts';
import { ARMED_MS } from './armed.ts';

// long because all tests share one page and its server.
const rest = listServer();

beforeEach(() => {
  answer(rest, [aged(1), aged(2)]);
  rest.answer(tradingCalls.account, account());
  rest.answer(tradingCalls.positions, []);
  rest.answer(tradingCalls.createOrder, ({ body }) =>
    order(1, { token: { ...order(1).token, address: newOrderSchema.parse(body).address } }),
  );
});
afterEach(async () => {
  vi.useRealTimers();
  await page.viewport(1280, 800);
});

function Page() {
  useTradingEvents();
  return <TokenListPage />;
}

async function open(): Promise<Rendered> {
  const rendered = renderWithApp(<Page />, { path: '/app/tokens' });
  await screen.findByRole('table', { name: 'Tokens' });
  return rendered;
}

const quickSwitch = () => screen.findByRole('switch', { name: 'Quick trade' });
const button = (name: string) => screen.getByRole('button', { name });
const trades = () => screen.queryAllByRole('button', { name: /^(Buy for|Sell) / });
const orders = () => sent(rest, 'POST', '/api/trading/orders').map((body) => newOrderSchema.parse(body));
// Testing Library's pointer does not set the browser's :hover, which the buttons need to take pointer events.
const user = userEvent.setup({ pointerEventsCheck: 0 });

test('rows trade only while quick trade is on, which is off at first and shows its network [T-03, T-01]', async () => {
  await open();
  expect(await quickSwitch()).not.toBeChecked();
  expect(trades()).toEqual([]);
  await user.click(await quickSwitch());
  const texts = ['0.05', '0.1', '0.25', '25 %', '50 %', '100 %'];
  expect(trades().map((one) => one.textContent)).toEqual([...texts, ...texts]);
  const bar = within(
    (await screen.findByText(/One click is one order/)).closest<HTMLElement>('[role=status]') ?? document.body,
  );
  expect(bar.getByText('Local chain')).toBeVisible();
  await user.click(bar.getByRole('button', { name: 'Switch off' }));
  expect(trades()).toEqual([]);
  expect(await quickSwitch()).not.toBeChecked();
});

/** Returns the places of all trades on screen. */
const places = () => trades().map((one) => one.getBoundingClientRect());

/** Sends an update of the position of the second token. */
const hold = (store: Rendered['store'], over: Partial<Position>) =>
  act(() =>
    liveOf(store).receive({
      event: 'position',
      payload: position(1, { token: { ...order(1).token, address: address(2) }, ...over }),
    }),
  );

test('each trade keeps its place when a position opens and closes, without covering the risk [T-03]', async () => {
  const { store } = await open();
  await user.click(await quickSwitch());
  const before = places();
  expect(before).toHaveLength(12);
  expect(button('Sell 50 %: Token 2')).toBeDisabled();
  expect(button('Sell 100 %: Token 2')).toHaveAttribute('title', 'You hold nothing of this token.');
  const badge = button('Buy for 0.1 SOL: Token 2').closest('tr')?.querySelector('[data-level]');
  expect(badge?.getBoundingClientRect().left).toBeGreaterThan(before[5]?.right ?? Number.NaN);
  hold(store, { version: 1 });
  await waitFor(() => expect(button('Sell 100 %: Token 2')).toBeEnabled());
  expect(places()).toEqual(before);
  hold(store, { version: 2, status: 'closed', tokens: '0', closedAt: AT });
  await waitFor(() => expect(button('Sell 100 %: Token 2')).toBeDisabled());
  expect(places()).toEqual(before);
});

test('a press on a button whose action has just changed does nothing and shows why [T-03]', async () => {
  const { store } = await open();
  await user.click(await quickSwitch());
  hold(store, { version: 1 });
  await waitFor(() => expect(button('Sell 50 %: Token 2')).toBeEnabled());
  const pressAt = (changed: number) => {
    const press = new PointerEvent('pointerdown', { bubbles: true });
    const at = Number(button('Sell 50 %: Token 2').getAttribute('data-changed-at')) + changed;
    Object.defineProperty(press, 'timeStamp', { value: at });
    fireEvent(button('Sell 50 %: Token 2'), press);
    fireEvent.click(button('Sell 50 %: Token 2'), { detail: 1 });
  };
  pressAt(1_499);
  expect(screen.getByText(/^This button has just changed/)).toHaveTextContent('Nothing was ordered for T2.');
  pressAt(1_500);
  await waitFor(() => expect(orders()).toHaveLength(1));
  expect(orders()).toMatchObject([{ side: 'sell', ...defaultPresets.sell[1] }]);
});

test('one click is one order, and its button shows how it ends [T-03]', async () => {
  const { store } = await open();
  await user.click(await quickSwitch());
  await user.dblClick(button('Buy for 0.1 SOL: Token 2'));
  expect(await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: Pending' })).toBeDisabled();
  expect(orders()).toMatchObject([
    {
      mode: 'local',
      side: 'buy',
      address: address(2),
      ...defaultPresets.buy[1],
      from: 'quick',
      accept: expect.arrayContaining(['high-risk']),
    },
  ]);
  const token = { ...order(1).token, address: address(2) };
  act(() => liveOf(store).receive({ event: 'order', payload: boughtOrder(1, { token }) }));
  expect(await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: Bought' })).toBeVisible();
  await findToast('Bought OTTR');
});

test('a press is another order in another mode, also after one without a response [T-01, T-08]', async () => {
  const { store } = await open();
  rest.reply(tradingCalls.createOrder, () => json({ error: 'Not now.', code: 'unavailable' }, 503));
  await user.click(await quickSwitch());
  await user.click(button('Buy for 0.1 SOL: Token 2'));
  await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: No answer' });
  act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ mode: 'paper', version: 2 }) }));
  await waitFor(async () => expect(await quickSwitch()).not.toBeChecked());
  await user.click(await quickSwitch());
  await user.click(await screen.findByRole('button', { name: /^Buy for 0\.1 SOL: Token 2/ }));
  await waitFor(() => expect(orders().map(({ mode }) => mode)).toEqual(['local', 'local', 'paper', 'paper']));
  const [local, , paper] = orders().map(({ clientId }) => clientId);
  expect(paper).not.toBe(local);
});

test('a refused order shows its reason', async () => {
  await open();
  rest.fail(tradingCalls.createOrder, 'no-wallet', 'Please set a wallet first.');
  await user.click(await quickSwitch());
  await user.click(button('Buy for 0.05 SOL: Token 1'));
  const failed = await screen.findByRole('button', { name: 'Buy for 0.05 SOL: Token 1: Failed' });
  expect(failed).toHaveAttribute('title', 'Please set a wallet first.');
});

test('a press without a response can be repeated as the same order, until there is one [T-08]', async () => {
  await open();
  rest.reply(tradingCalls.createOrder, () => Promise.reject(new TypeError('Failed to fetch')));
  await user.click(await quickSwitch());
  await user.click(button('Buy for 0.1 SOL: Token 2'));
  const lost = await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: No answer' });
  expect(lost).toHaveAttribute('title', 'No answer. Press again: that makes no second order.');
  expect(lost.scrollWidth).toBeLessThanOrEqual(lost.clientWidth);
  expect(screen.queryByText('Not bought')).toBeNull();
  rest.reply(tradingCalls.createOrder, () => json({ error: 'Not now.', code: 'unavailable' }, 503));
  await user.click(lost);
  await waitFor(() => expect(orders()).toHaveLength(4));
  const again = await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: No answer' });
  rest.fail(tradingCalls.createOrder, 'no-wallet', 'Please set a wallet first.');
  await user.click(again);
  await user.click(await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: Failed' }));
  await waitFor(() => expect(orders()).toHaveLength(6));
  const [first, ...later] = orders().map(({ clientId }) => clientId);
  expect(later.slice(0, 4)).toEqual([first, first, first, first]);
  expect(later[4]).not.toBe(first);
});

test('a button is free again once its order is no longer kept', async () => {
  const { store } = await open();
  await user.click(await quickSwitch());
  await user.click(button('Buy for 0.1 SOL: Token 2'));
  await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: Pending' });
  act(() => store.set(receivedOrdersAtom, new Map()));
  expect(button('Buy for 0.1 SOL: Token 2')).toBeEnabled();
});

test('another user finds no trades of the one before', async () => {
  const { store } = await open();
  holdResponse(rest, tradingCalls.createOrder);
  await user.click(await quickSwitch());
  await user.click(button('Buy for 0.1 SOL: Token 2'));
  await screen.findByRole('button', { name: 'Buy for 0.1 SOL: Token 2: Pending' });
  act(() => forgetReceived(store));
  expect(button('Buy for 0.1 SOL: Token 2')).toBeEnabled();
});

test('a held token can be sold by its row, also while buying is stopped', async () => {
  rest.answer(tradingCalls.positions, [position(1, { token: { ...order(1).token, address: address(2) } })]);
  rest.answer(tradingCalls.account, account({ stopped: { at: AT, by: 'user', pausesExits: false } }));
  await open();
  await user.click(await quickSwitch());
  await waitFor(() => expect(button('Sell 50 %: Token 2')).toBeEnabled());
  expect(button('Buy for 0.1 SOL: Token 2')).toBeDisabled();
  act(() => button('Sell 50 %: Token 2').click());
  await waitFor(() => expect(orders()).toMatchObject([{ side: 'sell', address: address(2), sharePercent: 50 }]));
});

test('a row of a coin that cannot be bought shows the reason in place of its amounts, and keeps its sales', async () => {
  answer(rest, [aged(1, { metadata: { ...aged(1).metadata, quote: 'USDC' } }), aged(2)]);
  rest.answer(tradingCalls.positions, [position(1, { token: { ...order(1).token, address: address(1) } })]);
  await open();
  await user.click(await quickSwitch());
  await waitFor(() => expect(button('Sell 50 %: Token 1')).toBeEnabled());
  expect(screen.getByText('This coin is not traded against SOL.')).toBeVisible();
  expect(screen.queryAllByRole('button', { name: /^Buy for .*: Token 1$/ })).toEqual([]);
  const left = (name: string) => button(name).getBoundingClientRect().left;
  expect(left('Sell 50 %: Token 1')).toBe(left('Sell 50 %: Token 2'));
});

describe('the keys', () => {
  test('b and a digit buy the focused token, while quick trade is on', async () => {
    await open();
    await user.keyboard('jj');
    await waitFor(() => expect(document.activeElement).toHaveAccessibleName('Details of Token 2'));
    await user.keyboard('b3');
    await user.click(await quickSwitch());
    await user.keyboard('jb');
    const bar = button('Switch off').parentElement;
    await waitFor(() => expect(bar).toHaveTextContent('Buy T1 for 1 0.05 2 0.1 3 0.25 SOL'));
    await user.keyboard('3');
    await waitFor(() => expect(orders()).toHaveLength(1));
    const bought = { mode: 'local', side: 'buy', address: address(1), lamports: 250_000_000, from: 'quick' };
    expect(orders()).toMatchObject([bought]);
  });

  test('a digit alone, another key between, and typed text buy nothing', async () => {
    await open();
    await user.click(await quickSwitch());
    await user.keyboard('j1bx1');
    await user.type(screen.getByPlaceholderText('Search by name, symbol, or address...'), 'b1');
    await user.keyboard('{Escape}');
    expect(orders()).toEqual([]);
  });
});

describe('quick trade switches itself off', () => {
  test('60 s after the last trade [T-03]', async () => {
    await open();
    const control = await quickSwitch();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    act(() => control.click());
    act(() => void vi.advanceTimersByTime(ARMED_MS - 1_000));
    act(() => button('Buy for 0.1 SOL: Token 1').click());
    act(() => void vi.advanceTimersByTime(ARMED_MS - 1_000));
    expect(control).toBeChecked();
    act(() => void vi.advanceTimersByTime(1_000));
    expect(control).not.toBeChecked();
    expect(trades()).toEqual([]);
  });

  test('when the page is left', async () => {
    const { unmount, store } = await open();
    await user.click(await quickSwitch());
    unmount();
    renderWithApp(<Page />, { path: '/app/tokens', store });
    expect(await quickSwitch()).not.toBeChecked();
  });

  test('when the mode changes', async () => {
    const { store } = await open();
    await user.click(await quickSwitch());
    act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ mode: 'paper', version: 2 }) }));
    await waitFor(async () => expect(await quickSwitch()).not.toBeChecked());
  });
});

test('on a phone the buttons stand below each token, large enough for a finger', async () => {
  rest.answer(tradingCalls.positions, [position(1, { token: { ...order(1).token, address: address(1) } })]);
  await page.viewport(360, 740);
  await open();
  await user.click(await quickSwitch());
  await waitFor(() => expect(trades()).toHaveLength(12));
  for (const one of trades()) {
    const { left, right, width, height, top, bottom } = one.getBoundingClientRect();
    expect(height).toBeGreaterThanOrEqual(36);
    expect(width).toBeGreaterThanOrEqual(44);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(360);
    const row = one.closest('tr')?.getBoundingClientRect();
    expect(top).toBeGreaterThanOrEqual(row?.top ?? Number.NaN);
    expect(bottom).toBeLessThanOrEqual(row?.bottom ?? Number.NaN);
  }
});

test('nothing offers quick trade while trading is off', async () => {
  rest.answer(tradingCalls.account, account({ server: 'off', modes: [], mode: null, budget: null }));
  const { store } = await open();
  await waitFor(() => expect(rest.count(tradingCalls.account)).toBeGreaterThan(0));
  act(() =>
    liveOf(store).receive({
      event: 'trading-account',
      payload: account({ server: 'off', modes: [], mode: null, version: 2 }),
    }),
  );
  expect(screen.queryByRole('switch', { name: 'Quick trade' })).toBeNull();
});
