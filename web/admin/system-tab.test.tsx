import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import type { SystemStatus } from '../../common/admin/model.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { liveOf } from '../live/live.ts';
import { run } from '../maintenance/testing/fixtures.ts';
import { AT, minute, source, systemStatus } from '../system/testing/fixtures.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { findToast } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import SystemTab from './system-tab.tsx';

const server = fakeServerPerTest();

beforeEach(() => {
  ticks = 0;
  server.answer(maintenanceCalls.runs, []);
});

async function open(fields: Partial<SystemStatus> = {}): Promise<Rendered> {
  server.answer(adminCalls.systemStatus, { status: systemStatus(fields), history: [], day: [], starts: [] });
  const rendered = renderWithApp(<SystemTab />, { session: sessionUser({ isAdmin: true }) });
  await screen.findByRole('region', { name: 'Telegram Bot' });
  return rendered;
}

const region = (name: string) => screen.getByRole('region', { name });
/** The text of the figure beside a label. */
const fact = (card: string, label: string) =>
  within(region(card)).getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;
let ticks = 0;

/** Emits a status one second later than the last, and waits until it is shown. */
async function emitStatus({ store, container }: Rendered, fields: Partial<SystemStatus> = {}): Promise<void> {
  ticks += 1;
  const status = systemStatus({ at: new Date(Date.parse(AT) + ticks * 1_000).toISOString(), ...fields });
  act(() => liveOf(store).receive({ event: 'system-status', payload: status }));
  await waitFor(() => expect(container.querySelector(`time[datetime="${status.at}"]`)).not.toBeNull());
}

test('shows the bot with its connection, chats and queue [S2.13-11]', async () => {
  const rendered = await open();
  expect(region('Telegram Bot')).toHaveTextContent('Connected');
  expect([fact('Telegram Bot', 'Linked chats'), fact('Telegram Bot', 'Messages waiting')]).toEqual(['7', '2']);
  const bot = { configured: true, connected: false, error: 'Run only one bot instance.', chats: 7, queued: 3 };
  await emitStatus(rendered, { bot });
  expect(region('Telegram Bot')).toHaveTextContent('Not connected');
  expect(region('Telegram Bot')).toHaveTextContent('Run only one bot instance.');
  await emitStatus(rendered, { bot: { ...bot, configured: false, error: null } });
  expect(region('Telegram Bot')).toHaveTextContent('No TELEGRAM_BOT_TOKEN was provided.');
});

test('shows the chain scanner with its interval, runs and results [S2.13-12]', async () => {
  const soon = new Date(Date.now() + 210_000).toISOString();
  const ago = new Date(Date.now() - 150_000).toISOString();
  const chainScanner = {
    state: 'running',
    intervalMs: 300_000,
    lastRunAt: ago,
    nextRunAt: soon,
    found: 1_234,
  } as const;
  const rendered = await open({ chainScanner });
  expect(region('Chain Scanner')).toHaveTextContent('Running');
  const facts = ['Scan interval', 'Last run', 'Next run', 'Tokens found'].map((label) => fact('Chain Scanner', label));
  expect(facts).toEqual(['5 minutes', '2m ago', expect.stringMatching(/^in 3m \d+s$/), '1,234']);
  await emitStatus(rendered, { chainScanner: { ...chainScanner, state: 'off', lastRunAt: null, nextRunAt: null } });
  expect(region('Chain Scanner')).toHaveTextContent('Off');
  expect(fact('Chain Scanner', 'Last run')).toBe('–');
});

test('shows the social-feed scanner with its accounts, state and reason for being off [S2.13-13]', async () => {
  const rendered = await open();
  expect(fact('Social-Feed Scanner', 'Tracked accounts')).toBe('5');
  expect(region('Social-Feed Scanner')).toHaveTextContent('@one, @two, @three, @four, @five');
  expect(region('Social-Feed Scanner')).toHaveTextContent('Off');
  expect(region('Social-Feed Scanner')).toHaveTextContent('X_BEARER_TOKEN is not set.');
  const social = { ...systemStatus().social, state: 'live', reason: null, posts: 41, mentions: 3 } as const;
  await emitStatus(rendered, { social });
  expect(region('Social-Feed Scanner')).toHaveTextContent('Running');
  const facts = ['Posts read', 'Mint addresses named'].map((label) => fact('Social-Feed Scanner', label));
  expect(facts).toEqual(['41', '3']);
});

test('shows live counts of the auto-buy engine [S2.13-14]', async () => {
  const rendered = await open();
  const facts = () =>
    ['Active rules', 'Active strategies', 'Transactions today'].map((label) => fact('Auto-Buy Engine', label));
  expect(facts()).toEqual(['3', '4', '9']);
  await emitStatus(rendered, { autoBuy: { activeRules: 0, activeStrategies: 4, transactionsToday: 10 } });
  expect(facts()).toEqual(['0', '4', '10']);
});

test('shows the state of the aggregator sources, starts a run and follows its progress [S2.13-15, S8.7-14]', async () => {
  const { store } = await open();
  const sources = within(screen.getByRole('list', { name: 'Sources of the aggregator' }));
  expect(sources.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Solana Token ListOff',
    'SolanaFMOff',
    'SolscanOff',
    'JupiterLive',
  ]);
  server.answer(maintenanceCalls.runMultiSourceAggregator, { message: 'Asking 2 sources.', started: true });
  await userEvent.click(screen.getByRole('button', { name: 'Run Now' }));
  expect(await findToast('Aggregator Scan Started')).toHaveTextContent('Asking 2 sources.');
  const action = 'run-multi-source-aggregator';
  act(() =>
    liveOf(store).receive({
      event: 'maintenance',
      payload: run({ action, done: 1, total: 4, message: 'Jupiter: 30 tokens reported' }),
    }),
  );
  const card = within(region('Multi-Source Aggregator'));
  expect(await card.findByText('1 of 4')).toBeVisible();
  expect(card.getByText('Jupiter: 30 tokens reported')).toBeVisible();
  expect(card.getByRole('button', { name: 'Run Now' })).toBeDisabled();
  const ended = {
    state: 'done',
    endedAt: new Date().toISOString(),
    by: 'schedule',
    message: '2 sources answered',
  } as const;
  act(() => liveOf(store).receive({ event: 'maintenance', payload: run({ action, done: 4, total: 4, ...ended }) }));
  expect(await card.findByText('2 sources answered')).toBeVisible();
  expect(card.getByText(/by the schedule/)).toBeVisible();
  expect(card.getByRole('button', { name: 'Run Now' })).toBeEnabled();
});

test('shows an error when the aggregator could not start [S8.7-06]', async () => {
  await open();
  server.fail(maintenanceCalls.runMultiSourceAggregator, 'already-running');
  await userEvent.click(screen.getByRole('button', { name: 'Run Now' }));
  const toast = await findToast('Multi-Source Aggregator Failed');
  expect(toast).toHaveTextContent('This is already running.');
  expect(toast).toHaveAttribute('data-variant', 'destructive');
});

test('offers no run of the aggregator without a source that can be polled [S2.13-15]', async () => {
  const aggregator = systemStatus().aggregator;
  const rendered = await open({ aggregator: { ...aggregator, lastRunAt: null, nextRunAt: null } });
  const button = screen.getByRole('button', { name: 'Run Now' });
  expect(button).toBeDisabled();
  expect(button).toHaveAccessibleDescription(/^MARKET names no source that can be polled\./);
  await emitStatus(rendered, { aggregator });
  expect(button).toBeEnabled();
});

test('follows a source that goes down and recovers [S2.13-15]', async () => {
  const rendered = await open();
  const row = () => within(screen.getByRole('row', { name: /^Jupiter/ }));
  expect(row().getByText('Live')).toBeVisible();
  expect(screen.getByText('3 of 3 sources live')).toBeVisible();
  const others = systemStatus().sources.filter((one) => one.source !== 'jupiter');
  const down = source('jupiter', {
    label: 'Jupiter',
    state: 'down',
    reason: 'The service does not answer.',
    errors: 1_204,
    lastErrorAt: new Date(Date.now() - 3_000).toISOString(),
    malformed: 7,
    circuit: 'open',
    retryAt: new Date(Date.now() + 40_500).toISOString(),
    budget: { limit: 60, left: 0, resetsAt: null },
  });
  await emitStatus(rendered, { sources: [...others, down] });
  expect(row().getByText('Down')).toBeVisible();
  expect(row().getByText('The service does not answer.')).toBeVisible();
  const cells = row()
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells.slice(2)).toEqual([
    '12',
    expect.stringMatching(/^1,204 \(\d+s ago\)$/),
    '7',
    expect.stringMatching(/^open, retries in \d+s$/),
    '0 of 60',
    'not needed',
  ]);
  expect(screen.getByText('2 of 3 sources live')).toBeVisible();
  await emitStatus(rendered);
  expect(row().getByText('Live')).toBeVisible();
});

test('shows the rest of a monthly allowance below the rate limit', async () => {
  const rendered = await open();
  const allowance = { limit: 2_500, left: 1_204, resetsAt: '2026-12-01T00:00:00.000Z' };
  const tracker = source('solana-tracker', {
    label: 'Solana Tracker',
    budget: { limit: 1, left: 1, resetsAt: null },
    allowance,
  });
  await emitStatus(rendered, { sources: [tracker] });
  const row = within(screen.getByRole('row', { name: /^Solana Tracker/ }));
  expect(row.getByText('1,204').parentElement).toHaveAttribute('title', expect.stringContaining('Resets '));
  expect(row.getByText(/this month/).closest('td')).toHaveTextContent('1 of 11,204 of 2,500 this month');
});

test('lists sources that are off last, with the reason [S2.13-15]', async () => {
  await open();
  const rows = within(screen.getByRole('table', { name: 'Sources' })).getAllByRole('rowheader');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Simulator',
    'Jupiter',
    'Solana Tracker',
    'SolscanThe service needs a key.',
  ]);
});

test('shows facts of the network, each with its age, and unknown ones', async () => {
  const rendered = await open();
  expect(fact('Solana Network', 'Slot length')).toMatch(/^200 ms \(.* ago\)$/);
  expect(fact('Solana Network', 'Rent a byte')).toMatch(/^5,080 lamports \(.* ago\)$/);
  expect(fact('Solana Network', 'Alpenglow')).toMatch(/^not active/);
  expect(fact('Solana Network', 'Transaction versions seen')).toMatch(/^legacy, 0, 1/);
  await emitStatus(rendered, {
    network: { slotMs: null, rentPerByteLamports: null, isAlpenglow: null, versions: null },
  });
  expect(fact('Solana Network', 'Slot length')).toBe('unknown');
});

test('shows figures of the feed, the database and the process [S2.13-11]', async () => {
  const rendered = await open();
  const feed = ['Clients', 'Events', 'Lag p50 / p99', 'Stalled clients', 'Waiting to be sent', 'Closed for being slow'];
  expect(feed.map((label) => fact('Live Feed', label))).toEqual(['5', '4.3 /s', '3.2 / 42 ms', '1', '12 kB', '0']);
  const process = ['MongoDB answers in', 'Memory', 'of it JavaScript', 'Event loop held up at most', 'Running for'];
  expect(process.map((label) => fact('Server', label))).toEqual(['0.8 ms', '412 MB', '120 MB', '18 ms', '30 s']);
  expect(region('Server')).toHaveTextContent('MongoDB up');
  await emitStatus(rendered, { mongo: { up: false, pingMs: null } });
  expect(region('Server')).toHaveTextContent('MongoDB down');
  expect(fact('Server', 'MongoDB answers in')).toBe('–');
});

test('the refresh button refetches and shows a toast; a failure appears above the old figures [S8.7-14]', async () => {
  await open();
  server.answer(adminCalls.systemStatus, { status: systemStatus({ uptime: 40 }), history: [], day: [], starts: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await findToast('Status refreshed')).toBeVisible();
  expect(fact('Server', 'Running for')).toBe('40 s');
  server.fail(adminCalls.systemStatus, 'unavailable');
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText('The system status could not be fetched')).toBeVisible();
  expect(fact('Server', 'Running for')).toBe('40 s');
});

test('shows an error with a retry button when the status fails to load [S2.13-11]', async () => {
  server.fail(adminCalls.systemStatus, 'unavailable');
  renderWithApp(<SystemTab />);
  expect(screen.getByRole('status', { name: 'Loading the system status' })).toBeInTheDocument();
  expect(await screen.findByText('The system status could not be fetched')).toBeVisible();
  server.answer(adminCalls.systemStatus, { status: systemStatus(), history: [], day: [], starts: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('region', { name: 'Telegram Bot' })).toBeVisible();
});

test('fetches a minute that has ended since the last response, once [S2.13-11]', async () => {
  const rendered = await open();
  expect(screen.getByText('Not enough minutes yet')).toBeVisible();
  const before = server.count(adminCalls.systemStatus);
  const at = minute(2).at;
  const history = [minute(1), minute(2, { sources: { jupiter: { events: 3, errors: 2 } } })];
  server.answer(adminCalls.systemStatus, { status: systemStatus({ at, uptime: 150 }), history, day: [], starts: [] });
  await emitStatus(rendered, { at, uptime: 150 });
  expect(await screen.findByText('Errors by source: Jupiter 2.')).toBeVisible();
  await emitStatus(rendered, { at: new Date(Date.parse(at) + 1_000).toISOString(), uptime: 151 });
  await waitFor(() => expect(server.count(adminCalls.systemStatus)).toBe(before + 1));
  await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
  const rows = within(screen.getByRole('table', { name: 'The last hour by minute' })).getAllByRole('row');
  expect(rows).toHaveLength(3);
  const cells = [...(rows[1]?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent);
  expect(cells).toEqual(['2', '4 /s', '40 ms', '400 MB', '2', 'Jupiter 2']);
});
