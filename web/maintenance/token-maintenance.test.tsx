import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { liveOf } from '../live/live.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { card, findToast, holdResponse, sent } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { run } from './testing/fixtures.ts';
import { TokenMaintenance } from './token-maintenance.tsx';

const server = fakeServerPerTest();

beforeEach(() => server.answer(maintenanceCalls.runs, []));

async function open(): Promise<Rendered> {
  const rendered = renderWithApp(<TokenMaintenance />, { session: sessionUser({ username: 'ann', isAdmin: true }) });
  await waitFor(() => expect(server.count(maintenanceCalls.runs)).toBeGreaterThan(0));
  // The page shows the runs once they are cached.
  await waitFor(() =>
    expect(rendered.store.get(queryClientAtom).getQueryData([maintenanceCalls.runs.path])).toBeDefined(),
  );
  return rendered;
}

const button = (title: string, name = title) => within(card(title)).getByRole('button', { name });

/** Presses the button of a card once it is enabled: it is a render later than the toast of the change before. */
async function press(title: string, name = title): Promise<void> {
  await waitFor(() => expect(button(title, name)).toBeEnabled());
  await userEvent.click(button(title, name));
}

/** Presses the button of a card and confirms. */
async function confirm(title: string): Promise<void> {
  await press(title);
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: title }));
}

test('shows five cards with buttons, and the hours of recent tokens [S2.13-07]', async () => {
  await open();
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Clean Mock Tokens',
    'Clean Invalid Tokens',
    'Reset Token Database',
    'Clean Recent Tokens',
    'Force Token Scan',
  ]);
  expect(button('Force Token Scan', 'Run Token Aggregator')).toBeEnabled();
  expect(within(card('Clean Recent Tokens')).getByRole('textbox', { name: 'Hours' })).toHaveValue('24');
});

test('shows the criteria of runners and of Might Run [S4-07]', async () => {
  await open();
  expect(card('Force Token Scan')).toHaveTextContent(/Runners.* growth score above 30/);
  expect(card('Force Token Scan')).toHaveTextContent(/Might Run.* market cap above 400K/);
});

test.each([
  ['Clean Mock Tokens', maintenanceCalls.cleanupMockTokens],
  ['Clean Invalid Tokens', maintenanceCalls.cleanupInvalidTokens],
  ['Clean Recent Tokens', maintenanceCalls.cleanupRecentTokens],
] as const)(
  '%s asks for confirmation, then shows the count, or the failure with a hint [S8.7-13, S8.7-05]',
  async (title, call) => {
    await open();
    server.answer(call, { message: 'Successfully cleaned up 12 tokens', count: 12 });
    await userEvent.click(button(title));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(server.count(call)).toBe(0);
    await confirm(title);
    expect(await findToast('Cleanup completed')).toHaveTextContent('Successfully cleaned up 12 tokens');
    server.answer(call, { message: '', count: 1 });
    await confirm(title);
    await waitFor(async () => expect(await findToast('Cleanup completed')).toHaveTextContent('Removed 1 token.'));
    server.fail(call, 'forbidden');
    await confirm(title);
    const toast = await findToast('Cleanup failed');
    expect(toast).toHaveTextContent(
      "You don't have permission to access this resource. Make sure that you are logged in as an admin.",
    );
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    await waitFor(() => expect(button(title)).toBeEnabled());
  },
);

test('accepts 1 to 168 hours; text that is not a number counts as 24 [S5-26]', async () => {
  await open();
  server.answer(maintenanceCalls.cleanupRecentTokens, { message: 'done', count: 0 });
  const hours = within(card('Clean Recent Tokens')).getByRole('textbox', { name: 'Hours' });
  async function type(text: string): Promise<void> {
    await userEvent.clear(hours);
    if (text !== '') await userEvent.type(hours, text);
    await press('Clean Recent Tokens');
  }
  for (const [text, message] of [
    ['0', 'Hours must be at least 1.'],
    ['169', 'Hours must be at most 168.'],
  ] as const) {
    await type(text);
    await waitFor(() => expect(hours).toHaveAccessibleDescription(message));
    expect(hours).toHaveValue(text);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  }
  for (const [text, question] of [
    ['1', 'Clean the tokens of the last hour?'],
    ['168', 'Clean the tokens of the last 168 hours?'],
    ['a day', 'Clean the tokens of the last 24 hours?'],
    ['', 'Clean the tokens of the last 24 hours?'],
  ] as const) {
    await type(text);
    const dialog = await screen.findByRole('alertdialog', { name: question });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Clean Recent Tokens' }));
    await waitFor(() => expect(button('Clean Recent Tokens')).toBeEnabled());
  }
  const bodies = [1, 168, 24, 24].map((hoursAgo) => ({ hoursAgo }));
  expect(sent(server, 'POST', maintenanceCalls.cleanupRecentTokens.path)).toEqual(bodies);
});

test('a reset asks for confirmation, then refetches lists and totals [S5-30, S8.7-13, S7.3-08]', async () => {
  const { store } = await open();
  const client = store.get(queryClientAtom);
  const keys = [tokenCalls.new, tokenCalls.earlyLiquidity, adminCalls.stats].map(({ path }) => [path]);
  for (const key of keys) client.setQueryData(key, []);
  server.answer(maintenanceCalls.removeAllTokens, { message: 'Successfully removed all 77 tokens', count: 77 });
  await press('Reset Token Database');
  expect(screen.getByRole('alertdialog')).toHaveTextContent('All tokens are removed');
  expect(server.count(maintenanceCalls.removeAllTokens)).toBe(0);
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Reset Token Database' }));
  expect(await findToast('Database Reset')).toHaveTextContent('Successfully removed all 77 tokens');
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
  await waitFor(() => expect([tokenCalls.list, tokenCalls.new].map((call) => server.count(call))).toEqual([1, 1]));
});

test('a failed reset and a failed scan have their own titles [S8.7-06]', async () => {
  await open();
  server.fail(maintenanceCalls.removeAllTokens, 'already-running');
  await confirm('Reset Token Database');
  expect(await findToast('Reset Failed')).toHaveTextContent(
    'This is already running. Make sure that you are logged in',
  );
  server.fail(maintenanceCalls.forceAggregatorScan, 'unavailable');
  await press('Force Token Scan', 'Run Token Aggregator');
  expect(await findToast('Scan Failed')).toHaveTextContent('The database is not reachable right now.');
});

test('reports a scan that started, and why one did not [S8.7-14]', async () => {
  await open();
  server.answer(maintenanceCalls.forceAggregatorScan, { message: 'Asking 3 sources for new tokens.', started: true });
  await press('Force Token Scan', 'Run Token Aggregator');
  expect(await findToast('Aggregator Scan Started')).toHaveTextContent('Asking 3 sources for new tokens.');
  const message = 'MARKET has no polling source.';
  server.answer(maintenanceCalls.forceAggregatorScan, { message, started: false });
  await press('Force Token Scan', 'Run Token Aggregator');
  expect(await findToast('Scan Failed')).toHaveTextContent(message);
});

test('disables a button while its request is pending [S2.13-07]', async () => {
  await open();
  const respond = holdResponse(server, maintenanceCalls.cleanupMockTokens);
  await confirm('Clean Mock Tokens');
  expect(button('Clean Mock Tokens')).toBeDisabled();
  expect(button('Clean Mock Tokens')).toHaveAttribute('aria-busy', 'true');
  act(() => respond(json({ message: 'done', count: 0 })));
  await waitFor(() => expect(button('Clean Mock Tokens')).toBeEnabled());
});

test("shows another administrator's run: progress, disabled button and outcome [S2.13-07]", async () => {
  const { store } = await open();
  const live = liveOf(store);
  expect(card('Clean Mock Tokens')).toHaveTextContent('Not run since the server started.');
  act(() => live.receive({ event: 'maintenance', payload: run() }));
  const mine = within(card('Clean Mock Tokens'));
  expect(await mine.findByText('12 of 40')).toBeVisible();
  expect(mine.getByText('Removed 12 tokens so far')).toBeVisible();
  expect(mine.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '30');
  expect(button('Clean Mock Tokens')).toBeDisabled();
  // A removal blocks all other maintenance of tokens.
  expect(button('Force Token Scan', 'Run Token Aggregator')).toHaveAccessibleDescription(/Tokens are being removed/);
  act(() => live.receive({ event: 'maintenance', payload: run({ done: 30, total: null }) }));
  expect(await mine.findByText('30 done')).toBeVisible();
  expect(mine.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
  act(() =>
    live.receive({
      event: 'maintenance',
      payload: run({ state: 'done', done: 40, endedAt: new Date().toISOString(), message: 'Removed 40 tokens' }),
    }),
  );
  expect(await mine.findByText('Removed 40 tokens')).toBeVisible();
  expect(mine.getByText(/ago, by bob/)).toBeVisible();
  expect(button('Clean Mock Tokens')).toBeEnabled();
  expect(button('Force Token Scan', 'Run Token Aggregator')).toBeEnabled();
  act(() =>
    live.receive({
      event: 'maintenance',
      payload: run({ id: 'run-2', state: 'failed', endedAt: new Date().toISOString(), message: 'Timed out' }),
    }),
  );
  expect(await mine.findByText('Failed:')).toBeVisible();
});

test('a response in flight when a run ends does not bring the run back [S2.13-07]', async () => {
  const { store } = await open();
  const respond = holdResponse(server, maintenanceCalls.runs);
  const before = server.count(maintenanceCalls.runs);
  act(() => store.set(linkAtom, { phase: 'live', since: 0, roundTrip: null }));
  await waitFor(() => expect(server.count(maintenanceCalls.runs)).toBeGreaterThan(before));
  act(() =>
    liveOf(store).receive({
      event: 'maintenance',
      payload: run({ state: 'done', endedAt: new Date().toISOString(), message: 'Removed 40 tokens' }),
    }),
  );
  act(() => respond(json([run()])));
  await waitFor(() => expect(store.get(queryClientAtom).isFetching()).toBe(0));
  await waitFor(() => expect(card('Clean Mock Tokens')).toHaveTextContent('Removed 40 tokens'));
  expect(button('Clean Mock Tokens')).toBeEnabled();
});

test('shows a warning when the runs are unknown [S2.13-07]', async () => {
  server.fail(maintenanceCalls.runs, 'unavailable');
  renderWithApp(<TokenMaintenance />);
  expect(await screen.findByText('Running maintenance is unknown')).toBeVisible();
});
