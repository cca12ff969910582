import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configCalls } from '../../common/config/http.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { liveOf } from '../live/live.ts';
import { type FakeServer, fakeServer } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { BotCard } from './bot-card.tsx';
import { BotButton } from './bot-link.tsx';
import { BotPanel } from './bot-panel.tsx';
import { noBot, workingBot } from './testing/bot.ts';

let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  server.answer(configCalls.get, { chain: null, botUsername: null });
});
afterEach(() => server.close());

const parts = (
  <>
    <BotPanel />
    <BotCard />
    <BotButton label="Open the bot" />
  </>
);

test('S2.5-03 S2.5-09 S2.5-02 an active bot: /start and /help, the first 6 commands, the way to it', async () => {
  server.answer(telegramCalls.status, workingBot);
  renderWithApp(parts);
  const panel = await screen.findByRole('region', { name: 'Telegram bot' });
  expect(panel).toHaveTextContent('Send /start to begin and /help for all commands.');
  const listed = screen.getAllByRole('listitem').map((item) => item.textContent?.split(' ')[0]);
  expect(listed).toEqual(['/start', '/help', '/status', '/new', '/runners', '/mightrun']);
  expect(screen.getByRole('link', { name: 'Bot' }).closest('.rounded-lg')).toHaveTextContent('Active');
  expect(screen.getByRole('link', { name: 'Open the bot' })).toHaveAttribute('href', 'https://t.me/mintwatch_bot');
});

test('S2.5-04 S2.5-05 S2.5-09 without a token: the alert, and Inactive', async () => {
  server.answer(telegramCalls.status, noBot);
  renderWithApp(parts);
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('No Telegram Bot Token');
  expect(alert).toHaveTextContent(
    'The Telegram bot is not active because no TELEGRAM_BOT_TOKEN was provided. Please add this environment variable to enable the bot functionality.',
  );
  expect(screen.getByRole('link', { name: 'Bot' }).closest('.rounded-lg')).toHaveTextContent('Inactive');
  expect(screen.queryByRole('link', { name: 'Open the bot' })).toBeNull();
});

test('S2.5-09 a bot that Telegram does not answer is inactive, until the event says otherwise', async () => {
  server.answer(telegramCalls.status, { ...workingBot, connected: false });
  const { store } = renderWithApp(parts);
  expect(await screen.findByText('The Telegram bot is not connected')).toBeInTheDocument();
  act(() => liveOf(store).hear.botStatus(workingBot));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Telegram bot' })).toBeInTheDocument());
});
