import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { configCalls } from '../../common/client-config/http.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { transaction, USER_ID } from './testing/fixtures.ts';
import TransactionsPage from './transactions-page.tsx';

const counterparty = '4k3DyjzvzpLhCGkHwvVr8WTjzvCzpVyXc8NmVyTzX7nP';
const rows: Transaction[] = [
  transaction(5, { status: 'pending', amount: 0.000000001, counterparty }),
  transaction(4, {
    type: 'buy',
    token: { address: counterparty, name: 'A coin with quite a long name', symbol: null },
    amount: 123_456.123456789,
    price: 0.00000000125,
    fee: 0.000005,
  }),
  transaction(3, { status: 'failed', counterparty, failure: 'The network did not take it in time; nothing was sent.' }),
  transaction(2, { type: 'transfer_in', counterparty }),
  transaction(1, { type: 'airdrop', cluster: 'devnet' }),
];

const server = fakeServerPerTest();

beforeEach(() => {
  const rpcUrl = 'http://127.0.0.1:8899';
  const chain = { cluster: 'local' as const, rpcUrl, wsUrl: 'ws://127.0.0.1:8900', faucet: true };
  server.answer(configCalls.get, { chain, botUsername: null });
  server.answer(transactionCalls.list, rows, { 'X-Total-Count': '5' });
});
afterEach(async () => {
  await page.viewport(1280, 800);
});

test.each([360, 768, 960, 1440])('fits everything into %i px without overflow', async (width) => {
  await page.viewport(width, 900);
  renderWithApp(<TransactionsPage />, { path: '/app/transactions', session: sessionUser({ id: USER_ID }) });
  await screen.findByRole('table', { name: 'Transactions' });
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  for (const text of ['Pending', 'Failed', 'Transfer in', 'Buy', 'A coin with quite a long name']) {
    await expect.element(page.getByText(text).first()).toBeVisible();
  }
  for (const link of screen.getAllByRole('link')) {
    const { left, right } = link.getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(width);
  }
});
