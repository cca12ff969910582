import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ruleCalls } from '../../../common/rules/http.ts';
import { strategyCalls } from '../../../common/strategies/http.ts';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { liveOf } from '../../live/live.ts';
import { queryClientAtom } from '../../store.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { sent } from '../../testing/page.ts';
import { type Rendered, renderWithApp } from '../../testing/render.tsx';
import { receiveReport, tradingKeys } from '../state/trading.ts';
import { useTradingEvents } from '../state/use-trading-events.ts';
import { AT, account, id, order, position } from '../testing/fixtures.ts';
import { stopText } from './stop-dialog.tsx';
import { StoppedBanner } from './stopped-banner.tsx';
import { TradingControls } from './trading-controls.tsx';

const server = fakeServerPerTest();

beforeEach(() => {
  server.answer(ruleCalls.list, []);
  server.answer(strategyCalls.list, []);
  server.answer(tradingCalls.orders, [order(1), order(2, { status: 'sent' }), order(3, { side: 'sell' })]);
  server.answer(tradingCalls.positions, [position(1), position(2)]);
});

function Page() {
  useTradingEvents();
  return (
    <>
      <TradingControls />
      <StoppedBanner />
    </>
  );
}

function open(fields: Partial<TradingAccount> = {}): Rendered {
  server.answer(tradingCalls.account, account(fields));
  return renderWithApp(<Page />);
}

function report(fields: Partial<StopReport> = {}): StopReport {
  const facts = { id: id(9), at: AT, by: 'user', cancelled: 1, out: 1 } as const;
  return { ...facts, sells: false, positions: [], endedAt: AT, version: 1, ...fields };
}

const stopped = { at: AT, by: 'user', pausesExits: false } as const;

test('shows network, open positions and their value in the header [T-01]', async () => {
  open();
  expect(await screen.findByText('Local chain')).toBeVisible();
  const link = await screen.findByTitle('2 open positions; a sale of all would return 0.2202 SOL now.');
  expect(link).toHaveAttribute('href', '/app/positions');
});

test('shows amber for real money and nothing to press while trading is off [T-01]', async () => {
  const { unmount } = open({ server: 'live', modes: ['paper', 'live'], mode: 'live' });
  expect((await screen.findByText('Mainnet (beta)')).className).toContain('text-risk-medium');
  unmount();
  open({ server: 'off', modes: [], mode: null, budget: null });
  expect(await screen.findByText('Trading off')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  [
    { plans: 12, waiting: 2, sent: 1, positions: [{ mode: 'local', count: 5 }] },
    '12 plans stop at once, 2 orders that wait are cancelled, 1 that was sent is followed to its end. Your 5 positions stay.',
  ],
  [{ plans: 0, waiting: 0, sent: 0, positions: [] }, 'No order waits. You have no open positions.'],
  [
    {
      plans: 0,
      waiting: 0,
      sent: 0,
      positions: [
        { mode: 'paper', count: 2 },
        { mode: 'live', count: 1 },
      ],
    },
    'No order waits. Your 3 positions stay: 2 Paper, 1 Mainnet (beta).',
  ],
] as const)('the question names what a stop concerns: %j', (counts, text) => {
  expect(stopText({ ...counts, present: 'local' })).toBe(text);
});

test('Shift+Esc asks, and stopping shows the report [T-18]', async () => {
  server.answer(tradingCalls.stop, report());
  open();
  await screen.findByRole('button', { name: 'Stop' });
  await userEvent.keyboard('{Shift>}{Escape}{/Shift}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop buying?' }));
  await dialog.findByText(
    '1 order that waits is cancelled, 1 that was sent is followed to its end. Your 2 positions stay.',
  );
  await userEvent.click(dialog.getByRole('button', { name: 'Stop buying' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Buying is stopped' }));
  expect(shown.getByText('1 order cancelled before it was sent.')).toBeVisible();
  expect(shown.getByText('Your positions stay.')).toBeVisible();
  expect(sent(server, 'POST', '/api/trading/stop')).toEqual([{ sell: false, pausesExits: false }]);
});

test('a stop can pause the exits of open positions [T-30]', async () => {
  server.answer(tradingCalls.stop, report());
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop buying?' }));
  await userEvent.click(await dialog.findByRole('combobox', { name: 'Their exits' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Pause exits too, until you resume' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Stop buying' }));
  await waitFor(() => expect(sent(server, 'POST', '/api/trading/stop')).toEqual([{ sell: false, pausesExits: true }]));
});

test('the report of a stop with sales follows its events', async () => {
  const { token } = position(1);
  const sale = { positionId: id(1), token, orderId: null, outcome: 'waiting', lamports: null, failure: null } as const;
  const other = { ...sale, positionId: id(2) };
  const emptied = { ...sale, positionId: id(3) };
  server.answer(tradingCalls.stop, report({ sells: true, positions: [sale, other, emptied], endedAt: null }));
  const { store } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Stop and sell everything' }));
  expect(await screen.findAllByText('Selling')).toHaveLength(3);
  expect(sent(server, 'POST', '/api/trading/stop')).toEqual([{ sell: true, pausesExits: false }]);
  const positions = [
    { ...sale, orderId: id(7), outcome: 'sold' as const, lamports: 109_000_000 },
    { ...other, orderId: id(8), outcome: 'failed' as const, failure: reason('no-depth') },
    { ...emptied, outcome: 'sold' as const },
  ];
  const after = report({ sells: true, positions, version: 2 });
  act(() => liveOf(store).receive({ event: 'stop-report', payload: after }));
  expect(await screen.findByText('0.109 SOL')).toBeVisible();
  expect(screen.getByText('The depth of its market is unknown.')).toBeVisible();
  expect(screen.getByText('Nothing was left to sell.')).toBeVisible();
  expect(screen.getByText('The sales are over.')).toBeVisible();
});

test('an older report, received or fetched, does not replace a newer one', async () => {
  const begun = report({ sells: true, endedAt: null });
  const over = report({ sells: true, version: 3 });
  server.answer(tradingCalls.stop, begun);
  server.answer(tradingCalls.stopReport, begun);
  const { store } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  // The event is before the response to the press.
  act(() => liveOf(store).receive({ event: 'stop-report', payload: over }));
  await userEvent.click(await screen.findByRole('button', { name: 'Stop buying' }));
  expect(await screen.findByText('The sales are over.')).toBeVisible();
  // Events were missed while the connection was down.
  act(() => receiveReport(store, report({ ...begun, at: '2026-11-21T12:00:01.000Z' })));
  expect(await screen.findByText('Selling everything.')).toBeVisible();
  server.answer(tradingCalls.stopReport, report({ ...over, at: '2026-11-21T12:00:01.000Z' }));
  void store.get(queryClientAtom).invalidateQueries({ queryKey: tradingKeys.stopReport });
  expect(await screen.findByText('The sales are over.')).toBeVisible();
});

test('a banner says that buying is stopped, and resumes it', async () => {
  server.answer(tradingCalls.resume, account({ version: 3 }));
  open({ stopped: { at: AT, by: 'telegram', pausesExits: true }, version: 2 });
  const banner = within(await screen.findByRole('note'));
  expect(banner.getByText(/You stopped it by Telegram at 2026-11-21 12:00:00 UTC/)).toBeVisible();
  expect(banner.getByText(/their exits are paused/)).toBeVisible();
  await userEvent.click(banner.getByRole('button', { name: 'Resume trading' }));
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull());
  expect(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
});

test('the stop of an administrator has no button that resumes', async () => {
  open({ stoppedAll: true });
  expect(await screen.findByText(/An administrator has stopped trading for everybody/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /Resume/ })).toBeNull();
});

test('an event of another tab stops this one', async () => {
  const { store } = open();
  await screen.findByRole('button', { name: 'Stop' });
  act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ stopped, version: 2 }) }));
  expect(await screen.findByText('Buying is stopped')).toBeVisible();
});
