import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { adminTradingCalls } from '../../common/trading/http.ts';
import type { TradingStatus } from '../../common/trading/status.ts';
import { liveOf } from '../live/live.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { findToast } from '../testing/page.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { AutoBuyEngineCard } from './engine-card.tsx';
import { AT, systemStatus } from './testing/fixtures.ts';

const server = fakeServerPerTest();

function status(fields: Partial<TradingStatus> = {}): TradingStatus {
  return {
    server: 'local',
    state: 'running',
    stoppedAt: null,
    orders: { created: 1, held: 0, sent: 2, unknown: 0 },
    oldestAt: new Date(Date.now() - 125_000).toISOString(),
    today: { confirmed: 12, failed: 4, failures: { expired: 1, 'day-budget': 3 } },
    decisionMs: { p50: 31.26, p99: 140 },
    confirmationMs: { p50: 420, p99: null },
    engine: null,
    tape: null,
    ...fields,
  };
}

async function open(fields: Partial<TradingStatus> = {}) {
  server.answer(adminTradingCalls.status, status(fields));
  const rendered = renderWithApp(<AutoBuyEngineCard status={systemStatus()} />, {
    session: sessionUser({ isAdmin: true }),
  });
  await screen.findByText('Network');
  return rendered;
}

const fact = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;
const card = () => screen.getByRole('region', { name: 'Auto-Buy Engine' });
const answerQuestion = async (verb: string) =>
  userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: verb }));

test('shows what rules and strategies do [T-33]', async () => {
  await open({
    engine: {
      ...{ isDeciding: true, rules: 12, strategies: 3, tokens: 4_321, candidates: 17 },
      ...{ evaluatedPerSecond: 812.4, lagMs: { p50: 61.2, p99: 180 } },
    },
  });
  expect(fact('Rules and strategies decide')).toBe('Yes');
  expect(fact('Considered tokens')).toBe('4,321');
  expect(fact('Candidates')).toBe('17');
  expect(fact('Evaluated per second')).toBe('812');
  expect(fact('Decided to stored p50 / p99')).toBe('61 / 180 ms');
});

test('shows what the tape has recorded, and why it records nothing [T-37]', async () => {
  const tape = { state: 'recording', hours: 71, bytes: 1_234_567_890, gaps: 2 } as const;
  const { store } = await open({ tape: { ...tape, lastAt: new Date(Date.now() - 2_000).toISOString() } });
  expect(fact('Recording for replays')).toBe('Yes');
  expect(fact('Recorded hours')).toBe('71 (1,235 MB)');
  expect(fact('Gaps in them')).toBe('2');
  expect(fact('Last recorded')).toBe('2s ago');
  const show = (fields: Partial<TradingStatus>) =>
    act(() => liveOf(store).receive({ event: 'trading-status', payload: status(fields) }));
  show({ tape: { ...tape, state: 'disk', lastAt: null } });
  await waitFor(() => expect(fact('Recording for replays')).toBe('Paused: the disk refused a write'));
  expect(fact('Last recorded')).toBe('–');
  show({ tape: null });
  await waitFor(() => expect(fact('Recording for replays')).toBe('Off by TAPE_HOURS or TAPE_MEGABYTES'));
  expect(screen.queryByText('Recorded hours')).toBeNull();
  show({ server: 'off', tape: null });
  await waitFor(() => expect(screen.queryByText('Recording for replays')).toBeNull());
});

test('shows orders by state, failures by reason and latencies beside the counts', async () => {
  await open();
  expect(card()).toHaveTextContent('Running');
  expect(fact('Active rules')).toBe('3');
  expect(fact('Network')).toBe('Local chain');
  expect(fact('Waiting / reserved / sent')).toBe('1 / 0 / 2');
  expect(fact('Without a verdict')).toBe('0');
  expect(fact('Oldest open order')).toBe('2m ago');
  expect(fact('Confirmed today')).toBe('12');
  expect(fact('Failed today')).toBe('4: day budget 3, expired 1');
  expect(fact('Sent after p50 / p99')).toBe('31 / 140 ms');
  expect(fact('Confirmed after p50 / p99')).toBe('420 ms / –');
});

test('follows the events', async () => {
  const { store } = await open();
  const payload = status({ state: 'locked', oldestAt: null, orders: { created: 0, held: 0, sent: 0, unknown: 5 } });
  act(() => liveOf(store).receive({ event: 'trading-status', payload }));
  await waitFor(() => expect(card()).toHaveTextContent('Locked'));
  expect(fact('Without a verdict')).toBe('5');
  expect(fact('Oldest open order')).toBe('–');
  expect(card()).toHaveTextContent('Buying with real money is locked');
});

test('stops and resumes buying for everybody, each after a question', async () => {
  server.answer(adminTradingCalls.stop, status({ state: 'stopped', stoppedAt: AT }));
  server.answer(adminTradingCalls.resume, status());
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Stop all' }));
  expect(server.count(adminTradingCalls.stop)).toBe(0);
  await answerQuestion('Stop all');
  await findToast('Trading Stopped');
  expect(server.count(adminTradingCalls.stop)).toBe(1);
  await waitFor(() => expect(card()).toHaveTextContent(/No user can buy since .* Sales go on\./));
  await userEvent.click(screen.getByRole('button', { name: 'Resume all' }));
  await answerQuestion('Resume all');
  await findToast('Trading Resumed');
  expect(server.count(adminTradingCalls.resume)).toBe(1);
  await waitFor(() => expect(card()).toHaveTextContent('Running'));
});

test('tests a locked program again on request, and shows whether the lock has ended', async () => {
  await open({ server: 'live', state: 'locked' });
  const again = () => screen.getByRole('button', { name: 'Test again' });
  server.answer(adminTradingCalls.test, status({ server: 'live', state: 'locked' }));
  await userEvent.click(again());
  expect(await findToast('Still Locked')).toHaveTextContent("The launchpad's program did not pass the test.");
  expect(card()).toHaveTextContent('Locked');
  server.answer(adminTradingCalls.test, status({ server: 'live' }));
  await userEvent.click(again());
  await findToast('Test Passed');
  await waitFor(() => expect(card()).toHaveTextContent('Running'));
  expect(screen.queryByRole('button', { name: 'Test again' })).toBeNull();
});

test('a refused stop keeps the question open and shows its reason', async () => {
  await open();
  server.fail(adminTradingCalls.stop, 'trading-off');
  await userEvent.click(screen.getByRole('button', { name: 'Stop all' }));
  await answerQuestion('Stop all');
  expect(await findToast('Error')).toHaveTextContent('Trading is switched off on this server.');
  expect(screen.getByRole('alertdialog')).toBeVisible();
});

test('offers no stop while trading is off', async () => {
  await open({ server: 'off', state: 'off' });
  expect(card()).toHaveTextContent('Trading is switched off by TRADING.');
  expect(screen.queryByRole('button')).toBeNull();
});

test('keeps the counts when the state of trading can not be fetched', async () => {
  server.fail(adminTradingCalls.status, 'forbidden', 'Only for administrators.');
  renderWithApp(<AutoBuyEngineCard status={systemStatus()} />, { session: sessionUser({ isAdmin: true }) });
  expect(await screen.findByText('The state of trading could not be fetched: Only for administrators.')).toBeVisible();
  expect(fact('Transactions today')).toBe('9');
});
