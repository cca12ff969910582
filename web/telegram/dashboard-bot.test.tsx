import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { configCalls } from '../../common/client-config/http.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { BotCard } from '../dashboard/user-cards.tsx';
import { linkAtom } from '../live/atoms/atoms.ts';
import { liveOf } from '../live/live.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { settle } from '../testing/settle.ts';
import { BotButton } from './bot-link.tsx';
import { BotPanel } from './bot-panel.tsx';
import { noBot, workingBot } from './testing/fixtures.ts';

const server = fakeServerPerTest();

beforeEach(() => server.answer(configCalls.get, { chain: null, botUsername: null }));
afterEach(() => void vi.useRealTimers());

const parts = (
  <>
    <BotPanel />
    <BotCard />
    <BotButton label="Open the bot" />
  </>
);

test('an active bot shows /start and /help, the first 6 commands and a link [S2.5-03, S2.5-09, S2.5-02]', async () => {
  server.answer(telegramCalls.status, workingBot);
  renderWithApp(parts);
  const panel = await screen.findByRole('region', { name: 'Telegram bot' });
  expect(panel).toHaveTextContent('Send /start to begin and /help for all commands.');
  const listed = screen.getAllByRole('listitem').map((item) => item.textContent?.split(' ')[0]);
  expect(listed).toEqual(['/start', '/help', '/status', '/new', '/runners', '/mightrun']);
  expect(screen.getByRole('link', { name: 'Bot' }).closest('.rounded-lg')).toHaveTextContent('Active');
  expect(screen.getByRole('link', { name: 'Open the bot' })).toHaveAttribute('href', 'https://t.me/mintwatch_bot');
});

test('a bot without a token shows an alert and Inactive [S2.5-04, S2.5-05, S2.5-09]', async () => {
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

test('a bot without a response from Telegram is inactive until an event reports it connected [S2.5-09]', async () => {
  server.answer(telegramCalls.status, { ...workingBot, connected: false });
  const { store } = renderWithApp(parts);
  expect(await screen.findByText('The Telegram bot is not connected')).toBeInTheDocument();
  act(() => liveOf(store).receive({ event: 'bot-status', payload: workingBot }));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Telegram bot' })).toBeInTheDocument());
});

test('the status is fetched every 60 s while the feed is down, and not while it is live [S9-04]', async () => {
  // Animation frames are left alone: three minutes have thousands of them.
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...toFake] });
  server.answer(telegramCalls.status, workingBot);
  const { store } = renderWithApp(<BotCard />);
  const requests = () => server.count(telegramCalls.status);
  const pass = (ms: number) => settle(() => vi.advanceTimersByTimeAsync(ms));
  act(() => store.set(linkAtom, { phase: 'live', since: 0, roundTrip: null }));
  await pass(1_000);
  const live = requests();
  await pass(180_000);
  expect(requests()).toBe(live);
  act(() => store.set(linkAtom, { phase: 'down', since: 0, roundTrip: null }));
  await pass(59_000);
  expect(requests()).toBe(live);
  await pass(2_000);
  expect(requests()).toBe(live + 1);
});
