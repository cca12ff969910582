import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { DirectAdmin } from '../../common/maintenance/model.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { findToast, holdResponse } from '../testing/page.ts';
import { renderWithApp } from '../testing/render.tsx';
import DirectAdminPage from './direct-admin-page.tsx';

const KEY = 'a direct admin key of tests';
const on: DirectAdmin = {
  enabled: true,
  scanners: [
    { name: 'Chain scanner', state: 'running', lastRunAt: '2026-02-03T04:05:06.000Z' },
    { name: 'Social-feed scanner', state: 'off', lastRunAt: null },
  ],
};
const server = fakeServerPerTest();

beforeEach(() => server.answer(maintenanceCalls.directAdmin, on));

/** Opens the page without a session, which it does not need. */
async function open(): Promise<void> {
  renderWithApp(<DirectAdminPage />, { path: '/direct-admin', session: null });
  await screen.findByText('Chain scanner');
}

async function press(label: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: label }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: label }));
}

const keyField = () => screen.getByLabelText('Admin key');

test("shows 'Always Running' and the current state of each scanner [S2.14-01]", async () => {
  await open();
  const [chain, social] = screen.getAllByRole('listitem').filter((item) => item.textContent.includes('scanner'));
  expect(chain).toHaveTextContent(/Chain scanner.*Always Running.*Running now/);
  expect(social).toHaveTextContent(/Social-feed scanner.*Always Running.*Switched off/);
});

test('shows an error with a retry button when the state is unknown [S2.14-01]', async () => {
  server.fail(maintenanceCalls.directAdmin, 'unavailable');
  renderWithApp(<DirectAdminPage />, { session: null });
  expect(await screen.findByText('The state of the scanners is unknown')).toBeVisible();
  expect(screen.queryByText('Always Running')).toBeNull();
  server.answer(maintenanceCalls.directAdmin, on);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Chain scanner')).toBeVisible();
});

test('states that it bypasses session authentication for testing [S2.14-03]', async () => {
  await open();
  expect(screen.getByText(/bypasses session authentication for testing/)).toBeVisible();
});

test('asks for confirmation, then sends the entered key, which is stored nowhere [S2.14-02, S2.14-04]', async () => {
  server.answer(maintenanceCalls.cleanupMockTokens, { message: 'Successfully cleaned up 12 mock tokens', count: 12 });
  server.answer(maintenanceCalls.cleanupInvalidTokens, { message: '', count: 1 });
  server.answer(maintenanceCalls.runMultiSourceAggregator, { message: 'Asking 4 sources.', started: true });
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Remove Mock Tokens' }));
  await waitFor(() => expect(keyField()).toHaveAccessibleDescription('Please enter the admin key.'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(keyField()).toHaveAttribute('type', 'password');
  await userEvent.type(keyField(), KEY);

  await press('Remove Mock Tokens');
  expect(await findToast('Cleanup completed')).toHaveTextContent('Successfully cleaned up 12 mock tokens');
  await press('Deep Clean All Invalid Tokens');
  await waitFor(async () => expect(await findToast('Cleanup completed')).toHaveTextContent('Removed 1 token.'));
  await press('Run Token Aggregator');
  expect(await findToast('Aggregator Scan Started')).toHaveTextContent('Asking 4 sources.');

  const posts = server.requests.filter(({ method }) => method === 'POST');
  expect(posts.map(({ path }) => path)).toEqual([
    maintenanceCalls.cleanupMockTokens.path,
    maintenanceCalls.cleanupInvalidTokens.path,
    maintenanceCalls.runMultiSourceAggregator.path,
  ]);
  for (const { headers, body } of posts) {
    expect(headers.get('X-Admin-Key')).toBe(KEY);
    expect(JSON.stringify(body ?? null)).not.toContain(KEY);
  }
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(KEY);
});

test('reports an aggregator that did not start [S2.14-02]', async () => {
  server.answer(maintenanceCalls.runMultiSourceAggregator, { message: 'No source is configured.', started: false });
  await open();
  await userEvent.type(keyField(), KEY);
  await press('Run Token Aggregator');
  expect(await findToast('Multi-Source Aggregator Failed')).toHaveTextContent('No source is configured.');
});

test('runs one action at a time [S2.14-02]', async () => {
  holdResponse(server, maintenanceCalls.cleanupMockTokens);
  await open();
  await userEvent.type(keyField(), KEY);
  await press('Remove Mock Tokens');
  expect(screen.getByRole('button', { name: 'Remove Mock Tokens' })).toHaveAttribute('aria-busy', 'true');
  expect(screen.getByRole('button', { name: 'Deep Clean All Invalid Tokens' })).toBeDisabled();
});

test('shows that direct access is switched off without DIRECT_ADMIN_KEY [S2.14-05]', async () => {
  server.answer(maintenanceCalls.directAdmin, { ...on, enabled: false });
  await open();
  expect(screen.getByText('Direct access is switched off')).toBeVisible();
  expect(screen.queryByLabelText('Admin key')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Remove Mock Tokens' })).toBeNull();
});

test.each([
  ['the server sends no message', () => json({}, 500), 'Server error: 500'],
  ['the response is not JSON', () => new Response('<html>', { status: 502 }), 'Unable to parse error response'],
  [
    'the server sends a message',
    () => json({ error: 'This is running already.', code: 'already-running' }, 409),
    'This is running already.',
  ],
  [
    'the key is wrong',
    () => json({ error: 'Please log in to continue.', code: 'unauthenticated' }, 401),
    'The server did not accept this admin key.',
  ],
] as const)('shows the error when %s [S8.7-10, S2.14-04]', async (_case, reply, text) => {
  await open();
  server.reply(maintenanceCalls.cleanupMockTokens, reply);
  await userEvent.type(keyField(), KEY);
  await press('Remove Mock Tokens');
  const toast = await findToast('Cleanup failed');
  expect(toast).toHaveTextContent(text);
  expect(toast).toHaveAttribute('data-variant', 'destructive');
  expect(keyField()).toHaveValue(KEY);
});

test('reports a key that no header can carry as a wrong key, not as an unreachable server', async () => {
  await open();
  server.answer(maintenanceCalls.cleanupMockTokens, { message: 'Removed 0 tokens.', count: 0 });
  await userEvent.type(keyField(), 'ключ-ключ-ключ-ключ-ключ');
  await press('Remove Mock Tokens');
  expect(await findToast('Cleanup failed')).toHaveTextContent('The server did not accept this admin key.');
});
