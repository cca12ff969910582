import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { configCalls } from '../../common/client-config/http.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { RecentTransactions } from './recent-transactions.tsx';
import { transaction, USER_ID } from './testing/fixtures.ts';

const server = fakeServerPerTest();

beforeEach(() => server.answer(configCalls.get, { chain: null, botUsername: null }));

const show = () => renderWithApp(<RecentTransactions />, { session: sessionUser({ id: USER_ID }) });

test("shows 'No Recent Transactions' when there are none [S8.3-02]", async () => {
  server.answer(transactionCalls.list, []);
  show();
  expect(screen.getByText('Loading transactions')).toBeVisible();
  expect(await screen.findByText('No Recent Transactions')).toBeVisible();
});

test("lists the user's latest ten, with a link to all of them [S2.5-12]", async () => {
  const all = Array.from({ length: 30 }, (_, number) => transaction(30 - number));
  server.answer(transactionCalls.list, ({ params, query }) => {
    expect(params).toEqual({ userId: USER_ID });
    return all.slice(0, Number(query.get('limit')));
  });
  show();
  const table = within(await screen.findByRole('table', { name: 'Recent Transactions' }));
  expect(table.getAllByRole('row').slice(1)).toHaveLength(10);
  expect(screen.getByRole('link', { name: 'All transactions' })).toHaveAttribute('href', '/app/transactions');
});

test('shows an error, not an empty list, when loading fails', async () => {
  server.fail(transactionCalls.list, 'unavailable');
  show();
  expect(await screen.findByText('Error Loading Transactions')).toBeVisible();
  expect(screen.queryByText('No Recent Transactions')).toBeNull();
});
