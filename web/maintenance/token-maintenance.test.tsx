import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { card, findToast, sent } from '../auto-buy/testing/kept.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { liveOf } from '../live/live.ts';
import { queryClientAtom } from '../store.ts';
import { type FakeServer, fakeServer, json } from '../testing/fake-server.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { run } from './testing/run.ts';
import { TokenMaintenance } from './token-maintenance.tsx';

let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  server.answer(maintenanceCalls.runs, []);
});
afterEach(() => server.close());

async function open(): Promise<Rendered> {
  const rendered = renderWithApp(<TokenMaintenance />, { session: sessionUser({ username: 'ann', isAdmin: true }) });
  await waitFor(() => expect(server.count(maintenanceCalls.runs)).toBeGreaterThan(0));
  // What was asked for is shown once the answer is in the cache.
  await waitFor(() =>
    expect(rendered.store.get(queryClientAtom).getQueryData([maintenanceCalls.runs.path])).toBeDefined(),
  );
  return rendered;
}

const button = (title: string, name = title) => within(card(title)).getByRole('button', { name });

/** Presses the button of a card, and says yes. */
async function confirm(title: string): Promise<void> {
  await userEvent.click(button(title));
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: title }));
}

test('five cards, each with its button, and the hours of recent tokens [S2.13-07]', async () => {
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

test('the text gives the criteria of runners and of Might Run [S4-07]', async () => {
  await open();
  expect(card('Force Token Scan')).toHaveTextContent(/Runners.* growth score above 30/);
  expect(card('Force Token Scan')).toHaveTextContent(/Might Run.* market cap above 400K/);
});

test.each([
  ['Clean Mock Tokens', maintenanceCalls.cleanupMockTokens],
  ['Clean Invalid Tokens', maintenanceCalls.cleanupInvalidTokens],
  ['Clean Recent Tokens', maintenanceCalls.cleanupRecentTokens],
] as const)('%s asks, then tells the count, or the failure with a hint [S8.7-13, S8.7-05]', async (title, call) => {
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
  expect(button(title)).toBeEnabled();
});

test('hours are 1 to 168; what is no number counts as 24 [S5-26]', async () => {
  await open();
  server.answer(maintenanceCalls.cleanupRecentTokens, { message: 'done', count: 0 });
  const hours = within(card('Clean Recent Tokens')).getByRole('textbox', { name: 'Hours' });
  async function type(text: string): Promise<void> {
    await userEvent.clear(hours);
    if (text !== '') await userEvent.type(hours, text);
    await userEvent.click(button('Clean Recent Tokens'));
  }
  for (const [text, message] of [
    ['0', 'Hours must be at least 1.'],
    ['169', 'Hours must be at most 168.'],
  ] as const) {
    await type(text);
    expect(hours).toHaveAccessibleDescription(message);
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
    const dialog = screen.getByRole('alertdialog', { name: question });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Clean Recent Tokens' }));
    await waitFor(() => expect(button('Clean Recent Tokens')).toBeEnabled());
  }
  const asked = [1, 168, 24, 24].map((hoursAgo) => ({ hoursAgo }));
  expect(sent(server, 'POST', maintenanceCalls.cleanupRecentTokens.path)).toEqual(asked);
});

test('a reset asks whether everything may go, and has lists and totals fetched again [S5-30, S8.7-13, S7.3-08]', async () => {
  const { store } = await open();
  const load = vi.spyOn(liveOf(store).loader, 'load').mockResolvedValue(true);
  const client = store.get(queryClientAtom);
  const keys = [tokenCalls.new, tokenCalls.earlyLiquidity, adminCalls.stats].map(({ path }) => [path]);
  for (const key of keys) client.setQueryData(key, []);
  server.answer(maintenanceCalls.removeAllTokens, { message: 'Successfully removed all 77 tokens', count: 77 });
  await userEvent.click(button('Reset Token Database'));
  expect(screen.getByRole('alertdialog')).toHaveTextContent('Everything goes: all tokens');
  expect(server.count(maintenanceCalls.removeAllTokens)).toBe(0);
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Reset Token Database' }));
  expect(await findToast('Database Reset')).toHaveTextContent('Successfully removed all 77 tokens');
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
  expect(load.mock.calls.flat()).toEqual(['newest', 'fresh']);
});

test('a failed reset and a failed scan have titles of their own [S8.7-06]', async () => {
  await open();
  server.fail(maintenanceCalls.removeAllTokens, 'already-running');
  await confirm('Reset Token Database');
  expect(await findToast('Reset Failed')).toHaveTextContent(
    'This is already running. Make sure that you are logged in',
  );
  server.fail(maintenanceCalls.forceAggregatorScan, 'unavailable');
  await userEvent.click(button('Force Token Scan', 'Run Token Aggregator'));
  expect(await findToast('Scan Failed')).toHaveTextContent('The database is not reachable right now.');
});

test('a scan that began is told, and one that has nobody to ask says why it did not [S8.7-14]', async () => {
  await open();
  server.answer(maintenanceCalls.forceAggregatorScan, { message: 'Asking 3 sources for new tokens.', started: true });
  await userEvent.click(button('Force Token Scan', 'Run Token Aggregator'));
  expect(await findToast('Aggregator Scan Started')).toHaveTextContent('Asking 3 sources for new tokens.');
  const message = 'No polling source is in MARKET, so there is nobody to ask.';
  server.answer(maintenanceCalls.forceAggregatorScan, { message, started: false });
  await userEvent.click(button('Force Token Scan', 'Run Token Aggregator'));
  expect(await findToast('Scan Failed')).toHaveTextContent(message);
});

test('a button is off while its own request is under way [S2.13-07]', async () => {
  await open();
  let answer = (_response: Response): void => undefined;
  server.reply(maintenanceCalls.cleanupMockTokens, () => new Promise((resolve) => (answer = resolve)));
  await confirm('Clean Mock Tokens');
  expect(button('Clean Mock Tokens')).toBeDisabled();
  expect(button('Clean Mock Tokens')).toHaveAttribute('aria-busy', 'true');
  act(() => answer(json({ message: 'done', count: 0 })));
  await waitFor(() => expect(button('Clean Mock Tokens')).toBeEnabled());
});

test("another administrator's run is followed: progress, the button, and how it ended [S2.13-07]", async () => {
  const { store } = await open();
  const { hear } = liveOf(store);
  expect(card('Clean Mock Tokens')).toHaveTextContent('Not run since the server started.');
  act(() => hear.maintenance(run()));
  const mine = within(card('Clean Mock Tokens'));
  expect(mine.getByText('12 of 40')).toBeVisible();
  expect(mine.getByText('Removed 12 tokens so far')).toBeVisible();
  expect(mine.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '30');
  expect(button('Clean Mock Tokens')).toBeDisabled();
  // Nothing else about tokens can begin while some are removed.
  expect(button('Force Token Scan', 'Run Token Aggregator')).toHaveAccessibleDescription(/Tokens are being removed/);
  act(() => hear.maintenance(run({ done: 30, total: null })));
  expect(mine.getByText('30 done')).toBeVisible();
  expect(mine.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
  act(() => hear.maintenance(run({ state: 'done', done: 40, endedAt: new Date().toISOString(), message: 'All gone' })));
  expect(mine.getByText('All gone')).toBeVisible();
  expect(mine.getByText(/ago, by bob/)).toBeVisible();
  expect(button('Clean Mock Tokens')).toBeEnabled();
  expect(button('Force Token Scan', 'Run Token Aggregator')).toBeEnabled();
  act(() => hear.maintenance(run({ id: 'run-2', state: 'failed', endedAt: new Date().toISOString(), message: 'Oh' })));
  expect(mine.getByText('Failed:')).toBeVisible();
});

test('an answer that was on its way while a run ended does not bring the run back [S2.13-07]', async () => {
  const { store } = await open();
  let answer = (_response: Response): void => undefined;
  server.reply(maintenanceCalls.runs, () => new Promise((resolve) => (answer = resolve)));
  const before = server.count(maintenanceCalls.runs);
  act(() => store.set(linkAtom, { phase: 'live', since: 0, roundTrip: null }));
  await waitFor(() => expect(server.count(maintenanceCalls.runs)).toBeGreaterThan(before));
  act(() =>
    liveOf(store).hear.maintenance(run({ state: 'done', endedAt: new Date().toISOString(), message: 'All gone' })),
  );
  act(() => answer(json([run()])));
  await waitFor(() =>
    expect(store.get(queryClientAtom).getQueryData([maintenanceCalls.runs.path])).toMatchObject([{ state: 'running' }]),
  );
  expect(card('Clean Mock Tokens')).toHaveTextContent('All gone');
  expect(button('Clean Mock Tokens')).toBeEnabled();
});

test('that the runs are not known is said [S2.13-07]', async () => {
  server.fail(maintenanceCalls.runs, 'unavailable');
  renderWithApp(<TokenMaintenance />);
  expect(await screen.findByText('What is running now is not known')).toBeVisible();
});
