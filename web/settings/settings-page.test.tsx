import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { settingsCalls } from '../../common/settings/http.ts';
import type { Settings } from '../../common/settings/model.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { queryClientAtom } from '../store.ts';
import { workingBot } from '../telegram/testing/fixtures.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { holdResponse } from '../testing/page.ts';
import { renderWithApp } from '../testing/render.tsx';
import { applyUserData } from '../users/user-cache.ts';
import SettingsPage from './settings-page.tsx';
import { defaultSettings, openSettings, openTab } from './testing/settings-page.tsx';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const OTHER = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const withKey = { walletAddress: ADDRESS, hasKey: true, savedAt: '2026-01-02T03:04:05.000Z' };

const server = fakeServerPerTest();

const open = (settings: Settings = defaultSettings) => openSettings(server, { settings });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const sent = () => server.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

describe('the page', () => {
  test('has a subtitle and four tabs before Trading, with Wallet as the default [S2.8-01, S2.8-02]', async () => {
    await open();
    expect(screen.getByText('Manage your preferences and connections')).toBeInTheDocument();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Wallet',
      'Telegram',
      'Alert Settings',
      'Maintenance',
      'Trading',
    ]);
    expect(screen.getByRole('tab', { name: 'Wallet' })).toHaveAttribute('aria-selected', 'true');
  });

  test('shows why the settings could not be loaded, and retries', async () => {
    server.fail(settingsCalls.get, 'unavailable');
    renderWithApp(<SettingsPage />);
    expect(await screen.findByText('Settings could not be loaded')).toBeInTheDocument();
    server.answer(settingsCalls.get, defaultSettings);
    await press('Retry');
    expect(await screen.findByLabelText('Wallet address')).toBeInTheDocument();
  });

  test('keeps input during a change of tab', async () => {
    await open();
    await userEvent.type(screen.getByLabelText('Wallet address'), 'half an addr');
    await openTab('Telegram');
    await openTab('Wallet');
    expect(screen.getByLabelText('Wallet address')).toHaveValue('half an addr');
  });

  test('shows the stored values, and those that another browser tab stores [S2.8-08]', async () => {
    const { store } = await open({ ...defaultSettings, wallet: withKey, telegramUsername: 'trader' });
    expect(screen.getByLabelText('Wallet address')).toHaveValue(ADDRESS);
    await openTab('Telegram');
    expect(screen.getByLabelText('Telegram username')).toHaveValue('@trader');
    const item = { ...defaultSettings, telegramUsername: 'renamed' };
    act(() => applyUserData(store.get(queryClientAtom), 'user-1', { subject: 'settings', op: 'saved', item }));
    await waitFor(() => expect(screen.getByLabelText('Telegram username')).toHaveValue('@renamed'));
  });
});

describe('the wallet', () => {
  test('has a red notice and a helper text [S2.8-04, S2.8-05]', async () => {
    await open();
    const notice = screen.getByRole('note');
    expect(notice).toHaveTextContent('Never share a private key');
    expect(notice).toHaveTextContent('This page stores the address only');
    expect(notice.className).toContain('text-down');
    expect(screen.getByText('The wallet is used for automated transactions through the bot.')).toBeInTheDocument();
  });

  test('saves the address and shows a toast [S2.8-03, S8.4-01]', async () => {
    await open();
    await userEvent.type(screen.getByLabelText('Wallet address'), ` ${ADDRESS} `);
    await press('Save Wallet');
    expect(await screen.findByText('Wallet Saved')).toBeInTheDocument();
    expect(screen.getByText('Your wallet address has been saved successfully')).toBeInTheDocument();
    expect(sent()).toEqual([{ walletAddress: ADDRESS }]);
    expect(screen.getByText(/Only the address of this wallet is known/)).toBeInTheDocument();
  });

  test.each(['', '   ', 'nonsense', ADDRESS.slice(1), `${ADDRESS}1`])(
    'rejects "%s" with an error beside the field [S5-06]',
    async (text) => {
      await open();
      if (text !== '') await userEvent.type(screen.getByLabelText('Wallet address'), text);
      await press('Save Wallet');
      expect(await screen.findByRole('alert')).toHaveTextContent('Please enter a valid wallet address.');
      expect(screen.getByLabelText('Wallet address')).toHaveValue(text);
      expect(sent()).toEqual([]);
    },
  );

  test('asks for confirmation before an address replaces a wallet with a key [S2.8-03]', async () => {
    await open({ ...defaultSettings, wallet: withKey });
    const field = screen.getByLabelText('Wallet address');
    await userEvent.clear(field);
    await userEvent.type(field, OTHER);
    await press('Save Wallet');
    const question = within(screen.getByRole('alertdialog', { name: 'Replace your wallet?' }));
    expect(question.getByText(/restore the current wallet on the Wallet page for 30 days/)).toBeInTheDocument();
    await userEvent.click(question.getByRole('button', { name: 'Cancel' }));
    expect(sent()).toEqual([]);
    expect(field).toHaveValue(OTHER);
    await press('Save Wallet');
    await press('Replace wallet');
    expect(await screen.findByText('Wallet Saved')).toBeInTheDocument();
    expect(sent()).toEqual([{ walletAddress: OTHER, replaceKey: true }]);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('asks for confirmation when another tab has stored a key in the meantime', async () => {
    await open();
    server.fail(settingsCalls.change, 'wallet-has-key');
    await userEvent.type(screen.getByLabelText('Wallet address'), OTHER);
    await press('Save Wallet');
    expect(await screen.findByRole('alertdialog', { name: 'Replace your wallet?' })).toBeInTheDocument();
  });

  test('keeps the address and shows the error when saving fails', async () => {
    await open();
    server.fail(settingsCalls.change, 'unavailable');
    await userEvent.type(screen.getByLabelText('Wallet address'), ADDRESS);
    await press('Save Wallet');
    expect(await screen.findByText(/The database is not reachable/)).toBeInTheDocument();
    expect(screen.getByLabelText('Wallet address')).toHaveValue(ADDRESS);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save Wallet' })).toBeEnabled());
  });

  test('a double click saves once', async () => {
    await open();
    await userEvent.type(screen.getByLabelText('Wallet address'), ADDRESS);
    const respond = holdResponse(server, settingsCalls.change);
    await userEvent.dblClick(screen.getByRole('button', { name: 'Save Wallet' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    act(() => respond(json({ ...defaultSettings, wallet: { ...withKey, hasKey: false } })));
    await screen.findByText('Wallet Saved');
    expect(sent()).toHaveLength(1);
  });
});

describe('Telegram', () => {
  test('has the username with an @-style placeholder, and a link to start the bot [S2.8-06]', async () => {
    await open();
    await openTab('Telegram');
    expect(screen.getByLabelText('Telegram username').getAttribute('placeholder')).toMatch(/^@/);
    expect(await screen.findByRole('link', { name: 'Start the bot' })).toHaveAttribute(
      'href',
      'https://t.me/mintwatch_bot',
    );
    expect(screen.getByRole('button', { name: 'Save Telegram Settings' })).toBeInTheDocument();
  });

  test('shows that the server has no bot [S2.8-06]', async () => {
    await openSettings(server, { botUsername: null });
    await openTab('Telegram');
    // The link and the card receive the status one after the other.
    await waitFor(() => expect(screen.getAllByText('No Telegram bot is set up on this server.')).toHaveLength(2));
  });

  test('shows a configured bot as not connected while its name is unknown [S2.8-06]', async () => {
    await openSettings(server, { botUsername: null });
    server.answer(telegramCalls.status, { ...workingBot, connected: false, botUsername: null });
    await openTab('Telegram');
    await waitFor(() => expect(screen.getAllByText('The bot is not connected at the moment.')).toHaveLength(2));
    expect(screen.queryByText('No Telegram bot is set up on this server.')).toBeNull();
  });

  test('saves the username without the @ [S8.4-02]', async () => {
    await open();
    await openTab('Telegram');
    await userEvent.type(screen.getByLabelText('Telegram username'), '@some_trader');
    await press('Save Telegram Settings');
    expect(await screen.findByText('Telegram Updated')).toBeInTheDocument();
    expect(screen.getByText('Your Telegram username has been updated')).toBeInTheDocument();
    expect(sent()).toEqual([{ telegramUsername: 'some_trader' }]);
    expect(screen.getByLabelText('Telegram username')).toHaveValue('@some_trader');
  });

  test.each(['', '   '])('rejects "%s" [S5-07]', async (text) => {
    await open();
    await openTab('Telegram');
    if (text !== '') await userEvent.type(screen.getByLabelText('Telegram username'), text);
    await press('Save Telegram Settings');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please enter your Telegram username.');
    expect(sent()).toEqual([]);
  });
});

describe('alerts', () => {
  test('has two sliders and two switches with their defaults [S2.8-07, S9-16, S3-25]', async () => {
    await open();
    await openTab('Alert Settings');
    const [liquidity, risk] = screen.getAllByRole('slider');
    expect(liquidity).toHaveAttribute('aria-valuemin', '0');
    expect(liquidity).toHaveAttribute('aria-valuemax', '10');
    expect(liquidity).toHaveAttribute('aria-valuetext', '0.50 SOL');
    expect(risk).toHaveAttribute('aria-valuemax', '100');
    expect(risk).toHaveAttribute('aria-valuetext', '30 %');
    expect(screen.getByRole('switch', { name: 'New Token Alerts' })).toBeChecked();
    expect(screen.getByRole('switch', { name: 'Price Change Alerts' })).toBeChecked();
  });

  test('sliders move in steps of 0.1 SOL and 5 percent [S9-16]', async () => {
    await open();
    await openTab('Alert Settings');
    const [liquidity, risk] = screen.getAllByRole('slider');
    liquidity?.focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(liquidity).toHaveAttribute('aria-valuetext', '0.60 SOL');
    risk?.focus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(risk).toHaveAttribute('aria-valuetext', '25 %');
  });

  test('saves the values; sliders enforce the bounds without a message [S8.4-03, S5-09]', async () => {
    await open();
    await openTab('Alert Settings');
    const typed = screen.getByLabelText('Minimum liquidity, SOL');
    await userEvent.clear(typed);
    await userEvent.type(typed, '99{Enter}');
    await userEvent.click(screen.getByRole('switch', { name: 'New Token Alerts' }));
    await press('Save Alert Settings');
    expect(await screen.findByText('Alert Settings Saved')).toBeInTheDocument();
    expect(screen.getByText('Your alert settings have been updated')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(sent()).toEqual([
      {
        alerts: { minLiquidity: 10, maxRisk: 30, newTokenAlerts: false, priceChangeAlerts: true, alertsPerHour: 6 },
      },
    ]);
  });

  test('saves the limit of alerts per hour, which stays within its bounds', async () => {
    await open();
    await openTab('Alert Settings');
    const typed = screen.getByLabelText('Alerts per hour, /h');
    expect(typed).toHaveValue('6');
    for (const [text, shown] of [
      ['0', '1'],
      ['99', '60'],
      ['12', '12'],
    ] as const) {
      await userEvent.clear(typed);
      await userEvent.type(typed, `${text}{Enter}`);
      expect(typed).toHaveValue(shown);
    }
    await press('Save Alert Settings');
    expect(await screen.findByText('Alert Settings Saved')).toBeInTheDocument();
    expect(sent()).toEqual([{ alerts: { ...defaultSettings.alerts, alertsPerHour: 12 } }]);
  });
});
