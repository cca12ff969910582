import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { SessionUser } from '../../common/auth/model.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { findToast, holdResponse } from '../testing/page.ts';
import type { Rendered } from '../testing/render.tsx';
import { openSettings, openTab } from './testing/settings-page.tsx';

const server = fakeServerPerTest();

const clean = () => screen.getByRole('button', { name: /Clean Mock Tokens|Cleaning\.\.\./ });

async function confirm(): Promise<void> {
  await userEvent.click(clean());
  const question = within(screen.getByRole('alertdialog'));
  await userEvent.click(question.getByRole('button', { name: 'Clean Mock Tokens' }));
}

async function openMaintenance(session: Partial<SessionUser> = { isAdmin: true }): Promise<Rendered> {
  const rendered = await openSettings(server, { session });
  await openTab('Maintenance');
  return rendered;
}

test('has the destructive button and its warning [S2.8-09]', async () => {
  await openMaintenance();
  expect(screen.getByText('System Maintenance')).toBeInTheDocument();
  expect(screen.getByRole('note')).toHaveTextContent('removes all mock/test tokens');
  expect(screen.getByRole('note')).toHaveTextContent('cannot be undone');
  expect(clean().className).toContain('bg-down');
});

test('the button is disabled for other users, with the reason [S2.8-09]', async () => {
  await openMaintenance({ isAdmin: false });
  expect(clean()).toBeDisabled();
  expect(clean()).toHaveAccessibleDescription(/Only administrators/);
});

test("shows 'Cleaning...' while it runs, and is enabled after success [S2.8-10, S4-16]", async () => {
  await openMaintenance();
  const respond = holdResponse(server, maintenanceCalls.cleanupMockTokens);
  await confirm();
  await waitFor(() => expect(clean()).toHaveTextContent('Cleaning...'));
  expect(clean()).toBeDisabled();
  await openTab('Wallet');
  await openTab('Maintenance');
  expect(clean()).toBeDisabled();
  respond(json({ message: 'Removed 3 simulated tokens.', count: 0 }));
  await waitFor(() => expect(clean()).toBeEnabled());
  expect(clean()).toHaveTextContent('Clean Mock Tokens');
});

test("shows the server's message, or the count without one [S8.4-06]", async () => {
  await openMaintenance();
  server.answer(maintenanceCalls.cleanupMockTokens, { message: 'Removed 3 simulated tokens.', count: 0 });
  await confirm();
  expect(await screen.findByText('Cleanup Complete')).toBeInTheDocument();
  expect(screen.getByText('Removed 3 simulated tokens.')).toBeInTheDocument();
  server.answer(maintenanceCalls.cleanupMockTokens, { message: '', count: 0 });
  await confirm();
  expect(await screen.findByText('Successfully cleaned up 0 mock tokens')).toBeInTheDocument();
});

test('refetches the lists and shows that they were refreshed [S8.4-07, S7.3-03]', async () => {
  const { store } = await openMaintenance();
  const client = store.get(queryClientAtom);
  const keys = [tokenCalls.list, tokenCalls.new, tokenCalls.earlyLiquidity].map(({ path }) => [path]);
  for (const key of keys) client.setQueryData(key, []);
  server.answer(maintenanceCalls.cleanupMockTokens, { message: '', count: 3 });
  await confirm();
  await screen.findByText('Successfully cleaned up 3 mock tokens');
  expect(await screen.findByText('Data Refreshed')).toBeInTheDocument();
  expect(screen.getByText('The token list has been refreshed with real tokens only.')).toBeInTheDocument();
  await waitFor(() => expect([tokenCalls.list, tokenCalls.new].map((call) => server.count(call))).toEqual([1, 1]));
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
});

test('shows a failure in red and enables the button [S8.4-05, S4-16]', async () => {
  await openMaintenance();
  server.fail(maintenanceCalls.cleanupMockTokens, 'internal');
  await confirm();
  const toast = await findToast('Cleanup Failed');
  expect(toast).toHaveTextContent('Failed to clean up mock tokens. Please try again.');
  expect(toast).toHaveAttribute('data-variant', 'destructive');
  await waitFor(() => expect(clean()).toBeEnabled());
});
