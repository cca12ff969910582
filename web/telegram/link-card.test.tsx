import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { telegramCalls } from '../../common/telegram/http.ts';
import type { TelegramLink } from '../../common/telegram/model.ts';
import { queryClientAtom } from '../store.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { applyUserData } from '../users/user-cache.ts';
import { LinkCard } from './link-card.tsx';
import { noBot, workingBot } from './testing/fixtures.ts';

const linked: TelegramLink = { linked: { username: 'trader', linkedAt: '2026-01-02T03:04:05.000Z', gone: false } };
const server = fakeServerPerTest();

beforeEach(() => {
  server.answer(telegramCalls.status, workingBot);
  server.answer(telegramCalls.link, { linked: null });
});

const codeUntil = (expiresAt: number) => ({
  code: 'abc123',
  url: 'https://t.me/mintwatch_bot?start=abc123',
  expiresAt: new Date(expiresAt).toISOString(),
});
const getCode = async () => {
  await waitFor(() => expect(screen.getByRole('button', { name: 'Get link code' })).toBeEnabled());
  await userEvent.click(screen.getByRole('button', { name: 'Get link code' }));
};

test('shows a code with a link to the bot, then the linked chat [S1-02]', async () => {
  const { store } = renderWithApp(<LinkCard />);
  await screen.findByRole('button', { name: 'Get link code' });
  server.answer(telegramCalls.linkCode, codeUntil(Date.now() + 600_000));
  await getCode();
  expect(await screen.findByText('/start abc123')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open Telegram with this code' })).toHaveAttribute(
    'href',
    'https://t.me/mintwatch_bot?start=abc123',
  );
  act(() => applyUserData(store.get(queryClientAtom), 'user-1', { subject: 'telegram', op: 'saved', item: linked }));
  expect(await screen.findByText(/Linked to @trader since/)).toBeInTheDocument();
});

test('hides an expired code', async () => {
  renderWithApp(<LinkCard />);
  await screen.findByRole('button', { name: 'Get link code' });
  server.answer(telegramCalls.linkCode, codeUntil(Date.now() - 1));
  await getCode();
  expect(await screen.findByText('This code has expired. Get a new one.')).toBeInTheDocument();
  expect(screen.queryByText('/start abc123')).toBeNull();
});

test('keeps the button after a failure', async () => {
  renderWithApp(<LinkCard />);
  server.fail(telegramCalls.linkCode, 'too-many-requests');
  await getCode();
  expect(await screen.findByText('Too many attempts. Please wait a moment and try again.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Get link code' })).toBeEnabled();
});

test('disables the button without a bot, with the reason', async () => {
  server.answer(telegramCalls.status, noBot);
  renderWithApp(<LinkCard />);
  expect(await screen.findByText('No Telegram bot is set up on this server.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Get link code' })).toBeDisabled();
});

test('asks for confirmation before unlinking', async () => {
  server.answer(telegramCalls.link, { linked: { username: null, linkedAt: '2026-01-02T03:04:05.000Z', gone: true } });
  server.answer(telegramCalls.unlink, { linked: null });
  renderWithApp(<LinkCard />);
  expect(await screen.findByText('This chat receives no messages')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Unlink chat' }));
  expect(server.count(telegramCalls.unlink)).toBe(0);
  const question = within(screen.getByRole('alertdialog', { name: 'Unlink this chat?' }));
  await userEvent.click(question.getByRole('button', { name: 'Unlink chat' }));
  expect(await screen.findByRole('button', { name: 'Get link code' })).toBeInTheDocument();
});
