import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { replayCalls } from '../../common/replay/http.ts';
import {
  newReplaySchema,
  type ReplayHour,
  type ReplayResult,
  type ReplayRun,
  type ReplaySums,
  type ReplayTrade,
} from '../../common/replay/model.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import { defaultRule } from '../../common/rules/model.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { reason } from '../../common/trading/reasons.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { sent } from '../testing/page.ts';
import { renderWithApp } from '../testing/render.tsx';
import { AT, id, position } from '../trading/testing/fixtures.ts';
import ReplayPage from './replay-page.tsx';

const HOUR = '2026-11-23T05';
const SOL = 1_000_000_000;
const rule = { ...defaultRule, name: 'Small buys', id: id(7), createdAt: AT, updatedAt: AT };
const hour: ReplayHour = {
  ...{ hour: HOUR, from: `${HOUR}:00:00.000Z`, to: `${HOUR}:59:59.000Z`, changes: 12_345, bytes: 1 },
  gaps: [
    { from: `${HOUR}:15:00.000Z`, to: `${HOUR}:30:00.000Z` },
    { from: `${HOUR}:43:03.000Z`, to: `${HOUR}:43:44.000Z` },
  ],
};
const trade: ReplayTrade = {
  ...{ address: position(1).token.address, symbol: 'CAT', planName: 'Small buys', at: `${HOUR}:05:00.000Z` },
  ...{ state: 'closed', lamports: SOL / 10, price: 1, feesLamports: SOL / 1_000, resultLamports: SOL / 50 },
  ...{ sales: [{ exit: 'take profit', at: `${HOUR}:06:00.000Z`, lamports: SOL / 8 }], failure: null },
};
const sums: ReplaySums = {
  ...{ bought: 1, failed: 0, closed: 1, open: 0, spentLamports: SOL / 10, feesLamports: SOL / 1_000 },
  ...{ realisedLamports: SOL / 50, resultLamports: SOL / 50 },
};
const result: ReplayResult = {
  ...{ from: hour.from, to: hour.to, gaps: hour.gaps, considered: 20_042 },
  replay: { trades: [trade], sums },
  live: { mode: 'local', trades: [], sums: { ...sums, bought: 0, closed: 0, resultLamports: 0 } },
  refusals: [
    { reason: reason('unknown-risk'), count: 30 },
    { reason: reason('unknown-liquidity'), count: 11 },
  ],
};
const run = (fields: Partial<ReplayRun>): ReplayRun => ({
  ...{ id: id(9), hour: HOUR, state: 'running', progress: 0, result: null, ...fields },
});
const server = fakeServerPerTest();

beforeEach(() => {
  server.answer(ruleCalls.list, [rule]);
  server.answer(strategyCalls.list, []);
  server.answer(replayCalls.hours, { isRecording: true, hours: [hour] });
});

const open = () => renderWithApp(<ReplayPage />, { path: '/app/replay' });

test('shows the recorded hours with their gaps, and says when there are none [T-39]', async () => {
  const { unmount } = open();
  expect(await screen.findByRole('img', { name: '73 % of the hour is recorded' })).toBeTruthy();
  expect(screen.getByText(/12,345 changes · not recorded: 05:15–05:30, 05:43:03–05:43:44$/)).toBeTruthy();
  unmount();
  server.answer(replayCalls.hours, { isRecording: false, hours: [] });
  open();
  expect(await screen.findByText('Recording is switched off on this server.')).toBeTruthy();
});

test('runs a changed copy of a rule, and shows the result beside live trading [T-39]', async () => {
  const user = userEvent.setup();
  server.answer(replayCalls.start, run({}));
  server.answer(replayCalls.read, run({ state: 'done', progress: 1, result }));
  open();
  await user.click(await screen.findByRole('combobox', { name: 'Rule or strategy' }));
  await user.click(await screen.findByRole('option', { name: 'Rule · Small buys' }));
  await user.click(screen.getByRole('button', { name: 'Change for this run' }));
  const amount = screen.getByLabelText('Buy Amount');
  await user.clear(amount);
  await user.type(amount, '0.5');
  await user.click(screen.getByRole('button', { name: 'Run' }));
  await screen.findByRole('table', { name: 'Totals' });
  const [started] = sent(server, 'POST', replayCalls.start.path);
  expect(newReplaySchema.parse(started)).toMatchObject({
    hour: HOUR,
    plan: { kind: 'rule', id: rule.id, rule: { name: 'Small buys', buyAmount: 0.5 } },
  });
  const table = await screen.findByRole('table', { name: 'Totals' });
  expect(within(table).getByRole('row', { name: /^Result/ }).textContent).toMatch(/\+0\.0200 SOL/);
  expect(screen.getByText(/take profit .* for 0\.1250/)).toBeTruthy();
  expect(screen.getByText('Not bought · 41 tokens')).toBeTruthy();
  expect(screen.getByText(/ · 20,042 new tokens$/)).toBeTruthy();
  expect(screen.getByText('Each token counts once, with its last reason.')).toBeTruthy();
  expect(screen.getByText(/Live shows what became of your positions of this hour until now\./)).toBeTruthy();
  expect(screen.getByText(/Nothing is bought or sold in between/)).toBeTruthy();
  expect(screen.getByText(/Live orders of this hour were on the Local chain/)).toBeTruthy();
  expect(within(screen.getByRole('table', { name: 'Reasons' })).getByText('30')).toBeTruthy();
});

test('keeps plan and hour over a reload, and shows the first plan for one that is gone [T-39]', async () => {
  const user = userEvent.setup();
  const earlier = { ...hour, hour: '2026-11-23T04', gaps: [] };
  server.answer(replayCalls.hours, { isRecording: true, hours: [hour, earlier] });
  const before = open();
  await user.click(await screen.findByRole('combobox', { name: 'Rule or strategy' }));
  await user.click(await screen.findByRole('option', { name: 'Rule · Small buys' }));
  await user.click(screen.getByRole('combobox', { name: 'Recorded hour' }));
  await user.click(await screen.findByRole('option', { name: /04:00 UTC/ }));
  const path = before.path();
  before.unmount();
  const after = renderWithApp(<ReplayPage />, { path });
  const shown = async (name: string) => (await screen.findByRole('combobox', { name })).textContent;
  expect(await shown('Rule or strategy')).toContain('Rule · Small buys');
  expect(await shown('Recorded hour')).toContain('04:00 UTC');
  after.unmount();
  server.answer(ruleCalls.list, [{ ...rule, id: id(8), name: 'Other buys' }]);
  renderWithApp(<ReplayPage />, { path });
  expect(await shown('Rule or strategy')).toContain('Rule · Other buys');
});

test('asks for a plan when the user has none [T-39]', async () => {
  server.answer(ruleCalls.list, []);
  open();
  expect(await screen.findByText('No rules or strategies yet.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Run' })).toBeNull();
});

test('shows the progress of a run, and cancels it [T-39]', async () => {
  const user = userEvent.setup();
  server.answer(replayCalls.start, run({ progress: 0.25 }));
  server.answer(replayCalls.read, run({ progress: 0.25 }));
  server.answer(replayCalls.cancel, run({ state: 'cancelled' }));
  open();
  await user.click(await screen.findByRole('button', { name: 'Run' }));
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('25');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('The run was cancelled.')).toBeTruthy();
});

test('a run stays cancelled when it was read at the same moment [T-39]', async () => {
  const user = userEvent.setup();
  let respond = (): void => undefined;
  const both = new Promise<void>((resolve) => {
    respond = resolve;
  });
  server.answer(replayCalls.start, run({}));
  server.reply(replayCalls.cancel, () => both.then(() => json(run({ state: 'cancelled' }))));
  server.reply(replayCalls.read, () => both.then(() => json(run({ progress: 0.5 }))));
  open();
  await user.click(await screen.findByRole('button', { name: 'Run' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(server.count(replayCalls.read)).toBe(1));
  act(respond);
  await waitFor(() => expect(server.count(replayCalls.cancel)).toBe(1));
  expect(await screen.findByText('The run was cancelled.')).toBeTruthy();
});

test('says why a run did not start [T-39]', async () => {
  const user = userEvent.setup();
  server.fail(replayCalls.start, 'too-many-requests');
  open();
  await user.click(await screen.findByRole('button', { name: 'Run' }));
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
});
