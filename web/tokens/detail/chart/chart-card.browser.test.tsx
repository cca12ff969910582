import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { page as browser } from 'vitest/browser';
import { alertCalls } from '../../../../common/alerts/http.ts';
import type { CandlePage } from '../../../../common/tokens/candles/model.ts';
import { tokenCalls } from '../../../../common/tokens/http.ts';
import { noExits } from '../../../../common/trading/account.ts';
import { tradingCalls } from '../../../../common/trading/http.ts';
import type { Order } from '../../../../common/trading/order.ts';
import type { Position } from '../../../../common/trading/position.ts';
import { liveOf } from '../../../live/live.ts';
import { detail, trade } from '../../../live/testing/build.ts';
import type { Store } from '../../../store.ts';
import { fakeServerPerTest } from '../../../testing/fake-server.ts';
import { sent } from '../../../testing/page.ts';
import { renderWithApp } from '../../../testing/render.tsx';
import { openPositionsAtom, receiveValues } from '../../../trading/state/trading.ts';
import { useTradingEvents } from '../../../trading/state/use-trading-events.ts';
import { AT, account, boughtOrder, fill, id, MINT, position } from '../../../trading/testing/fixtures.ts';
import { clearToasts } from '../../../ui/toast-store.ts';
import { ChartCard } from './chart-card.tsx';

const START = Date.parse(AT);
const PRICE = 0.000_000_1;
const rest = fakeServerPerTest();

beforeEach(async () => {
  // The pointer of the file before may rest on the chart, whose legend is then that of the candle below it.
  await browser.elementLocator(document.documentElement).hover({ position: { x: 5, y: 5 } });
  rest.answer(tradingCalls.account, account());
  rest.answer(tradingCalls.positions, []);
  rest.answer(tradingCalls.orders, []);
  rest.answer(alertCalls.list, []);
  rest.answer(tokenCalls.candles, page());
});

/** Sixty candles of a second, the last one of a trade with this id. */
function page(): CandlePage {
  const candles = Array.from({ length: 60 }, (_, second) => ({
    at: START / 1_000 + second,
    ...{ open: PRICE, high: PRICE * 1.2, low: PRICE * 0.9, close: PRICE, volume: 3, bought: 2 },
  }));
  const newest = { at: new Date(START + 59_000).toISOString(), ids: ['last'] };
  return { candles, parts: [{ from: 'trades', since: START / 1_000 }], next: null, newest };
}

const token = detail(1, { address: MINT, price: PRICE, createdAt: AT });

const noLabels = new Map();

function Page() {
  useTradingEvents();
  return (
    <div style={{ width: 800 }} data-testid="page">
      <ChartCard token={token} since={Date.now()} trades={[]} labels={noLabels} />
    </div>
  );
}

const chart = () => document.querySelector('[data-candles]');
const legend = () => document.querySelector('[data-legend]')?.textContent ?? '';

async function open(orders: Order[] = []) {
  rest.answer(tradingCalls.orders, orders);
  const rendered = renderWithApp(<Page />);
  await waitFor(() => expect(chart()?.querySelector('canvas')).toBeInstanceOf(HTMLCanvasElement), { timeout: 15_000 });
  return rendered;
}

const marks = () => [...document.querySelectorAll('[data-fill]')].map((mark) => mark.getAttribute('data-fill'));

test('draws candles with the figures of the last one, and a link to the maker of the library', async () => {
  await open();
  await screen.findByRole('button', { name: 'Price' });
  fireEvent.click(screen.getByRole('button', { name: 'Price' }));
  await waitFor(() => expect(legend()).toContain('O 0.0₆1000H 0.0₆1200L 0.0₇9000C 0.0₆1000'));
  expect(legend()).toContain('Vol 3.000 SOL ▲ 2.000 ▼ 1.000');
  expect(document.querySelector('#tv-attr-logo')).toHaveAttribute(
    'href',
    expect.stringMatching(/^https:\/\/www\.tradingview\.com\//),
  );
});

test('a live trade changes the last candle', async () => {
  const { store } = await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Price' }));
  await waitFor(() => expect(legend()).toContain('O 0.0₆1000'));
  const trades = [
    trade(1, { id: 'last', at: new Date(START + 59_000).toISOString(), price: PRICE * 9 }),
    trade(2, { at: new Date(START + 59_500).toISOString(), price: PRICE * 2, sol: 4, side: 'sell' }),
  ];
  act(() => liveOf(store).receive({ event: 'token-trades', payload: { address: MINT, trades } }));
  await waitFor(() => expect(legend()).toContain('H 0.0₆2000L 0.0₇9000C 0.0₆2000'));
  expect(legend()).toContain('Vol 7.000 SOL ▲ 2.000 ▼ 5.000');
});

test('names the trades of the user in the present mode that have a fill [T-06]', async () => {
  const at = (second: number) => ({ fill: fill({ at: new Date(START + second * 1_000).toISOString(), price: PRICE }) });
  await open([
    boughtOrder(2, { ...at(30), side: 'sell' }),
    boughtOrder(1, at(10)),
    boughtOrder(3, { ...at(20), mode: 'paper' }),
    boughtOrder(4, { fill: null, status: 'failed' }),
  ]);
  await waitFor(() => expect(marks()).toEqual(['buy', 'sell']));
  // Its name follows with the clock.
  const name = /Bought: 3,402,118 OTTR .* Sold: 3,402,118 OTTR/;
  await waitFor(() => expect(screen.getByRole('figure')).toHaveAccessibleName(name));
});

test('a trade is marked as soon as it is filled', async () => {
  const { store } = await open();
  expect(marks()).toEqual([]);
  act(() => liveOf(store).receive({ event: 'order', payload: boughtOrder(1) }));
  await waitFor(() => expect(marks()).toEqual(['buy']));
});

test('follows the width of the page', async () => {
  await open();
  screen.getByTestId('page').style.width = '340px';
  await waitFor(() => expect(chart()?.querySelector('table')?.clientWidth).toBeLessThan(340));
  expect(screen.getByTestId('page').scrollWidth).toBe(340);
});

const held = (fields: Partial<Position> = {}) =>
  position(1, { entryPrice: PRICE, value: null, exits: { ...noExits, stopLossPercent: 10 }, version: 7, ...fields });

/** Opens the chart with a position, and returns the height of its stop loss on the page, px. */
async function openHeld(): Promise<{ y: number; store: Store }> {
  rest.answer(tradingCalls.positions, [held()]);
  const { store } = await open();
  const box = chart() ?? expect.fail();
  const { left, top } = box.getBoundingClientRect();
  const find = () => {
    for (let y = top + 1; y < top + 300; y += 1) {
      fireEvent.pointerMove(box, { pointerId: 1, clientX: left + 200, clientY: y });
      if (box instanceof HTMLElement && box.style.cursor === 'ns-resize') return y + 6;
    }
    return null;
  };
  let found: number | null = null;
  await waitFor(() => {
    found = find();
    expect(found).not.toBeNull();
  });
  return { y: found ?? 0, store };
}

function press(y: number, pointerType = 'mouse') {
  const box = chart() ?? expect.fail();
  const at = { pointerId: 1, pointerType, clientX: box.getBoundingClientRect().left + 200, bubbles: true };
  fireEvent.pointerDown(box, { ...at, button: 0, clientY: y });
  return (to: number) => fireEvent.pointerMove(box, { ...at, clientY: to });
}
const release = (y: number) => fireEvent.pointerUp(document.body, { pointerId: 1, clientY: y });
const changes = () => sent(rest, 'PATCH', `/api/trading/positions/${id(1)}`);

test('a dragged stop loss is one change at its release, of the version that was seen, and can be undone', async () => {
  const { y } = await openHeld();
  rest.answer(tradingCalls.changeExits, held({ version: 8, exits: { ...noExits, stopLossPercent: 15 } }));
  const move = press(y);
  for (let step = 1; step <= 20; step += 1) move(y + step);
  expect(changes()).toEqual([]);
  release(y + 20);
  expect(await screen.findByText('Stop loss Moved')).toBeVisible();
  expect(changes()).toMatchObject([{ version: 7, takeProfitPercent: null }]);
  rest.answer(tradingCalls.changeExits, held({ version: 9 }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Stop loss Moved Back')).toBeVisible();
  expect(changes().at(-1)).toMatchObject({ version: 8, stopLossPercent: 10 });
});

test('an exit that would sell by now is not moved back', async () => {
  const { y, store } = await openHeld();
  rest.answer(tradingCalls.changeExits, held({ version: 8, exits: { ...noExits, stopLossPercent: 40 } }));
  press(y)(y + 20);
  release(y + 20);
  const button = await screen.findByRole('button', { name: 'Undo' });
  const value = { ...(position(1).value ?? expect.fail()), price: PRICE * 0.8 };
  act(() => receiveValues(store, [{ id: id(1), value }]));
  await waitFor(() => expect(store.get(openPositionsAtom)?.[0]?.value).toEqual(value));
  fireEvent.click(button);
  expect(await screen.findByText('Stop loss Not Moved Back')).toBeVisible();
  expect(screen.getByText('It would sell at once. Nothing was changed.')).toBeVisible();
  expect(changes()).toHaveLength(1);
});

/** Drags from a height by 30 px. The answer is the position before, so that the line stays where it was. */
async function dragOnce(y: number): Promise<void> {
  rest.answer(tradingCalls.changeExits, held());
  press(y)(y + 30);
  release(y + 30);
  await screen.findByRole('button', { name: 'Undo' });
  act(() => clearToasts());
}

test.each([
  ['a click beside a line', 'mouse', 5, 3],
  ['a tap beside a line', 'touch', 12, 9],
])('%s moves nothing', async (_, pointerType, beside, moved) => {
  const { y } = await openHeld();
  press(y + beside, pointerType)(y + beside + moved);
  release(y + beside + moved);
  await dragOnce(y);
  await dragOnce(y);
  const [first, second, ...more] = changes();
  expect(first).toEqual(second);
  expect(more).toEqual([]);
});

test('a line keeps its distance from the pointer that drags it', async () => {
  const { y } = await openHeld();
  await dragOnce(y);
  await dragOnce(y + 5);
  const [first, second] = changes();
  expect(first).toMatchObject({ version: 7 });
  expect(second).toEqual(first);
});

test('Escape ends a drag without a change', async () => {
  const { y } = await openHeld();
  press(y)(y + 20);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  release(y + 20);
  expect(changes()).toEqual([]);
  expect(document.querySelector('[role=status]')).toBeNull();
});

test('a stop loss above the average price is not moved', async () => {
  const { y } = await openHeld();
  press(y)(y - 150);
  release(y - 150);
  expect(
    await screen.findByText('It has to be 0.1 to 99 % below the average price. Nothing was changed.'),
  ).toBeVisible();
  expect(changes()).toEqual([]);
});
