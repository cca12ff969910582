import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token, TokenStats } from '../../common/tokens/model.ts';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { pollEvery } from '../live/connection/polling.ts';
import { liveOf } from '../live/live.ts';
import { address, NOON, stats, token } from '../live/testing/build.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { type Rendered, renderWithApp } from '../testing/render.tsx';
import DashboardPage from './dashboard-page.tsx';

const rest = fakeServerPerTest();

beforeEach(() => {
  // Only the clock, for ages; timers stay real.
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  rest.answer(watchlistCalls.list, []);
  answer({});
});
afterEach(() => void vi.useRealTimers());

const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5', 'X-Total-Count': '1234' };

function answer(lists: { fresh?: Token[]; runners?: Token[]; mightRun?: Token[]; counted?: TokenStats }): void {
  const { fresh = [token(1), token(2)], runners = [], mightRun = [], counted } = lists;
  rest.answer(tokenCalls.list, fresh, feed);
  rest.answer(tokenCalls.new, fresh, feed);
  rest.answer(tokenCalls.runners, runners, feed);
  rest.answer(tokenCalls.mightRun, mightRun, feed);
  rest.answer(tokenCalls.stats, counted ?? stats(), feed);
}

async function shown(): Promise<Rendered> {
  const rendered = renderWithApp(<DashboardPage />, { path: '/app' });
  const { loader, writer } = liveOf(rendered.store);
  await loader.loadStats();
  act(() => writer.flush());
  return rendered;
}

const table = (name: string) => screen.findByRole('table', { name });

test("the title is 'Dashboard' [S2.5-01]", async () => {
  await shown();
  expect(document.title).toBe('Dashboard · Mintwatch');
});

test('Total Tokens counts tracked tokens, New Tokens those created in the last hour [S2.5-06]', async () => {
  await shown();
  const card = (label: string) => screen.getByText(label, { selector: 'span' }).closest('.rounded-lg');
  expect(card('Total Tokens')).toHaveTextContent('1,234');
  expect(card('New Tokens')).toHaveTextContent('56');
});

test('an unknown count is a dash, not 0 [S2.5-06]', () => {
  rest.fail(tokenCalls.stats, 'unavailable');
  renderWithApp(<DashboardPage />);
  expect(screen.getAllByLabelText(/ Tokens: not known yet$/)).toHaveLength(2);
});

test('each tab lists the tokens of its name, with their count [S2.5-10]', async () => {
  answer({
    fresh: [token(1)],
    runners: [token(2, { runner: true }), token(3, { runner: true })],
    mightRun: [token(90, { mightRun: true })],
    // More than a list contains.
    counted: stats({ runners: 431, mightRun: 205 }),
  });
  const user = userEvent.setup();
  await shown();
  expect(within(await table('Newest Tokens')).getAllByRole('row')).toHaveLength(2);
  await user.click(screen.getByRole('tab', { name: /^Runner Tokens\s*431$/ }));
  expect(within(await table('Runner Tokens')).getByText('Token 3')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: /^Might Run Tokens\s*205$/ }));
  expect(within(await table('Might Run Tokens')).getByText('Token 90')).toBeVisible();
});

test('a row shows its risk, and a badge for a runner or might-run token [S2.5-15]', async () => {
  answer({
    fresh: [
      token(1, { scamProbability: 71 }),
      token(2, { scamProbability: null, runner: true }),
      token(3, { scamProbability: 12, mightRun: true }),
    ],
  });
  await shown();
  const [, high, unknown, low] = within(await table('Newest Tokens')).getAllByRole('row');
  expect(high).toHaveTextContent('71High Risk');
  expect(unknown).toHaveTextContent('–Unknown');
  expect(unknown).toHaveTextContent('Runner');
  expect(low).toHaveTextContent('12Low Risk');
  expect(low).toHaveTextContent('Might Run');
});

test('a row shows liquidity, market cap and volume, and links to its token [S2.5-16, S9-10]', async () => {
  const user = userEvent.setup();
  answer({ fresh: [token(1), token(2, { currentLiquidity: 0.0004, marketCap: null, volume: null })] });
  const { path } = await shown();
  const [, first, second] = within(await table('Newest Tokens')).getAllByRole('row');
  expect(first).toHaveTextContent('3.250 SOL');
  expect(first).toHaveTextContent('$5.2K');
  expect(first).toHaveTextContent('$950');
  expect(second).toHaveTextContent('< 0.001 SOL');
  expect(second).not.toHaveTextContent('$');
  await user.click(within(first ?? document.body).getByRole('link', { name: 'Details of Token 1' }));
  expect(path()).toBe(`/app/tokens/${address(1)}`);
});

test('shows that a list is empty [S8.3-01]', async () => {
  const user = userEvent.setup();
  answer({ fresh: [], runners: [], mightRun: [] });
  await shown();
  expect(await screen.findByText('No New Tokens')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: /Runner Tokens/ }));
  expect(screen.getByText('No Runner Tokens')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: /Might Run Tokens/ }));
  expect(screen.getByText('No "Might Run" Tokens')).toBeVisible();
});

test('shows skeletons while lists load, and a retry for failed ones', async () => {
  const user = userEvent.setup();
  rest.fail(tokenCalls.new, 'internal');
  renderWithApp(<DashboardPage />);
  expect(screen.getByRole('status', { name: 'Loading Newest Tokens' })).toBeInTheDocument();
  expect(await screen.findByText('Error Loading Tokens')).toBeVisible();
  answer({});
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await table('Newest Tokens')).toBeVisible();
});

test('polls tokens every 60 s and its lists every 30 s while the feed is down [S9-02, S9-03]', async () => {
  const { store, unmount } = await shown();
  const { shownLists } = liveOf(store);
  expect(shownLists.interval('all')).toBe(60_000);
  expect([shownLists.interval('new'), shownLists.interval('runners'), shownLists.interval('mightRun')]).toEqual([
    30_000, 30_000, 30_000,
  ]);
  expect(pollEvery.dashboard).toBe(60_000);
  unmount();
  expect(shownLists.subjects()).toEqual([]);
});

test('marks a simulated token [S3-10]', async () => {
  answer({ fresh: [token(1), token(2, { metadata: { ...token(2).metadata, source: 'pump.fun' } })] });
  await shown();
  const [, simulated, real] = within(await table('Newest Tokens')).getAllByRole('row');
  expect(simulated).toHaveTextContent('Simulated');
  expect(real).toHaveTextContent('pump.fun');
});

test('marks a token whose symbol an older coin has, and not the original', async () => {
  answer({ fresh: [token(1, { symbol: 'OTTR', copyOf: address(2) }), token(2, { symbol: 'OTTR' })] });
  await shown();
  const [, copy, original] = within(await table('Newest Tokens')).getAllByRole('row');
  expect(within(copy ?? document.body).getByText('Copy')).toHaveAttribute('title', expect.stringContaining('older'));
  expect(original).not.toHaveTextContent('Copy');
});

test('counts the coins with the symbol of a token, and marks the first of them', async () => {
  answer({
    fresh: [
      token(1, { twins: [3, 4], copyOf: address(2) }),
      token(2, { twins: [1, 4] }),
      token(3, { twins: [22, 31] }),
    ],
  });
  await shown();
  const [, third, first, many] = within(await table('Newest Tokens')).getAllByRole('row');
  const text = expect.stringMatching(/^Same symbol or name 4 times in 24 h, this is the 3rd\. Not the first/);
  expect(within(third ?? document.body).getByText('×4')).toHaveAttribute('title', text);
  expect(within(first ?? document.body).getByText('first ×4')).toHaveAttribute(
    'title',
    'Same symbol or name 4 times in 24 h, this is the 1st. ',
  );
  expect(within(many ?? document.body).getByText('×30+')).toBeVisible();
});

test('reads a price in plain decimals to screen readers', async () => {
  answer({ fresh: [token(1, { price: 0.00000003011 })] });
  await shown();
  const row = within(await table('Newest Tokens')).getAllByRole('row')[1];
  expect(row).toHaveTextContent('0.0₇3011');
  expect(within(row ?? document.body).getByRole('cell', { name: '0.00000003011 SOL' })).toBeVisible();
});

test("shows a stranger's text as text", async () => {
  answer({ fresh: [token(1, { name: '<img src=x onerror=alert(1)>', symbol: '\u202Ereversed' })] });
  await shown();
  const row = within(await table('Newest Tokens')).getAllByRole('row')[1];
  expect(row?.querySelector('img')).toBeNull();
  expect(row).toHaveTextContent('<img src=x onerror=alert(1)>');
  expect(row?.textContent).not.toContain('\u202E');
});
