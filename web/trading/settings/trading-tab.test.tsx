import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { authCalls } from '../../../common/auth/http.ts';
import { MINUTE } from '../../../common/time.ts';
import {
  defaultLimits,
  defaultPresets,
  noExits,
  type TradingAccount,
  tradingAccountChangeSchema,
  tradingAccountSchema,
} from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { PasswordPrompt } from '../../account/password-prompt.tsx';
import { liveOf } from '../../live/live.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { findToast, sent } from '../../testing/page.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { useTradingEvents } from '../state/use-trading-events.ts';
import { AT, account } from '../testing/fixtures.ts';
import { TradingTab } from './trading-tab.tsx';

const server = fakeServerPerTest();

function Page() {
  useTradingEvents();
  return (
    <>
      <TradingTab />
      <PasswordPrompt />
    </>
  );
}

/** Opens the tab with a server that applies changes. */
async function open(fields: Partial<TradingAccount> = {}) {
  let stored = account(fields);
  server.answer(tradingCalls.account, () => stored);
  server.answer(tradingCalls.changeAccount, ({ body }) => {
    const { mode, limits, defaults, presets, bot, protections } = tradingAccountChangeSchema.parse(body);
    stored = tradingAccountSchema.parse({
      ...stored,
      mode: mode ?? stored.mode,
      limits: { ...stored.limits, ...limits },
      defaults: { ...stored.defaults, ...defaults },
      presets: { ...stored.presets, ...presets },
      bot: { ...stored.bot, ...bot },
      protections: { ...stored.protections, ...protections },
      version: stored.version + 1,
    });
    return stored;
  });
  const rendered = renderWithApp(<Page />);
  await screen.findByRole('region', { name: 'Limits' });
  return rendered;
}

const changes = () => sent(server, 'PATCH', '/api/trading/account');

async function retype(label: string | HTMLElement, text: string): Promise<void> {
  const field = typeof label === 'string' ? screen.getByLabelText(label) : label;
  await userEvent.clear(field);
  if (text !== '') await userEvent.type(field, text);
}

test('shows every limit with its value, and saves typed SOL as exact lamports [T-07]', async () => {
  await open();
  expect(screen.getByLabelText('Most per trade')).toHaveValue('1');
  expect(screen.getByLabelText('Most per day')).toHaveValue('2');
  expect(screen.getByLabelText('Priority fee, at most')).toHaveValue('0.001');
  expect(screen.getByLabelText('Tip, at most')).toHaveValue('0');
  expect(
    screen.getByText('Per transaction. Rules, strategies and exits pay all of it, presets up to it.'),
  ).toBeVisible();
  await retype('Most per trade', '0,123456789');
  await userEvent.click(screen.getByRole('button', { name: 'Save Limits' }));
  await findToast('Limits Saved');
  expect(changes()).toMatchObject([{ limits: { perTradeLamports: 123_456_789 } }]);
});

test('names the bounds of a limit beside it, and saves nothing [T-07]', async () => {
  await open();
  await retype('Most per trade', '200');
  await userEvent.click(screen.getByRole('button', { name: 'Save Limits' }));
  expect(await screen.findByText('Enter 0.001 to 100 SOL.')).toBeVisible();
  await retype('At most', 'many');
  await retype('Lock for', '0');
  await userEvent.click(screen.getByRole('button', { name: 'Save Protections' }));
  expect(await screen.findByText('Enter 1 to 100.')).toBeVisible();
  expect(screen.getByText('Enter 1 to 1440 min.')).toBeVisible();
  await retype('At most', '1.5');
  expect(await screen.findByText('Enter a whole number, 1 to 100.')).toBeVisible();
  expect(changes()).toEqual([]);
});

test('shows each protection with its switch and figures, and saves them [T-25, T-27]', async () => {
  await open();
  const names = ['Open positions', 'Loss of the day', 'Cooldown', 'Stop-loss guard', 'Unknown orders'];
  for (const name of names) expect(screen.getByRole('switch', { name })).toBeChecked();
  expect(screen.getByLabelText('At most')).toHaveValue('10');
  expect(screen.getByLabelText('Most lost per day')).toHaveValue('1');
  await retype('Wait', '5');
  await retype('Within', '45');
  await userEvent.click(screen.getByRole('switch', { name: 'Unknown orders' }));
  expect(screen.getByText(/^Off: buying goes on while the outcome of your last orders is unknown\./)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Save Protections' }));
  await findToast('Protections Saved');
  const on = { openPositions: true, dayLoss: true, cooldown: true, stopLossGuard: true, unknownOrders: false };
  const guard = { guardStopLosses: 5, guardWindowMs: 45 * MINUTE, guardLockMs: 30 * MINUTE };
  expect(changes()).toEqual([
    {
      limits: { maxOpen: 10, maxDayLossLamports: 1_000_000_000, cooldownMs: 5_000 },
      protections: { ...on, ...guard },
    },
  ]);
  expect(screen.getByRole('switch', { name: 'Unknown orders' })).not.toBeChecked();
});

test('shows the lock in force beside its protection, and until when [T-27]', async () => {
  const until = new Date(Date.now() + 12.5 * MINUTE).toISOString();
  const locks = [
    { kind: 'stop-loss-guard' as const, until, reason: reason('stop-loss-guard', { untilAt: Date.parse(until) }) },
    { kind: 'open-positions' as const, until: null, reason: reason('open-positions', { open: 10, limit: 10 }) },
  ];
  await open({ locks });
  const guard = within(screen.getByRole('group', { name: 'Stop-loss guard' }));
  expect(guard.getByText(`Locks automatic buying until ${until.slice(11, 16)} UTC, 12m left`)).toBeVisible();
  expect(within(screen.getByRole('group', { name: 'Open positions' })).getByText('Locks buying')).toBeVisible();
  expect(within(screen.getByRole('group', { name: 'Cooldown' })).queryByText(/^Locks/)).toBeNull();
});

test('saves the presets of both sides with their terms', async () => {
  await open({ limits: { ...defaultLimits, tipLamports: 2_000_000 } });
  const buy = within(screen.getByRole('group', { name: 'Buy P1' }));
  const sell = within(screen.getByRole('group', { name: 'Sell P3' }));
  await retype(buy.getByLabelText('Amount (SOL)'), '0,01');
  await retype(buy.getByLabelText('Slippage (%)'), '7.5');
  await retype(buy.getByLabelText('Priority, at most (SOL)'), '0.0005');
  await retype(buy.getByLabelText('Tip (SOL)'), '0.002');
  await userEvent.click(buy.getByLabelText('Protected'));
  await retype(sell.getByLabelText('Share (%)'), '80');
  await userEvent.click(screen.getByRole('button', { name: 'Save Presets' }));
  await findToast('Presets Saved');
  const { buy: bought, sell: sold } = defaultPresets;
  const terms = { slippageBps: 750, priorityMaxLamports: 500_000, tipLamports: 2_000_000, isProtected: true };
  expect(changes()).toEqual([
    {
      presets: {
        buy: [{ ...terms, lamports: 10_000_000 }, bought[1], bought[2]],
        sell: [sold[0], sold[1], { ...sold[2], sharePercent: 80 }],
      },
    },
  ]);
});

test('a preset pays no more for priority or as a tip than the limits of the account', async () => {
  await open();
  const buy = within(screen.getByRole('group', { name: 'Buy P2' }));
  await retype(buy.getByLabelText('Priority, at most (SOL)'), '0.0011');
  await retype(buy.getByLabelText('Tip (SOL)'), '0.000000001');
  await userEvent.click(screen.getByRole('button', { name: 'Save Presets' }));
  expect(await buy.findByText('Enter 0 to 0.001 SOL, your limit.')).toBeVisible();
  expect(buy.getByText('Enter 0 to 0 SOL, your limit.')).toBeVisible();
  expect(changes()).toEqual([]);
});

test('saves exits; an empty one is none', async () => {
  await open();
  await retype('Stop loss', '20');
  await userEvent.click(screen.getByRole('button', { name: 'Save Defaults' }));
  await findToast('Defaults Saved');
  expect(changes()).toEqual([{ defaults: { exits: { ...noExits, stopLossPercent: 20 } } }]);
});

test('takes a change of another tab, and keeps typed texts', async () => {
  const { store } = await open();
  await retype('Most per trade', '0.5');
  const limits = { ...account().limits, perDayLamports: 3_000_000_000 };
  act(() => liveOf(store).receive({ event: 'trading-account', payload: account({ limits, version: 2 }) }));
  await waitFor(() => expect(screen.getByLabelText('Most per day')).toHaveValue('3'));
  expect(screen.getByLabelText('Most per trade')).toHaveValue('0.5');
});

test('chooses paper at once', async () => {
  await open();
  await userEvent.click(screen.getByRole('radio', { name: /^Paper/ }));
  await findToast('Mode Changed');
  expect(changes()).toEqual([{ mode: 'paper' }]);
  expect(screen.getByRole('radio', { name: /^Paper/ })).toBeChecked();
});

test('real money needs the typed word and the password [T-17]', async () => {
  await open({ server: 'live', modes: ['paper', 'live'], mode: 'paper' });
  let isConfirmed = false;
  server.reply(authCalls.confirm, () => {
    isConfirmed = true;
    return json({ ok: true });
  });
  server.reply(tradingCalls.changeAccount, () =>
    isConfirmed
      ? json(account({ server: 'live', modes: ['paper', 'live'], mode: 'live', version: 2 }))
      : json({ error: 'Please enter your password to continue.', code: 'password-needed' }, 403),
  );
  await userEvent.click(screen.getByRole('radio', { name: /^Mainnet \(beta\)/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Trade with real money?' }));
  await userEvent.type(dialog.getByLabelText('Type LIVE to confirm'), 'live');
  await userEvent.click(dialog.getByRole('button', { name: 'Trade with real money' }));
  expect(await dialog.findByText('Type LIVE to continue.')).toBeVisible();
  expect(changes()).toEqual([]);
  await retype('Type LIVE to confirm', 'LIVE');
  await userEvent.click(dialog.getByRole('button', { name: 'Trade with real money' }));
  const password = within(await screen.findByRole('dialog', { name: 'Is it you?' }));
  await userEvent.type(password.getByLabelText('Password'), 'secret1');
  await userEvent.click(password.getByRole('button', { name: 'Continue' }));
  await findToast('Mode Changed');
  expect(changes()).toEqual([
    { mode: 'live', confirm: 'LIVE' },
    { mode: 'live', confirm: 'LIVE' },
  ]);
});

test('resets the paper balance after a question [T-07]', async () => {
  const paper = { lamports: 3_500_000_000, resetAt: AT };
  server.answer(tradingCalls.resetPaper, account({ version: 2 }));
  await open({ mode: 'paper', paper });
  expect(screen.getByText('3.5 SOL')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Reset' }));
  await findToast('Paper Balance Reset');
  expect(screen.getByText('10 SOL')).toBeVisible();
});

test('saves what the bot may do', async () => {
  await open();
  await retype('Most per purchase by the bot', '0.05');
  await userEvent.click(screen.getByRole('switch', { name: 'Real money by the bot' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save Bot' }));
  await findToast('Bot Saved');
  expect(changes()).toEqual([{ bot: { live: true, maxLamports: 50_000_000 } }]);
});

test('says that trading is switched off, and offers no mode', async () => {
  await open({ server: 'off', modes: [], mode: null, budget: null });
  expect(screen.getByText(/Trading is switched off on this server/)).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
});
