import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Token } from '../../../common/tokens/model.ts';
import {
  defaultPresets,
  noExits,
  tradingAccountChangeSchema,
  tradingAccountSchema,
} from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { type NewOrder, newOrderSchema, type Quote, type QuoteResponse } from '../../../common/trading/order.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { statsAtom } from '../../live/atoms/atoms.ts';
import { liveOf } from '../../live/live.ts';
import { stats, token } from '../../live/testing/build.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { findToast, holdResponse, sent } from '../../testing/page.ts';
import { type Rendered, renderWithApp } from '../../testing/render.tsx';
import { settle } from '../../testing/settle.ts';
import { useTradingEvents } from '../state/use-trading-events.ts';
import { AT, account, boughtOrder, fill, MINT, order, position, quote } from '../testing/fixtures.ts';
import { TradePanel } from './trade-panel.tsx';
import { QUOTE_FRESH_MS } from './use-quote.ts';

const server = fakeServerPerTest();

beforeEach(() => {
  server.answer(tradingCalls.account, account());
  server.answer(tradingCalls.positions, []);
  server.answer(tradingCalls.orders, []);
  server.answer(tradingCalls.createOrder, order(1));
  answerQuote();
});
afterEach(() => void vi.useRealTimers());

const coin = { ...token(1), address: MINT, name: 'Moon Otter', symbol: 'OTTR' };

function Page({ shown = coin }: { shown?: Token }) {
  useTradingEvents();
  return <TradePanel token={shown} />;
}

const BUY = 'Buy for 0.1 SOL · Local chain';
const buyButton = () => screen.findByRole('button', { name: BUY });
const orders = () => sent(server, 'POST', '/api/trading/orders').map((body) => newOrderSchema.parse(body));
const quoteQueries = () => server.requests.filter(({ path }) => path === '/api/trading/quote').map((one) => one.query);

/** Answers quote requests with a quote of these fields and, where given, a refusal. */
function answerQuote(fields: Partial<Quote> = {}, refusal: QuoteResponse['refusal'] = null): void {
  server.answer(tradingCalls.quote, { quote: quote(fields), refusal });
}

async function openReady(): Promise<Rendered> {
  const rendered = renderWithApp(<Page />);
  await screen.findByText(/^You get about/);
  return rendered;
}

/** Clicks the button of the form as soon as it is enabled, and returns the sent orders once there are `count`. */
async function place(name: string, count = 1): Promise<NewOrder[]> {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  await waitFor(() => expect(orders()).toHaveLength(count));
  return orders();
}

test('shows every cost of a purchase by name, and the most that leaves the wallet [T-02]', async () => {
  await openReady();
  expect(screen.getByText('You get about 3,402,118', { exact: false })).toHaveTextContent(
    'You get about 3,402,118 OTTR, at least 3,240,112 (5 %)',
  );
  expect(screen.getByText('Price impact 1.2 %')).toBeVisible();
  expect(screen.getByText(/^Launchpad fee/).closest('p')).toHaveTextContent(
    'Launchpad fee 0.00125 SOL · network 0.000005 · priority up to 0.0001 · tip none · account rent 0.00204 (comes back when you sell all)',
  );
  expect(screen.getByText('Leaves your wallet: at most 0.102145 SOL')).toBeVisible();
  expect(Object.fromEntries(quoteQueries()[0] ?? [])).toEqual({
    mode: 'local',
    address: MINT,
    side: 'buy',
    lamports: '100000000',
    slippageBps: '500',
    priorityMaxLamports: '1000000',
    tipLamports: '0',
  });
});

test('names the fee of the pool for a coin that left its curve', async () => {
  answerQuote({ venue: 'pool' });
  await openReady();
  expect(screen.getByText(/^Pool fee 0.00125 SOL/)).toBeVisible();
});

test('sends typed SOL as exact lamports, and a comma as a point', async () => {
  await openReady();
  const amount = screen.getByLabelText('Amount (SOL)');
  await userEvent.clear(amount);
  await userEvent.type(amount, '0,123456789');
  const [first] = await place('Buy for 0.123456789 SOL · Local chain');
  expect(first).toMatchObject({ side: 'buy', lamports: 123_456_789, slippageBps: 500, from: 'page' });
});

test('places one order for a double click, and shows it until it is bought [T-08]', async () => {
  const release = holdResponse(server, tradingCalls.createOrder);
  const { store } = await openReady();
  await userEvent.dblClick(await buyButton());
  expect(orders()).toHaveLength(1);
  await settle(async () => release(json(order(1))));
  expect(await screen.findByText('Waits for its turn.')).toBeVisible();
  act(() => liveOf(store).receive({ event: 'order', payload: boughtOrder(1) }));
  expect(await findToast('Bought OTTR')).toHaveTextContent(
    '3,402,118 OTTR for 0.102145 SOL with all costs, of which 0.002039 SOL of rent come back · Local chain',
  );
});

test('shows the end of an order whose event arrived before the response', async () => {
  const release = holdResponse(server, tradingCalls.createOrder);
  const { store } = await openReady();
  await userEvent.click(await buyButton());
  act(() => liveOf(store).receive({ event: 'order', payload: boughtOrder(1) }));
  await settle(async () => release(json(order(1))));
  expect(await findToast('Bought OTTR')).toBeVisible();
});

test('shows no quote of the mode before beside a button of the new one [T-01]', async () => {
  const { store } = await openReady();
  expect(await buyButton()).toBeEnabled();
  const release = holdResponse(server, tradingCalls.quote);
  act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ mode: 'paper', version: 2 }) }));
  expect(await screen.findByRole('button', { name: 'Buy for 0.1 SOL · Paper' })).toBeDisabled();
  expect(screen.queryByText(/^You get about/)).toBeNull();
  await waitFor(() => expect(quoteQueries().at(-1)?.get('mode')).toBe('paper'));
  await settle(async () => release(json({ quote: quote({ mode: 'paper' }), refusal: null })));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Buy for 0.1 SOL · Paper' })).toBeEnabled());
});

test('sends the mode that its button shows [T-01]', async () => {
  server.answer(tradingCalls.account, account({ mode: 'paper' }));
  server.fail(tradingCalls.createOrder, 'confirm-needed', 'Your trading mode has changed. Nothing was ordered.');
  await openReady();
  await place('Buy for 0.1 SOL · Paper');
  expect(await screen.findByText('Your trading mode has changed. Nothing was ordered.')).toBeVisible();
  expect(orders()).toMatchObject([{ mode: 'paper' }]);
});

test('asks for at least what the panel shows', async () => {
  await openReady();
  const [purchase] = await place(BUY);
  expect(purchase).toMatchObject({ least: '3240112000000' });
  answerQuote({ side: 'sell', leastTokens: null, leastLamports: 51_300_000 });
  await userEvent.click(screen.getByRole('button', { name: 'Sell' }));
  const [, sale] = await place('Sell 100 % · Local chain', 2);
  expect(sale).toMatchObject({ side: 'sell', least: '51300000' });
});

test('trades by no quote that could not be renewed', async () => {
  await openReady();
  expect(await buyButton()).toBeEnabled();
  server.fail(tradingCalls.quote, 'unavailable', 'The database is not reachable.');
  expect(await screen.findByText('The database is not reachable.')).toBeVisible();
  expect(await buyButton()).toBeDisabled();
});

test('trades by no quote that is older than 5 s', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  await openReady();
  const release = holdResponse(server, tradingCalls.quote);
  act(() => void vi.advanceTimersByTime(QUOTE_FRESH_MS - 500));
  expect(await buyButton()).toBeEnabled();
  act(() => void vi.advanceTimersByTime(500));
  expect(await buyButton()).toBeDisabled();
  expect(screen.getByText('These figures are old. Waiting for new ones.')).toBeVisible();
  await settle(async () => release(json({ quote: quote(), refusal: null })));
  await waitFor(async () => expect(await buyButton()).toBeEnabled());
});

test('repeats a call whose response was lost with the same id', async () => {
  let calls = 0;
  server.reply(tradingCalls.createOrder, () => {
    calls += 1;
    return calls === 1 ? Promise.reject(new TypeError('Failed to fetch')) : json(order(1));
  });
  await openReady();
  await userEvent.click(await buyButton());
  await screen.findByText('Waits for its turn.');
  const [first, second] = orders();
  expect(first?.clientId).toBe(second?.clientId);
});

/** Sets the stop loss of the purchase, percent. */
async function setStopLoss(percent: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'Set exits' }));
  fireEvent.change(await screen.findByLabelText('Stop loss'), { target: { value: percent } });
  await userEvent.click(screen.getByRole('button', { name: 'Set Exits' }));
}

describe('after a lost response', () => {
  const press = (count: number) => place(BUY, count).then(() => screen.findByText(/^No answer/));
  beforeEach(() => server.reply(tradingCalls.createOrder, () => Promise.reject(new TypeError('Failed to fetch'))));

  test('the same purchase by another quote is the same order, also while its position opens', async () => {
    const { store } = await openReady();
    await setStopLoss('20');
    await press(2);
    answerQuote({ leastTokens: '3240000000000' });
    act(() => liveOf(store).receive({ event: 'position', payload: position(1) }));
    expect(await screen.findByText(/^Exits of your position/)).toBeVisible();
    await waitFor(() => expect(screen.getByText(/^You get about/)).toHaveTextContent('at least 3,240,000 ('));
    await press(4);
    const [first, , third] = orders();
    expect(third?.least).not.toBe(first?.least);
    expect(third?.clientId).toBe(first?.clientId);
  });

  test('a purchase with other exits is another order', async () => {
    await openReady();
    await setStopLoss('20');
    await press(2);
    await setStopLoss('30');
    expect(screen.queryByText(/^No answer/)).toBeNull();
    await press(4);
    const [first, second, third] = orders();
    expect(second?.clientId).toBe(first?.clientId);
    expect(third?.exits?.stopLossPercent).toBe(30);
    expect(third?.clientId).not.toBe(first?.clientId);
  });
});

test('shows why an order failed', async () => {
  const failed = order(1, { status: 'failed', failure: reason('slippage', { slippageBps: 500 }), version: 2 });
  server.answer(tradingCalls.createOrder, failed);
  await openReady();
  await userEvent.click(await buyButton());
  expect(await findToast('OTTR not bought')).toHaveTextContent('The price moved beyond your limit of 5.0 %.');
});

test('shows the sentence of a refusal in place of the button', async () => {
  const refusal = reason('per-trade', { needsLamports: 102_144_280, limitLamports: 100_000_000 });
  answerQuote({}, refusal);
  await openReady();
  expect(
    await screen.findByText('0.10214428 SOL exceeds your limit of 0.1 SOL a trade, which counts all costs.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Buy for/ })).toBeNull();
});

test('shows the warning of the specification where no wallet is set [S2.7-15]', async () => {
  server.answer(tradingCalls.quote, { quote: null, refusal: reason('no-wallet') });
  renderWithApp(<Page />);
  expect(await screen.findByRole('note')).toHaveTextContent(
    'Buying and selling needs a wallet set in settings and runs through the bot.',
  );
  expect(screen.getByRole('link', { name: 'settings' })).toHaveAttribute('href', '/app/wallet');
});

test('sends warnings only after the user has confirmed them', async () => {
  answerQuote({ warnings: ['high-risk', 'no-exit'] });
  await openReady();
  expect(await buyButton()).toBeDisabled();
  expect(await buyButton()).toHaveAccessibleDescription("Tick 'Buy anyway' first.");
  await userEvent.click(screen.getByRole('checkbox', { name: 'Buy anyway' }));
  const [first] = await place(BUY);
  expect(first?.accept satisfies NewOrder['accept'] | undefined).toEqual(['high-risk', 'no-exit']);
});

test('sells a share of the held tokens, and shows their present value', async () => {
  server.answer(tradingCalls.positions, [position(1)]);
  server.answer(tradingCalls.createOrder, order(1, { side: 'sell' }));
  await openReady();
  expect(await screen.findByText(/You hold 3,402,118/)).toHaveTextContent('would return 0.1101 SOL ▲ +10.00%');
  const amounts = { tokens: '1701059000000', lamports: 54_000_000, totalLamports: 51_195_000 };
  answerQuote({ side: 'sell', ...amounts, leastTokens: null, leastLamports: 51_300_000 });
  await userEvent.click(screen.getByRole('button', { name: 'Sell' }));
  await userEvent.click(screen.getByRole('button', { name: 'P2 50 %' }));
  expect(await screen.findByText('Arrives in your wallet: at least 0.051195 SOL')).toBeVisible();
  const [sale] = await place('Sell 50 % · Local chain');
  expect(sale).toMatchObject({ side: 'sell', sharePercent: 50 });
});

/** An account whose third preset differs in every term. */
function withFastPreset(): void {
  const [first, second] = defaultPresets.buy;
  const fast = { lamports: 40_000_000, slippageBps: 1_500, priorityMaxLamports: 900_000, tipLamports: 20_000 };
  let stored = account({ presets: { ...defaultPresets, buy: [first, second, { ...fast, isProtected: true }] } });
  server.answer(tradingCalls.account, () => stored);
  server.answer(tradingCalls.changeAccount, ({ body }) => {
    const { presets } = tradingAccountChangeSchema.parse(body);
    stored = tradingAccountSchema.parse({
      ...stored,
      presets: { ...stored.presets, ...presets },
      version: stored.version + 1,
    });
    return stored;
  });
}

test('a preset carries amount, slippage, fees and protection into the order, and its choice is kept', async () => {
  withFastPreset();
  const { unmount } = await openReady();
  expect(screen.getByRole('button', { name: 'P2 0.1' })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(screen.getByRole('button', { name: 'P3 0.04' }));
  expect(screen.getByLabelText('Amount (SOL)')).toHaveValue('0.04');
  expect(screen.getByLabelText('Slippage (%)')).toHaveValue('15');
  expect(screen.getByText(/^P3: priority up to 0\.0009 SOL, tip 0\.00002 SOL, protected\./)).toBeVisible();
  const [first] = await place('Buy for 0.04 SOL · Local chain');
  const terms = { lamports: 40_000_000, slippageBps: 1_500, priorityMaxLamports: 900_000, tipLamports: 20_000 };
  expect(first).toMatchObject({ ...terms, isProtected: true });
  expect(quoteQueries().at(-1)?.get('tipLamports')).toBe('20000');
  expect(sent(server, 'PATCH', '/api/trading/account')).toEqual([{ presets: { chosenBuy: 2 } }]);
  unmount();
  renderWithApp(<Page />);
  expect(await screen.findByRole('button', { name: 'P3 0.04' })).toHaveAttribute('aria-pressed', 'true');
});

test('the chosen preset shows the typed slippage', async () => {
  await openReady();
  fireEvent.change(screen.getByLabelText('Slippage (%)'), { target: { value: '7,5' } });
  const { title } = screen.getByRole('button', { name: 'P2 0.1' });
  expect(title).toBe('slippage 7.5 %, priority up to 0.001 SOL, no tip');
});

test('a preset that is changed elsewhere changes nothing of the entered trade until it is pressed', async () => {
  const { store } = await openReady();
  const [first, second, third] = defaultPresets.buy;
  const changed = { ...second, lamports: 40_000_000, slippageBps: 1_500, tipLamports: 20_000, isProtected: true };
  const presets = { ...defaultPresets, buy: [first, changed, third] satisfies typeof defaultPresets.buy };
  act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ presets, version: 2 }) }));
  const button = await screen.findByRole('button', { name: 'P2 0.04' });
  expect(button).toHaveAttribute('aria-pressed', 'false');
  expect(screen.getByText(/^P2 before its change: priority up to 0\.001 SOL, no tip\./)).toBeVisible();
  const [sentOrder] = await place(BUY);
  expect(sentOrder).toMatchObject(second);
  await userEvent.click(button);
  expect(button).toHaveAttribute('aria-pressed', 'true');
  const [, newOrder] = await place('Buy for 0.04 SOL · Local chain', 2);
  expect(newOrder).toMatchObject(changed);
});

test('shows the wallet, dollars at a known rate alone, and enters the most that can be bought', async () => {
  const { store } = await openReady();
  const hint = () => screen.getByText(/^(≈ .* · )?Wallet /);
  expect(hint()).toHaveTextContent(/^Wallet 4 SOL$/);
  act(() => store.set(statsAtom, { ...stats(), solUsd: { rate: 150, at: AT, source: 'test' } }));
  expect(hint()).toHaveTextContent(/^≈ \$15 · Wallet 4 SOL$/);
  await userEvent.click(screen.getByRole('button', { name: 'Max' }));
  const [first] = await place('Buy for 0.9 SOL · Local chain');
  expect(first).toMatchObject({ lamports: 900_000_000 });
});

test('nothing can be entered where wallet and limits leave nothing', async () => {
  answerQuote({ mostLamports: 0 });
  await openReady();
  expect(screen.getByRole('button', { name: 'Max' })).toBeDisabled();
});

test('exits that are set before buying go with the order; the form places none when they are set', async () => {
  await openReady();
  expect(screen.getByText('Exits: none')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Set exits' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Exits of this purchase' }));
  await userEvent.type(dialog.getByLabelText('Stop loss'), '20');
  await userEvent.type(dialog.getByLabelText('Take profit'), '150');
  await userEvent.click(dialog.getByRole('button', { name: 'Set Exits' }));
  expect(await screen.findByText('Exits: −20 % / +150 %')).toBeVisible();
  expect(orders()).toEqual([]);
  const [first] = await place(BUY);
  expect(first?.exits).toEqual({ ...noExits, stopLossPercent: 20, takeProfitPercent: 150 });
});

test('a purchase that adds to a position leaves its exits', async () => {
  server.answer(tradingCalls.positions, [position(1, { exits: { ...noExits, stopLossPercent: 30 } })]);
  await openReady();
  expect(await screen.findByText('Exits of your position: −30 %')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Set exits' })).toBeNull();
  const [first] = await place(BUY);
  expect(first?.exits).toBeUndefined();
});

test('sells the initial of a position', async () => {
  server.answer(tradingCalls.positions, [position(1)]);
  server.answer(tradingCalls.createOrder, order(1, { side: 'sell' }));
  await openReady();
  answerQuote({
    side: 'sell',
    tokens: '3000000000000',
    lamports: 101_000_000,
    leastTokens: null,
    leastLamports: 95_000_000,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Sell the initial' }));
  const [sale] = await place('Sell the initial · Local chain');
  expect(sale).toMatchObject({ side: 'sell', initial: true, positionId: position(1).id, least: '95000000' });
  expect(sale?.sharePercent).toBeUndefined();
  expect(quoteQueries().at(-1)?.get('initial')).toBe('true');
});

test.each([
  [
    { value: { lamports: 90_000_000, unknown: null, profitLamports: -10_105_000, price: null, supply: null, at: AT } },
    'All of this position returns 0.09 SOL after fees, less than the 0.100105 SOL still to return.',
  ],
  [{ proceedsLamports: 100_105_000 }, 'Your sales of this position have returned what you paid for it.'],
])('the initial of %j is not for sale, with the reason', async (fields, text) => {
  const { value } = position(1);
  server.answer(tradingCalls.positions, [position(1, { value, ...fields })]);
  await openReady();
  expect(await screen.findByRole('button', { name: 'Sell the initial' })).toBeDisabled();
  expect(screen.getByText(text)).toBeVisible();
});

test('shows the price paid and the price now with their market caps', async () => {
  server.answer(tradingCalls.positions, [position(1)]);
  const { store } = await openReady();
  act(() => store.set(statsAtom, { ...stats(), solUsd: { rate: 150, at: AT, source: 'test' } }));
  expect(await screen.findByTitle('Prices in SOL for one token, with their market cap')).toHaveTextContent(
    /^Entry .+ \(\$4\.3K\) · price now .+ \(\$4\.8K\)$/,
  );
});

test('the toast of a sale waits for its profit', async () => {
  server.answer(tradingCalls.positions, [position(1)]);
  const sale = order(1, { side: 'sell', lamports: null, tokens: '1701059000000' });
  server.answer(tradingCalls.createOrder, sale);
  const { store } = await openReady();
  answerQuote({ side: 'sell', leastTokens: null, leastLamports: 51_300_000 });
  await userEvent.click(screen.getByRole('button', { name: 'Sell' }));
  await place('Sell 100 % · Local chain');
  const filled = fill();
  const decided = {
    ...{ ...boughtOrder(1), ...{ side: 'sell' as const, lamports: null } },
    fill: { ...filled, costs: { ...filled.costs, accountRentLamports: 0 } },
  };
  act(() => liveOf(store).receive({ event: 'order', payload: { ...decided, isClosed: false, version: 4 } }));
  expect(screen.queryByText('Sold OTTR')).toBeNull();
  act(() => liveOf(store).receive({ event: 'order', payload: { ...decided, profitLamports: 12_300_000, version: 5 } }));
  expect(await findToast('Sold OTTR')).toHaveTextContent(/ SOL after fees\. Profit \+0\.0123 SOL \(\+14\.0 %\)/);
});

test('shows why the value of held tokens is unknown', async () => {
  const value = {
    lamports: null,
    unknown: reason('no-depth'),
    profitLamports: null,
    price: null,
    supply: null,
    at: AT,
  };
  server.answer(tradingCalls.positions, [position(1, { value })]);
  await openReady();
  const line = await screen.findByText(/^You hold/);
  expect(line).toHaveTextContent('would return – (The depth of its market is unknown)');
});

test('says that trading is switched off', async () => {
  server.answer(tradingCalls.account, account({ server: 'off', modes: [], mode: null, budget: null }));
  renderWithApp(<Page />);
  expect(await screen.findByText(/orders can't be placed on this server/)).toBeVisible();
});

test('lists earlier orders of the token, each with its costs on request', async () => {
  const failed = order(3, { status: 'failed', failure: reason('expired'), version: 4 });
  server.answer(tradingCalls.orders, [boughtOrder(4), failed, boughtOrder(2), boughtOrder(1)]);
  await openReady();
  const list = within(await screen.findByRole('region', { name: 'Your orders of this token' }));
  expect(list.getAllByRole('listitem')).toHaveLength(3);
  expect(list.getByText('No block took the transaction before it expired.')).toBeVisible();
  await userEvent.click(list.getByRole('button', { name: 'Show all 4' }));
  expect(list.getAllByRole('listitem')).toHaveLength(4);
  const [newest] = list.getAllByRole('button', { name: 'Details' });
  await userEvent.click(newest ?? document.body);
  const dialog = within(await screen.findByRole('dialog', { name: 'Purchase of OTTR' }));
  expect(dialog.getByText('Account rent (comes back when you sell all)')).toBeVisible();
  expect(dialog.getByText('0.00204 SOL')).toBeVisible();
});

describe('a coin that cannot be bought says so in place of the amounts', () => {
  const amounts = () => screen.queryByLabelText('Amount (SOL)');

  test('by its own fields, without a quote, and can still be sold', async () => {
    renderWithApp(<Page shown={{ ...coin, stage: 'pool' }} />);
    expect(await screen.findByText('This simulated coin cannot be put on the local chain.')).toBeVisible();
    expect(amounts()).toBeNull();
    expect(screen.queryByRole('button', { name: /^Buy for/ })).toBeNull();
    expect(quoteQueries()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Sell' }));
    expect(screen.getByLabelText('Share of your tokens (%)')).toBeVisible();
    expect(screen.queryByText('This simulated coin cannot be put on the local chain.')).toBeNull();
  });

  test('by the reason of its quote', async () => {
    server.answer(tradingCalls.quote, { quote: null, refusal: reason('in-pool') });
    renderWithApp(<Page />);
    expect(await screen.findByText(/^The coin trades in a pool\./)).toBeVisible();
    expect(amounts()).toBeNull();
    expect(screen.queryByRole('button', { name: /^Buy for/ })).toBeNull();
  });
});
