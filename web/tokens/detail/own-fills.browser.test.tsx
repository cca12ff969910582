import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Sample } from '../../../common/tokens/model.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { Order } from '../../../common/trading/order.ts';
import { liveOf } from '../../live/live.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { useTradingEvents } from '../../trading/state/use-trading-events.ts';
import { AT, account, boughtOrder, fill, MINT } from '../../trading/testing/fixtures.ts';
import { ChartCard } from './chart-card.tsx';

const START = Date.parse(AT);
const MINUTE = 60_000;
const PRICE = 0.000_000_03;
const rest = fakeServerPerTest();

beforeEach(() => {
  rest.answer(tradingCalls.account, account());
  rest.answer(tradingCalls.positions, []);
  rest.answer(tokenCalls.samples, [0, 1, 2, 3, 4].map(sampleAt));
});

function sampleAt(minute: number): Sample {
  const at = new Date(START + minute * MINUTE).toISOString();
  const prices = { price: PRICE, open: PRICE, high: PRICE, low: PRICE };
  return { at, ...prices, liquidity: 3, volume: 1, holders: 2 };
}

/** An order of the user with a fill so many minutes after the first sample. */
function filled(number: number, minute: number, fields: Partial<Order> = {}): Order {
  const at = new Date(START + minute * MINUTE).toISOString();
  return boughtOrder(number, { fill: fill({ at, price: PRICE }), ...fields });
}

/** `since`: creation of the token, epoch ms. */
function Page({ since }: { since: number }) {
  useTradingEvents();
  return (
    <div style={{ width: 800 }}>
      <ChartCard address={MINT} since={since} />
    </div>
  );
}

async function open(orders: Order[], since = Date.now()) {
  rest.answer(tradingCalls.orders, orders);
  const rendered = renderWithApp(<Page since={since} />);
  await waitFor(() => expect(document.querySelector('.recharts-line-curve')).not.toBeNull(), { timeout: 15_000 });
  return rendered;
}

const marks = () => [...document.querySelectorAll<SVGGElement>('[data-fill]')];
const centre = (element: Element | undefined | null) => {
  const { left, width, top, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return { x: left + width / 2, y: top + height / 2 };
};

test('the chart marks the trades of the user at their times: purchases below the price, sales above [T-06]', async () => {
  await open([filled(2, 3, { side: 'sell' }), filled(1, 1)]);
  await waitFor(() => expect(marks().map((mark) => mark.getAttribute('data-fill'))).toEqual(['buy', 'sell']));
  const [buy, sale] = marks();
  const line = document.querySelector('.recharts-line-curve')?.getBoundingClientRect() ?? new DOMRect();
  expect(centre(buy).x).toBeCloseTo(line.left + line.width / 4, -1);
  expect(centre(sale).x).toBeCloseTo(line.left + (line.width * 3) / 4, -1);
  expect(centre(buy).y).toBeGreaterThan(line.top);
  expect(centre(sale).y).toBeLessThan(line.top);
  expect(buy).toHaveTextContent('Bought: 3,402,118 OTTR for 0.102145 SOL with all costs');
  expect(screen.getByRole('figure')).toHaveAccessibleName(/Bought: 3,402,118 OTTR .* Sold: 3,402,118 OTTR/);
});

test('trades in another mode, before the span, and without a fill have no mark', async () => {
  await open([
    filled(1, 1, { mode: 'paper' }),
    filled(2, -1),
    filled(3, 2, { fill: null, status: 'failed' }),
    filled(4, 2),
  ]);
  await waitFor(() => expect(marks()).toHaveLength(1));
});

test('a trade in the first minute of a coin, before the first point, is marked there', async () => {
  await open([filled(1, -0.5)], START - MINUTE);
  await waitFor(() => expect(marks()).toHaveLength(1));
  const line = document.querySelector('.recharts-line-curve')?.getBoundingClientRect() ?? new DOMRect();
  expect(centre(marks()[0]).x).toBeCloseTo(line.left, -1);
});

test('a trade is marked as soon as it is filled', async () => {
  const { store } = await open([]);
  expect(marks()).toEqual([]);
  act(() => liveOf(store).receive({ event: 'order', payload: filled(1, 5) }));
  await waitFor(() => expect(marks()).toHaveLength(1));
});

test('figures of a point that stay open while the page gets narrower do not widen it', async () => {
  rest.answer(tradingCalls.orders, []);
  renderWithApp(
    <div data-testid="page" style={{ width: 800, overflowX: 'auto' }}>
      <ChartCard address={MINT} since={Date.now()} />
    </div>,
  );
  await waitFor(() => expect(document.querySelector('.recharts-line-curve')).not.toBeNull());
  const chart = document.querySelector('.recharts-wrapper') ?? expect.fail();
  const { left, top, width, height } = chart.getBoundingClientRect();
  fireEvent.mouseMove(chart, { clientX: left + width * 0.6, clientY: top + height / 2 });
  await waitFor(() => expect(document.querySelector('.recharts-tooltip-wrapper')).toBeVisible());
  const page = screen.getByTestId('page');
  page.style.width = '340px';
  await waitFor(() => expect(chart.getBoundingClientRect().width).toBeLessThan(340));
  expect(page.scrollWidth).toBe(page.clientWidth);
});
