import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY } from '../../common/time.ts';
import { noExits } from '../../common/trading/account.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { newOrderSchema } from '../../common/trading/order.ts';
import type { Position } from '../../common/trading/position.ts';

import { reason } from '../../common/trading/reasons.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { liveOf } from '../live/live.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { cellTexts, sent } from '../testing/page.ts';
import { type Rendered, renderWithApp } from '../testing/render.tsx';
import { useTradingEvents } from '../trading/state/use-trading-events.ts';
import { AT, account, id, order, position } from '../trading/testing/fixtures.ts';
import PositionsPage from './positions-page.tsx';

const server = fakeServerPerTest();
const WALLET = position(1).wallet;

beforeEach(() => {
  server.answer(tradingCalls.account, account());
  server.answer(tradingCalls.profit, []);
  server.answer(walletCalls.get, { walletAddress: WALLET, hasKey: true, savedAt: AT });
});
afterEach(() => void vi.useRealTimers());

function Page() {
  useTradingEvents();
  return <PositionsPage />;
}

/** Opens the page with open and closed positions. */
function open(given: Position[], closed: Position[] = []): Rendered {
  server.answer(tradingCalls.positions, ({ query }) => (query.get('state') === 'open' ? given : closed));
  return renderWithApp(<Page />, { path: '/app/positions' });
}

const statCard = (label: string) => screen.getByText(label).closest('div')?.parentElement;
const rows = async () =>
  within(await screen.findByRole('table', { name: 'Open positions' }))
    .getAllByRole('row')
    .slice(1);

test('lists open positions with what a sale of all returns now [T-04]', async () => {
  open([position(1, { exits: { ...noExits, stopLossPercent: 20, takeProfitPercent: 50 } })]);
  const [row] = await rows();
  const texts = cellTexts(row);
  expect(texts.slice(1, 4)).toEqual(['You', '3,402,118 tokens', '0.1001 SOLat 0.0₇2900']);
  expect(texts[4]).toMatch(/^Entry .+ · price now 0\.0₇3200.*0\.0₇3200$/);
  expect(texts[5]).toMatch(/^0\.1101 SOL/);
  expect(texts[6]).toBe('+0.0100 SOL▲ +10.00%');
  expect(texts[7]).toContain('−20 % / +50 %');
});

/** The cell of an unknown price: on phones with the price paid before it. */
const NO_PRICE = expect.stringMatching(/· price now ––$/);

test('shows a dash and the reason where the value is unknown [T-05]', async () => {
  const value = {
    lamports: null,
    unknown: reason('no-depth'),
    profitLamports: null,
    price: null,
    supply: null,
    at: AT,
  };
  open([position(1, { value })]);
  const [row] = await rows();
  expect(cellTexts(row).slice(4, 7)).toEqual([NO_PRICE, '–The depth of its market is unknown.', '–']);
  expect(screen.getByText('The depth of its market is unknown.')).toBeVisible();
  await waitFor(() => expect(statCard('Unrealised')).toHaveTextContent('–'));
});

test('a removed token shows that exits do not fire, with its last value and the time of it', async () => {
  const unknown = reason('removed', { lastLamports: 90_105_000, lastAt: Date.parse('2026-11-22T14:02:31Z') });
  open([position(1, { value: { lamports: null, unknown, profitLamports: null, price: null, supply: null, at: AT } })]);
  const [row] = await rows();
  expect(cellTexts(row)[5]).toContain(
    'exits do not fire. At its last figures, of 2026-11-22 14:02 UTC, all of it would return 0.090105 SOL.',
  );
  expect([cellTexts(row)[4], cellTexts(row)[6]]).toEqual([NO_PRICE, '–']);
});

test('follows values and changes by events, and takes no older version', async () => {
  const { store } = open([position(1, { version: 3 })]);
  await rows();
  const { receive } = liveOf(store);
  const later = new Date(Date.parse(AT) + 1_000).toISOString();
  const value = {
    lamports: 90_105_000,
    unknown: null,
    profitLamports: -10_000_000,
    price: 0.000000027,
    supply: null,
    at: later,
  };
  act(() => receive({ event: 'position-values', payload: { values: [{ id: id(1), value }] } }));
  await waitFor(async () => expect(cellTexts((await rows())[0])[6]).toBe('−0.0100 SOL▼ −9.99%'));
  act(() => receive({ event: 'position', payload: position(1, { version: 2, tokens: '1' }) }));
  act(() => receive({ event: 'position', payload: position(2) }));
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  expect((await rows()).map((row) => cellTexts(row)[2])).toEqual(['3,402,118 tokens', '3,402,118 tokens']);
  act(() => receive({ event: 'position', payload: position(1, { version: 4, status: 'closed', closedAt: later }) }));
  act(() => receive({ event: 'position', payload: position(2, { version: 2, status: 'closed', closedAt: later }) }));
  expect(await screen.findByText('No Positions')).toBeVisible();
  expect(screen.getByText('What rules, strategies and you buy shows here.')).toBeVisible();
});

test('shows once that tokens left the wallet by another way', async () => {
  const { store } = open([position(1, { version: 3 })]);
  await rows();
  const { receive } = liveOf(store);
  act(() => receive({ event: 'position', payload: position(1, { version: 4, movedTokens: '0' }) }));
  expect(screen.queryByText(/left your wallet/)).toBeNull();
  const closed = { status: 'closed', tokens: '0', closedAt: AT, value: null } as const;
  act(() => receive({ event: 'position', payload: position(1, { ...closed, version: 5, movedTokens: '1200000000' }) }));
  expect(await screen.findByText('1,200 OTTR left your wallet')).toBeVisible();
  expect(screen.getByText('No order here moved them. The position is closed.')).toBeVisible();
});

test('sells a share by one click, and shows its state on the button', async () => {
  server.answer(tradingCalls.createOrder, order(1, { side: 'sell' }));
  const { store } = open([position(1)]);
  await rows();
  await userEvent.click(await screen.findByRole('button', { name: 'Sell 50 %: OTTR' }));
  const [body] = sent(server, 'POST', '/api/trading/orders');
  const shown = { mode: 'local', side: 'sell', sharePercent: 50, positionId: id(1) };
  expect(newOrderSchema.parse(body)).toMatchObject({ ...shown, from: 'page', accept: [] });
  expect(screen.getByRole('button', { name: 'Sell 100 %: OTTR' })).toBeDisabled();
  const failed = order(1, { side: 'sell', status: 'failed', failure: reason('expired'), version: 9 });
  act(() => liveOf(store).receive({ event: 'order', payload: failed }));
  expect(await screen.findByRole('button', { name: 'Sell 50 %: OTTR: Failed' })).toHaveAttribute(
    'title',
    'No block took the transaction before it expired.',
  );
});

test('sells the initial by one click, and says why it cannot', async () => {
  server.answer(tradingCalls.createOrder, order(1, { side: 'sell' }));
  const poor = position(2, { token: { ...position(2).token, symbol: 'POOR' } });
  open([position(1), { ...poor, value: poor.value && { ...poor.value, lamports: 1 } }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Sell the initial: OTTR' }));
  const [body] = sent(server, 'POST', '/api/trading/orders');
  const sale = newOrderSchema.parse(body);
  expect(sale).toMatchObject({ side: 'sell', initial: true, positionId: id(1) });
  expect(sale.sharePercent).toBeUndefined();
  const refused = screen.getByRole('button', { name: 'Sell the initial: POOR' });
  expect(refused).toBeDisabled();
  expect(refused).toHaveAttribute('title', expect.stringContaining('SOL'));
});

test('sells from the position of its row where two have the same token', async () => {
  server.answer(tradingCalls.createOrder, order(1, { side: 'sell' }));
  open([position(1), position(2, { origin: { kind: 'strategy', name: 'Every launch' } })]);
  const row = (await rows()).find((one) => one.textContent?.includes('Every launch')) ?? expect.fail('no row');
  await userEvent.click(await within(row).findByRole('button', { name: 'Sell 50 %: OTTR' }));
  const [body] = sent(server, 'POST', '/api/trading/orders');
  expect(newOrderSchema.parse(body)).toMatchObject({ sharePercent: 50, positionId: id(2) });
  expect(await within(row).findByRole('button', { name: 'Sell 50 %: OTTR: Pending' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Sell 50 %: OTTR' })).toBeDisabled();
});

test('asks before it sells with real money, and names share and network [T-01]', async () => {
  server.answer(tradingCalls.account, account({ server: 'live', modes: ['paper', 'live'], mode: 'live' }));
  server.answer(tradingCalls.createOrder, order(1, { side: 'sell' }));
  open([position(1, { mode: 'live' })]);
  await userEvent.click(await screen.findByRole('button', { name: 'Sell 100 %: OTTR' }));
  const question = await screen.findByRole('alertdialog', { name: 'Sell 100 % of this OTTR position?' });
  expect(question).toHaveTextContent('Mainnet (beta)');
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(sent(server, 'POST', '/api/trading/orders')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Sell 100 %: OTTR' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sell 100 %' }));
  await waitFor(() => expect(sent(server, 'POST', '/api/trading/orders')).toHaveLength(1));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('a sale of the initial with real money names its size before it is made', async () => {
  server.answer(tradingCalls.account, account({ server: 'live', modes: ['paper', 'live'], mode: 'live' }));
  open([position(1, { mode: 'live' })]);
  await userEvent.click(await screen.findByRole('button', { name: 'Sell the initial: OTTR' }));
  const question = await screen.findByRole('alertdialog', { name: 'Sell the initial of this OTTR position?' });
  expect(question).toHaveTextContent(/as much as returns 0\.1\d* SOL.* of the 0\.1101 SOL .* real money/);
});

test('offers no sale of a position in another mode or wallet, and says why', async () => {
  open([position(1, { mode: 'paper' }), position(2, { wallet: position(2).token.address })]);
  expect(await screen.findByText('Paper')).toBeVisible();
  expect(await screen.findByText('This position is in a wallet that is not the present one.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Sell/ })).toBeNull();
});

test('says when tokens were moved elsewhere [T-14]', async () => {
  open([position(1, { movedTokens: '1200000000' })]);
  expect(await screen.findByText('1,200 tokens were moved elsewhere')).toBeVisible();
});

test('sets the exits, which are empty for none', async () => {
  server.answer(tradingCalls.changeExits, position(1, { version: 2, exits: { ...noExits, stopLossPercent: 15 } }));
  open([position(1)]);
  await userEvent.click(await screen.findByRole('button', { name: 'Exits of OTTR: –' }));
  const loss = screen.getByLabelText('Stop loss');
  expect(loss).toHaveFocus();
  await userEvent.type(loss, '150');
  await userEvent.click(screen.getByRole('button', { name: 'Save Exits' }));
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(server.count(tradingCalls.changeExits)).toBe(0);
  await userEvent.clear(loss);
  await userEvent.type(loss, '15');
  await userEvent.click(screen.getByRole('button', { name: 'Save Exits' }));
  expect(await screen.findByRole('button', { name: 'Exits of OTTR: −15 %' })).toBeVisible();
  expect(sent(server, 'PATCH', `/api/trading/positions/${id(1)}`)).toEqual([{ ...noExits, stopLossPercent: 15 }]);
});

test('sets a trailing stop, a longest time, slippage and steps [T-28]', async () => {
  const exits = {
    ...noExits,
    trailingPercent: 25,
    maxHoldMs: 1_800_000,
    slippageBps: 2_000,
    steps: [
      { atPercent: 50, sellPercent: 50 },
      { atPercent: 100, sellPercent: 25 },
    ],
  };
  server.answer(tradingCalls.changeExits, position(1, { version: 2, exits }));
  open([position(1, { stepsDone: [50] })]);
  await userEvent.click(await screen.findByRole('button', { name: 'Exits of OTTR: –' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText('Sold in steps so far: +50 %.')).toBeVisible();
  await userEvent.type(dialog.getByLabelText('Trailing stop'), '25');
  await userEvent.type(dialog.getByLabelText('Longest time'), '0.1');
  await userEvent.type(dialog.getByLabelText('Slippage of exits'), '20');
  await userEvent.click(dialog.getByRole('button', { name: 'Add step' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Add step' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Add step' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Remove step 3' }));
  const rise = dialog.getByLabelText('Rise of step 2');
  await userEvent.clear(rise);
  await userEvent.type(rise, '50');
  await userEvent.clear(dialog.getByLabelText('Sells in step 2'));
  await userEvent.type(dialog.getByLabelText('Sells in step 2'), '25');
  await userEvent.click(dialog.getByRole('button', { name: 'Save Exits' }));
  expect(await dialog.findByText('Enter 0.2 to 43,200 min.')).toBeVisible();
  expect(dialog.getByText('Another step has this rise.')).toBeVisible();
  await userEvent.clear(dialog.getByLabelText('Longest time'));
  await userEvent.type(dialog.getByLabelText('Longest time'), '30');
  await userEvent.clear(rise);
  await userEvent.type(rise, '100');
  await userEvent.click(dialog.getByRole('button', { name: 'Save Exits' }));
  const shown = await screen.findByRole('button', { name: 'Exits of OTTR: trail 25 % / 30 min / 2 steps' });
  expect(shown).toHaveTextContent('trail 25 % / 30 min …');
  expect(sent(server, 'PATCH', `/api/trading/positions/${id(1)}`)).toEqual([exits]);
});

test('counts nothing of an earlier day as of today', async () => {
  const yesterday = { day: AT.slice(0, 10), realisedLamports: 12_000_000, feesLamports: 2_700_000, wins: 2, losses: 1 };
  server.answer(tradingCalls.profit, [yesterday]);
  const budget = account().budget;
  if (budget === null) throw new Error('an account without a budget');
  server.answer(tradingCalls.account, account({ budget: { ...budget, realisedLamports: 12_000_000 } }));
  vi.setSystemTime(Date.parse(AT) + DAY);
  open([position(1)]);
  await rows();
  await waitFor(() => expect(statCard('Fees today')).toHaveTextContent('0.0000 SOL'));
  expect(statCard('Realised today')).toHaveTextContent('0.0000 SOL');
  expect(statCard('Realised today')).toHaveTextContent('No sale today (UTC).');
});

test('counts the fees of an order that failed [T-04]', async () => {
  vi.setSystemTime(AT);
  const { store } = open([position(1)]);
  await waitFor(() => expect(statCard('Fees today')).toHaveTextContent('0.0000 SOL'));
  const fees = { day: AT.slice(0, 10), realisedLamports: 0, feesLamports: 105_000, wins: 0, losses: 0 };
  server.answer(tradingCalls.profit, [fees]);
  const failed = order(1, { status: 'failed', failure: reason('slippage', { slippageBps: 500 }), version: 4 });
  act(() => liveOf(store).receive({ event: 'order', payload: failed }));
  await waitFor(() => expect(statCard('Fees today')).toHaveTextContent('0.000105 SOL'));
});

test('shows the totals of today', async () => {
  vi.setSystemTime(AT);
  server.answer(tradingCalls.profit, [
    { day: AT.slice(0, 10), realisedLamports: 12_000_000, feesLamports: 2_700_000, wins: 2, losses: 1 },
  ]);
  const budget = account().budget;
  if (budget === null) throw new Error('an account without a budget');
  server.answer(tradingCalls.account, account({ budget: { ...budget, realisedLamports: 12_000_000 } }));
  open([position(1), position(2)]);
  await rows();
  expect(await screen.findByText('+0.0120 SOL')).toBeVisible();
  expect(await screen.findByText('+0.0200 SOL')).toBeVisible();
  expect(await screen.findByText('0.0027 SOL')).toBeVisible();
  expect(await screen.findByText('2 with a gain, 1 without.')).toBeVisible();
});

test('exports open and closed positions with exact figures [T-04]', async () => {
  const closed = position(3, {
    ...{ status: 'closed', tokens: '0', movedTokens: '1234567000' },
    ...{ closedAt: AT, value: null, realisedLamports: -1 },
  });
  open([position(1)], [closed]);
  await rows();
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:saved';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const [head, first, second] = ((await saved[0]?.text()) ?? '').split('\r\n');
  expect(head).toMatch(/^Opened,Closed,State,Token,/);
  expect(head).toContain(',Moved elsewhere (tokens),Held (tokens),');
  expect(first).toContain('0.100105,0,0,0.001355,0.1101155');
  expect(second).toContain('-0.000000001');
  expect(second).toContain(',1234.567,0,');
  vi.restoreAllMocks();
});

test('shows closed positions with what they brought', async () => {
  open(
    [],
    [position(3, { status: 'closed', closedAt: AT, proceedsLamports: 120_000_000, realisedLamports: 19_895_000 })],
  );
  await userEvent.click(await screen.findByRole('tab', { name: 'Closed' }));
  const table = within(await screen.findByRole('table', { name: 'Closed positions' }));
  expect(table.getByText('+0.0199 SOL')).toBeVisible();
});
