import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { sessionAtom } from '../auth/session.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { liveOf } from '../live/live.ts';
import { run } from '../maintenance/testing/fixtures.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { findToast } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import BotStatusPage from './bot-status-page.tsx';
import { detailed, workingBot } from './testing/fixtures.ts';
import type { DetailedStatus } from './use-bot-status.ts';

const server = fakeServerPerTest();

beforeEach(() => {
  server.answer(telegramCalls.notificationStats, []);
  server.answer(maintenanceCalls.runs, []);
});

async function open(fields: Partial<DetailedStatus> = {}): Promise<Rendered> {
  server.answer(telegramCalls.status, detailed(fields));
  const rendered = renderWithApp(<BotStatusPage />, {
    path: '/app/telegram-status',
    session: sessionUser({ isAdmin: true }),
  });
  await screen.findByRole('region', { name: 'Bot Status' });
  return rendered;
}
const card = (name: string) => within(screen.getByRole('region', { name }));
const message = (number: number) => ({
  from: `user${number}`,
  text: `message ${number}`,
  date: `2026-01-02T03:04:0${number}.000Z`,
});
const box = () => screen.getByLabelText('Message');
const send = () => screen.getByRole('button', { name: 'Send Message' });

const broadcastRun = (fields: Partial<Run> = {}) => run({ action: 'broadcast', done: 50, total: 200, ...fields });

async function broadcast(text: string): Promise<void> {
  await userEvent.type(box(), text);
  await userEvent.click(send());
  await userEvent.click(
    within(await screen.findByRole('alertdialog', { name: 'Send to all users?' })).getByRole('button', {
      name: 'Send Message',
    }),
  );
}

describe('the status', () => {
  test('is Connected when botInfo has an id, and shows the bot [S2.16-01]', async () => {
    await open();
    expect(card('Bot Status').getByText('Connected')).toBeInTheDocument();
    expect(card('Bot Status').getByText('@mintwatch_bot')).toBeInTheDocument();
    expect(card('Bot connection details').getByText('4242')).toBeInTheDocument();
    expect(screen.queryByText('Connection error')).toBeNull();
  });

  test('is not connected without a botInfo [S2.16-01]', async () => {
    await open({ botInfo: null, connected: false });
    expect(card('Bot Status').getByText('Not connected')).toBeInTheDocument();
  });

  test.each([
    [0, 'orange', 'No chat is linked yet.', 'Goes to all 0 linked chats.'],
    [1, 'green', 'linked chat that receives messages', 'Goes to 1 linked chat.'],
    [2, 'green', 'linked chats that receive messages', 'Goes to all 2 linked chats.'],
  ])('%i linked chats are %s [S2.16-02]', async (activeUserCount, tone, text, hint) => {
    await open({ activeUserCount });
    expect(card('User Connections').getByText(text, { exact: false })).toBeVisible();
    expect(screen.getByText(hint)).toBeVisible();
    expect(card('User Connections').getByText(String(activeUserCount))).toHaveAttribute('data-tone', tone);
  });

  test('shows the first 3 messages [S2.16-03]', async () => {
    await open({ recentMessages: [1, 2, 3, 4].map(message) });
    const shown = card('Recent Updates').getAllByRole('listitem');
    expect(shown.map((item) => item.textContent)).toEqual([
      expect.stringContaining('message 1'),
      expect.stringContaining('message 2'),
      expect.stringContaining('message 3'),
    ]);
  });

  test('shows the counts by template [S2.16-04]', async () => {
    server.answer(telegramCalls.notificationStats, [{ template: 'New token', sent: 12, failed: 3, queued: 4 }]);
    await open();
    const row = within(await card('Notification Stats').findByRole('row', { name: /New token/ }));
    expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['New token', '12', '3', '4']);
  });

  test('shows a connection error with tips [S2.16-06]', async () => {
    await open({ connected: false, botInfo: null, error: 'Telegram refused the token.' });
    const panel = within(screen.getByRole('alert'));
    expect(panel.getByText('Connection error')).toBeInTheDocument();
    expect(panel.getByText('Telegram refused the token.')).toBeInTheDocument();
    const tips = panel.getAllByRole('listitem').map((item) => item.textContent);
    for (const tip of [/bot key/, /only one bot instance/, /network/, /server logs/]) {
      expect(tips.some((text) => tip.test(text ?? ''))).toBe(true);
    }
  });

  test('an event with details replaces the shown ones, one without keeps them', async () => {
    const { store } = await open();
    const live = liveOf(store);
    act(() => live.receive({ event: 'bot-status', payload: detailed({ activeUserCount: 7 }) }));
    await waitFor(() => expect(card('User Connections').getByText('7')).toBeInTheDocument());
    act(() => live.receive({ event: 'bot-status', payload: { ...workingBot, connected: false } }));
    await waitFor(() => expect(card('Bot Status').getByText('Not connected')).toBeInTheDocument());
    expect(card('User Connections').getByText('7')).toBeInTheDocument();
  });

  test('the refresh button refetches and shows a toast [S8.7-14]', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('Status refreshed')).toBeInTheDocument();
    expect(server.count(telegramCalls.status)).toBeGreaterThan(1);
  });

  test('a failed refresh shows that the figures may be out of date, and no toast', async () => {
    await open();
    server.fail(telegramCalls.status, 'unavailable');
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText(/The data shown may be out of date/)).toBeInTheDocument();
    expect(screen.queryByText('Status refreshed')).toBeNull();
    expect(screen.getByRole('region', { name: 'Bot Status' })).toBeInTheDocument();
  });

  test('the same text twice in one second is two messages', async () => {
    // React reports duplicate keys on the console only.
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => errors.mockRestore());
    await open({ recentMessages: [message(1), message(1)] });
    expect(card('Recent Updates').getAllByRole('listitem')).toHaveLength(2);
    expect(errors).not.toHaveBeenCalled();
  });

  test('a user who lost administrator rights keeps no details', async () => {
    const { store } = await open();
    act(() => store.set(sessionAtom, sessionUser()));
    act(() => liveOf(store).receive({ event: 'bot-status', payload: workingBot }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'User Connections' })).toBeNull());
    expect(JSON.stringify(store.get(queryClientAtom).getQueryData([telegramCalls.status.path]))).not.toContain('4242');
  });

  test('shows why the status could not be loaded, and retries', async () => {
    server.fail(telegramCalls.status, 'unavailable');
    renderWithApp(<BotStatusPage />, { session: sessionUser({ isAdmin: true }) });
    expect(await screen.findByText('Connection error')).toBeInTheDocument();
    server.answer(telegramCalls.status, detailed());
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('region', { name: 'Bot Status' })).toBeInTheDocument();
  });
});

describe('the broadcast', () => {
  test('asks for confirmation, sends the message and shows a toast [S2.16-05, S8.7-15]', async () => {
    await open();
    server.answer(telegramCalls.broadcast, { success: true, sentCount: 1, failedCount: 0, errors: [] });
    await broadcast('Hello all');
    expect(await screen.findByText('Message sent successfully')).toBeInTheDocument();
    expect(screen.getByText('Sent to 1 chat.')).toBeInTheDocument();
    expect(server.requests.find(({ method }) => method === 'POST')?.body).toEqual({ message: 'Hello all' });
    expect(box()).toHaveValue('');
  });

  test('the button is disabled while the message is empty or the bot is not connected [S5-28]', async () => {
    const { unmount } = await open();
    expect(send()).toBeDisabled();
    await userEvent.type(box(), 'x');
    expect(send()).toBeEnabled();
    unmount();
    await open({ connected: false });
    await userEvent.type(box(), 'x');
    expect(send()).toBeDisabled();
  });

  test('rejects a blank message [S5-27]', async () => {
    await open();
    await userEvent.type(box(), '   ');
    await userEvent.click(send());
    expect(await findToast('Message required')).toHaveTextContent('Please enter a message to broadcast.');
    expect(server.count(telegramCalls.broadcast)).toBe(0);
  });

  test('a partial failure shows both counts and the first error, and keeps the message [S8.7-09]', async () => {
    await open();
    const errors = ['Chat 7: the bot was blocked', 'Chat 8: gone'];
    server.answer(telegramCalls.broadcast, { success: true, sentCount: 196, failedCount: 4, errors });
    await broadcast('News');
    expect(await screen.findByText('Broadcast partially failed')).toBeInTheDocument();
    expect(screen.getByText('Sent: 196, failed: 4. Chat 7: the bot was blocked')).toBeInTheDocument();
    expect(box()).toHaveValue('News');
  });

  test('a failure shows a toast and keeps the message [S8.7-08]', async () => {
    await open();
    server.fail(telegramCalls.broadcast, 'bot-not-connected');
    await broadcast('News');
    expect(await screen.findByText('Failed to send message')).toBeInTheDocument();
    expect(screen.getByText('The Telegram bot is not connected.')).toBeInTheDocument();
    expect(box()).toHaveValue('News');
  });

  test('Ctrl+Enter sends nothing while the button is disabled', async () => {
    await open({ connected: false });
    await userEvent.type(box(), 'x{Control>}{Enter}{/Control}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('a run whose end was missed does not lock the box', async () => {
    const { store } = await open();
    act(() => store.set(linkAtom, { phase: 'live', since: 0, roundTrip: null }));
    act(() => liveOf(store).receive({ event: 'maintenance', payload: broadcastRun() }));
    expect(await screen.findByText('50 of 200 chats done')).toBeInTheDocument();
    server.answer(maintenanceCalls.runs, [broadcastRun({ state: 'done', done: 200, endedAt: run().startedAt })]);
    act(() => store.set(linkAtom, { phase: 'down', since: 0, roundTrip: null }));
    act(() => store.set(linkAtom, { phase: 'live', since: 0, roundTrip: null }));
    await waitFor(() => expect(screen.queryByText(/chats done/)).toBeNull());
    await userEvent.type(box(), 'x');
    expect(send()).toBeEnabled();
  });

  test('shows the progress', async () => {
    const { store } = await open();
    act(() => liveOf(store).receive({ event: 'maintenance', payload: broadcastRun() }));
    expect(await screen.findByText('50 of 200 chats done')).toBeInTheDocument();
    act(() => liveOf(store).receive({ event: 'maintenance', payload: broadcastRun({ state: 'done', done: 200 }) }));
    await waitFor(() => expect(screen.queryByText(/chats done/)).toBeNull());
  });
});
