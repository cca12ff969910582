import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { configCalls } from '../../common/client-config/http.ts';
import type { ChainCluster } from '../../common/client-config/model.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { holdResponse } from '../testing/page.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { boughtOrder, costs, fill } from '../trading/testing/fixtures.ts';
import { userKeys } from '../users/user-cache.ts';
import { transaction, USER_ID } from './testing/fixtures.ts';
import TransactionsPage from './transactions-page.tsx';

const server = fakeServerPerTest();
let stored: Transaction[];
/** Delays the server's response. */
let gate: Promise<void>;

beforeEach(() => {
  gate = Promise.resolve();
  stored = [];
  useCluster('local');
  // As the server responds: filtered, newest first, after the cursor.
  server.reply(transactionCalls.list, async ({ query }) => {
    if (query.has('before')) await gate;
    const type = query.get('type');
    const status = query.get('status');
    const found = stored.filter((one) => (!type || one.type === type) && (!status || one.status === status));
    const before = query.get('before')?.split('_')[1];
    const start = before === undefined ? 0 : found.findIndex((one) => one.id === before) + 1;
    const page = found.slice(start, start + Number(query.get('limit')));
    return json(transactionCalls.list.output.parse(page), 200, { 'X-Total-Count': String(found.length) });
  });
});

function useCluster(cluster: ChainCluster): void {
  const rpcUrl = 'http://127.0.0.1:8899';
  server.answer(configCalls.get, {
    chain: { cluster, rpcUrl, wsUrl: 'ws://127.0.0.1:8900', faucet: true },
    botUsername: null,
  });
}

const open = () =>
  renderWithApp(<TransactionsPage />, { path: '/app/transactions', session: sessionUser({ id: USER_ID }) });
const table = () => screen.findByRole('table', { name: 'Transactions' });
const bodyRows = async () =>
  within(await table())
    .getAllByRole('row')
    .slice(1);

test("has the title 'Transactions' and a refresh button that fetches again [S2.11-01]", async () => {
  open();
  expect(document.title).toBe('Transactions · Mintwatch');
  expect(await screen.findByText('No Transactions')).toBeVisible();
  stored = [transaction(1)];
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await bodyRows()).toHaveLength(1);
});

test('has the columns Token, Type, Amount, Price, Status, Date and an explorer link [S2.11-02, S3-50]', async () => {
  const token = { address: 'MintAddress', name: 'Bonk Coin', symbol: 'BONK' };
  stored = [
    transaction(2, { type: 'buy', token, amount: 0.25, price: 0.00000125, fee: 0.000005 }),
    transaction(1, { amount: 1.5 }),
  ];
  open();
  const names = within(await table())
    .getAllByRole('columnheader')
    .map((cell) => cell.textContent);
  expect(names).toEqual(['Token', 'Type', 'Amount', 'Price', 'Status', 'Date', 'Explorer']);
  const [bought, sent] = await bodyRows();
  expect(bought).toHaveTextContent('BONK');
  expect(bought).toHaveTextContent('Buy');
  expect(bought).toHaveTextContent('−0.25 SOL');
  expect(bought).toHaveTextContent('fee 0.000005');
  expect(bought).toHaveTextContent('0.0₅1250 SOL');
  expect(sent).toHaveTextContent('SOL');
  expect(sent).toHaveTextContent('Transfer out');
  expect(sent).toHaveTextContent('−1.5 SOL');
  const date = sent?.querySelector('time');
  expect(date).toHaveAttribute('datetime', transaction(1).createdAt);
});

test('a sale shows its profit, once that is known', async () => {
  const sale = { type: 'sell', amount: 0.25, price: 0.00000125 } as const;
  stored = [transaction(2, { ...sale, profit: -0.0123 }), transaction(1, sale)];
  open();
  const [known, unknown] = await bodyRows();
  expect(known).toHaveTextContent('profit −0.0123 SOL');
  expect(unknown).not.toHaveTextContent('profit');
});

test('shows a spinner while loading, then the empty state with its hint [S2.11-03]', async () => {
  const respond = holdResponse(server, transactionCalls.list);
  open();
  const status = await screen.findByText('Loading transactions');
  expect(status.querySelector('svg')).toHaveClass('animate-spin');
  act(() => respond(json([], 200, { 'X-Total-Count': '0' })));
  expect(await screen.findByText('No Transactions')).toBeVisible();
  expect(screen.getByText(/You haven't made any transactions yet\./)).toBeVisible();
  expect(screen.getByText(/Set up auto-buy rules or use the bot/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Set Up Auto-Buy Rules' })).toHaveAttribute('href', '/app/auto-buy');
  expect(screen.queryByText('Loading transactions')).toBeNull();
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeDisabled();
});

test("shows exactly the server's rows and no sample row [S2.11-04]", async () => {
  stored = [transaction(2), transaction(1)];
  open();
  expect(await bodyRows()).toHaveLength(2);
  expect(screen.getByText('2 transactions')).toBeVisible();
});

test.each<[ChainCluster, string | null]>([
  ['devnet', 'cluster=devnet'],
  ['testnet', 'cluster=testnet'],
  ['mainnet', 'cluster=mainnet-beta'],
])('the explorer link follows the cluster: %s [S2.11-04]', async (cluster, query) => {
  useCluster(cluster);
  stored = [transaction(1, { cluster })];
  open();
  const link = await screen.findByRole('link', { name: 'View on explorer' });
  expect(link).toHaveAttribute('href', `https://explorer.solana.com/tx/${stored[0]?.signature}?${query}`);
  expect(link).toHaveAttribute('target', '_blank');
});

test("a transaction of the local chain opens on the product's own explorer [S2.11-04]", async () => {
  useCluster('local');
  stored = [transaction(1, { cluster: 'local' })];
  open();
  const link = await screen.findByRole('link', { name: 'View on explorer' });
  expect(link).toHaveAttribute('href', `/app/explorer/tx/${stored[0]?.signature}`);
});

test('a transaction of a chain no longer in use has no link and shows the reason', async () => {
  useCluster('devnet');
  stored = [transaction(1, { cluster: 'local' })];
  open();
  expect(await screen.findByText('On another network')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'View on explorer' })).toBeNull();
});

test('a buy opens its order, with every attempt and cost [T-06]', async () => {
  const bought = boughtOrder(1, { fill: fill({ costs: { ...costs(), launchpadFeeLamports: null } }) });
  server.answer(tradingCalls.order, bought);
  const token = { address: bought.token.address, name: 'Moon Otter', symbol: 'OTTR' };
  stored = [
    transaction(2, { type: 'buy', token, amount: 0.1, price: 2e-8, fee: 0.000105, orderId: bought.id }),
    transaction(1),
  ];
  open();
  // With the links, the rows are complete.
  await screen.findAllByRole('link', { name: 'View on explorer' });
  const [buy, transfer] = await bodyRows();
  expect(buy).toHaveTextContent('Buy');
  expect(buy).toHaveTextContent('fee 0.000105');
  expect(transfer).not.toHaveTextContent('Details');
  await userEvent.click(screen.getByRole('button', { name: 'Details' }));
  const dialog = await screen.findByRole('dialog', { name: 'Purchase of OTTR' });
  const fee = within(dialog).getByText('Launchpad or pool fee');
  expect(fee.nextElementSibling).toHaveTextContent('Unknown, part of the price');
  expect(within(dialog).getByText('Network').nextElementSibling).toHaveTextContent('0.000005 SOL');
  const figure = (label: string) => within(dialog).getByText(label).nextElementSibling;
  expect(figure('Average price, without fees')).toHaveTextContent('0.0₇2900 SOL');
  expect(figure('Left the wallet in total')).toHaveTextContent('0.10214428 SOL');
  expect(within(dialog).getByText(/^1\. Landed/)).toBeVisible();
});

test('a trade on paper has no link', async () => {
  stored = [transaction(1, { type: 'buy', cluster: null, signature: 'paper:order:1', orderId: boughtOrder(1).id })];
  open();
  expect(await screen.findByText('Paper')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'View on explorer' })).toBeNull();
});

test('shows a word for each status, Unknown for others, and the reason of a failure [S3-51]', async () => {
  const failure = 'The network did not take it in time; nothing was sent.';
  const rows: unknown[] = [
    transaction(4, { status: 'confirmed' }),
    transaction(3, { status: 'pending' }),
    transaction(2, { status: 'failed', failure }),
    { ...transaction(1), status: 'dropped' },
  ];
  server.reply(transactionCalls.list, () => json(rows, 200, { 'X-Total-Count': '4' }));
  open();
  const found = await bodyRows();
  for (const [at, word] of ['Confirmed', 'Pending', 'Failed', 'Unknown'].entries()) {
    expect(found[at]).toHaveTextContent(word);
  }
  expect(screen.getByText(failure)).toBeVisible();
});

test('updates a changed transaction in place and keeps the loaded pages', async () => {
  stored = Array.from({ length: 60 }, (_, number) => transaction(60 - number, { status: 'confirmed' }));
  stored[55] = transaction(5, { status: 'pending' });
  const { store } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  await waitFor(async () => expect(await bodyRows()).toHaveLength(60));
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect((await bodyRows())[55]).toHaveTextContent('Pending');
  stored[55] = transaction(5, { status: 'confirmed' });
  stored.unshift(transaction(61, { type: 'transfer_in' }));
  // As useUserEvents does on this event.
  act(() => void store.get(queryClientAtom).invalidateQueries({ queryKey: userKeys.transactions(USER_ID) }));
  expect(await screen.findByText('Transfer in')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Pending')).toBeNull());
  expect(await bodyRows()).toHaveLength(61);
});

test('filters by type and status, and shows when nothing matches', async () => {
  stored = [transaction(3, { type: 'airdrop' }), transaction(2, { status: 'failed' }), transaction(1)];
  open();
  expect(await bodyRows()).toHaveLength(3);
  await choose('Type', 'Test SOL');
  await waitFor(async () => expect(await bodyRows()).toHaveLength(1));
  await choose('Status', 'Failed');
  expect(await screen.findByText('No Matching Transactions')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show All' }));
  await waitFor(async () => expect(await bodyRows()).toHaveLength(3));
});

async function choose(label: string, option: string): Promise<void> {
  screen.getByRole('combobox', { name: label }).focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(await screen.findByRole('option', { name: option }));
}

test('shows an error with a retry when loading fails, and keeps the list when a refresh fails', async () => {
  server.fail(transactionCalls.list, 'unavailable');
  const { store } = open();
  expect(await screen.findByText('Error Loading Transactions')).toBeVisible();
  expect(screen.queryByText('No Transactions')).toBeNull();
  server.answer(transactionCalls.list, [transaction(1)]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await bodyRows()).toHaveLength(1);
  server.fail(transactionCalls.list, 'unavailable');
  act(() => void store.get(queryClientAtom).invalidateQueries({ queryKey: userKeys.transactions(USER_ID) }));
  expect(await screen.findByText('This list may be out of date')).toBeVisible();
  expect(await bodyRows()).toHaveLength(1);
});

test('exports all pages, however few are shown, and shows the progress', async () => {
  stored = Array.from({ length: 1_100 }, (_, number) => transaction(1_100 - number));
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return 'blob:saved';
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  open();
  let openGate = (): void => undefined;
  gate = new Promise((resolve) => {
    openGate = resolve;
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('500 of 1,100')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Export CSV' })).toHaveAttribute('aria-busy', 'true');
  openGate();
  await waitFor(() => expect(saved).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText(/of 1,100/)).toBeNull());
  const lines = ((await saved[0]?.text()) ?? '').split('\r\n');
  expect(lines).toHaveLength(1_101);
  expect(lines[0]).toMatch(/^Date,Type,Status,Token,/);
  expect(lines.at(-1)).toContain(transaction(1).signature);
  expect(click).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

test('reports a failed export and saves nothing', async () => {
  stored = [transaction(1)];
  open();
  await table();
  server.fail(transactionCalls.list, 'unavailable');
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('Export failed')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Export CSV' })).toBeEnabled();
});
