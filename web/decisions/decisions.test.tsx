import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { decisionCalls } from '../../common/decisions/http.ts';
import { reason } from '../../common/trading/reasons.ts';
import { rule, serveRules } from '../auto-buy/testing/fixtures.ts';
import { liveOf } from '../live/live.ts';
import RulesPage from '../rules/rules-page.tsx';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { id, USER_ID } from '../testing/page.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { ADDRESS, decision, explanation } from './testing/fixtures.ts';
import { receiveDecision } from './use-decisions.ts';
import { WhyTab } from './why-tab.tsx';

const server = fakeServerPerTest();

const session = sessionUser({ id: USER_ID });
const AT = '2026-02-03T04:05:06.000Z';

async function openRules() {
  serveRules(server, [rule(1), rule(2)]);
  const { address, symbol, outcome, reason: why, waits, lastAt } = decision(9);
  const last = { address, symbol, outcome, reason: why, waits, lastAt };
  server.answer(decisionCalls.results, [
    { planId: id(1), bought: 3, open: 1, realisedLamports: 120_000_000, last },
    { planId: id(3), bought: 9, open: 9, realisedLamports: -1, last: null },
  ]);
  const rendered = renderWithApp(<RulesPage />, { path: '/app/auto-buy', session });
  const results = await screen.findByRole('region', { name: 'Results of Rule 1' });
  return { ...rendered, results };
}

test('the card of a plan shows what it has bought, its profit and its last answer, by one call for all cards [T-36]', async () => {
  const { results, store } = await openRules();
  await waitFor(() => expect(results).toHaveTextContent('Bought 3 · open 1 · +0.1200 SOL realised'));
  expect(results).toHaveTextContent(/SYM9 · .* ago · Not bought: The risk of 62 % is above the limit of 30 %\./);
  expect(screen.getByRole('region', { name: 'Results of Rule 2' })).toHaveTextContent('Nothing bought yet');
  expect(server.requests.filter(({ path }) => path.startsWith(decisionCalls.results.path))).toHaveLength(1);
  act(() => receiveDecision(store, decision(10, { outcome: 'bought', reason: null })));
  await waitFor(() => expect(results).toHaveTextContent(/SYM10 · .* ago · Bought\./));
});

test("a plan's decisions are listed page by page and live, with the counts of their reasons [T-36]", async () => {
  const { results, store } = await openRules();
  const pages = [
    Array.from({ length: 50 }, (_, index) => decision(200 - index)),
    [decision(100, { outcome: 'tried', reason: reason('slippage', { slippageBps: 500 }), isResumed: true })],
  ];
  server.answer(decisionCalls.list, ({ query }) => pages[query.get('before') === null ? 0 : 1] ?? []);
  server.answer(decisionCalls.counts, {
    considered: 1_234,
    dropped: 5,
    reasons: [
      { code: 'high-risk', count: 1_000 },
      { code: 'low-liquidity', count: 34 },
    ],
  });
  await userEvent.click(within(results).getByRole('button', { name: 'Why: decisions of Rule 1' }));
  const dialog = await screen.findByRole('dialog', { name: 'Why · Rule 1' });
  const list = await within(dialog).findByRole('list', { name: 'Decisions' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(50);
  const counts = await within(dialog).findByRole('region', { name: 'Reasons of the last 7 days' });
  expect(counts).toHaveTextContent('1,234 considered · 5 answers counted without details');
  expect(counts).toHaveTextContent('The risk is above the limit.1,000');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Load More' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(51));
  expect(within(list).getAllByRole('listitem').at(-1)).toHaveTextContent(
    /SYM100So1111…1112Tried, not bought.*The price moved beyond your limit of 5\.0 %\. Its windows began before a restart/,
  );
  act(() => receiveDecision(store, decision(300, { outcome: 'bought', reason: null })));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(52));
  const [first] = within(list).getAllByRole('listitem');
  // Copied names differ by their addresses.
  expect(first).toHaveTextContent(/^SYM300So1111…1112Bought/);
  expect(within(list).getByRole('link', { name: 'SYM300' })).toHaveAttribute('href', `/app/tokens/${ADDRESS}`);
});

test('the heading of the decisions follows an answer at once', async () => {
  const { results, store } = await openRules();
  server.answer(decisionCalls.list, [decision(5)]);
  const counts = (considered: number) => server.answer(decisionCalls.counts, { considered, dropped: 0, reasons: [] });
  counts(11);
  await userEvent.click(within(results).getByRole('button', { name: 'Why: decisions of Rule 1' }));
  expect(await screen.findByText('11 considered')).toBeVisible();
  counts(12);
  act(() => liveOf(store).receive({ event: 'decision', payload: decision(6) }));
  expect(await screen.findByText('12 considered')).toBeVisible();
});

test('an answer whose conditions are no longer met shows what they waited for', async () => {
  const { results } = await openRules();
  const progress = [
    { option: 'buy_at_minimum_holders' as const, met: 'waiting' as const, numbers: { value: 12, target: 50 } },
  ];
  server.answer(decisionCalls.list, [decision(5, { reason: reason('waiting'), waits: { progress, needsAll: true } })]);
  server.answer(decisionCalls.counts, { considered: 0, dropped: 0, reasons: [] });
  await userEvent.click(within(results).getByRole('button', { name: 'Why: decisions of Rule 1' }));
  expect(await screen.findByText('Waits: 12 of 50 holders.')).toBeVisible();
});

test('a received answer replaces the older one of its pair, and one of another plan is left out', async () => {
  const { results, store } = await openRules();
  server.answer(decisionCalls.list, [decision(5), decision(4)]);
  server.answer(decisionCalls.counts, { considered: 0, dropped: 0, reasons: [] });
  await userEvent.click(within(results).getByRole('button', { name: 'Why: decisions of Rule 1' }));
  const list = await screen.findByRole('list', { name: 'Decisions' });
  const shown = () =>
    within(list)
      .getAllByRole('listitem')
      .map((row) => row.textContent?.match(/SYM\d+.*(?=So11)|Bought/g)?.join(' '));
  const bought = { outcome: 'bought', reason: null } as const;
  act(() => {
    receiveDecision(store, decision(4, { ...bought, lastAt: '2026-02-03T05:00:00.000Z' }));
    receiveDecision(store, decision(5, { ...bought, lastAt: '2026-02-03T01:00:00.000Z' }));
    receiveDecision(store, decision(9, { ...bought, plan: { id: id(2), kind: 'rule', name: 'Rule 2' } }));
  });
  await waitFor(() => expect(shown()).toEqual(['SYM5', 'SYM4 Bought']));
});

test('the tab Why of a token shows for each plan what it waits for, or why it does not buy, with figures [T-35]', async () => {
  server.answer(decisionCalls.explain, {
    isDeciding: true,
    at: AT,
    plans: [
      explanation(1, {
        progress: [
          { option: 'buy_at_uptrend', met: 'waiting', numbers: { changePercent: 3.1, percent: 10, seconds: 60 } },
          { option: 'buy_at_minimum_holders', met: 'met', numbers: { value: 60, target: 50 } },
        ],
      }),
      explanation(2, { reason: reason('high-risk', { riskPercent: 62, limitPercent: 30 }), last: decision(9) }),
      explanation(3, { reason: null, last: decision(8, { outcome: 'bought', reason: null }) }),
      explanation(4, { isActive: false, reason: reason('inactive') }),
    ],
  });
  renderWithApp(<WhyTab address={ADDRESS} />, { session });
  const list = await screen.findByRole('list', { name: 'Your rules and strategies on this token' });
  const lines = within(list).getAllByRole('listitem');
  expect(lines[0]).toHaveTextContent('Rule 1RuleWaits: price has risen 3.1 % of the 10 % within 1 min.');
  expect(lines[1]).toHaveTextContent(/Not bought: The risk of 62 % is above the limit of 30 %\.Last decision .* ago$/);
  expect(lines[2]).toHaveTextContent(/Rule 3RuleBoughtBought\./);
  expect(lines[3]).toHaveTextContent('Rule 4RuleInactiveNot bought: The rule or strategy is switched off.');
});

test('the tab Why asks again when an answer about its token arrives', async () => {
  server.answer(decisionCalls.explain, { isDeciding: true, at: AT, plans: [explanation(1)] });
  const { store } = renderWithApp(<WhyTab address={ADDRESS} />, { session });
  expect(await screen.findByText(/Not bought: The conditions are not met yet/)).toBeVisible();
  server.answer(decisionCalls.explain, {
    isDeciding: true,
    at: AT,
    plans: [explanation(1, { reason: null, last: decision(7, { outcome: 'ordered', reason: null }) })],
  });
  const payload = decision(7, { outcome: 'ordered', reason: null });
  act(() => liveOf(store).receive({ event: 'decision', payload }));
  expect((await screen.findAllByText(/Order on its way/))[0]).toBeVisible();
});

test('the tab Why without plans offers to make one, and names a server that does not decide', async () => {
  server.answer(decisionCalls.explain, { isDeciding: false, at: AT, plans: [] });
  const { unmount } = renderWithApp(<WhyTab address={ADDRESS} />, { session });
  expect(await screen.findByRole('link', { name: 'Create Auto-Buy Rule' })).toHaveAttribute(
    'href',
    `/app/auto-buy?from=${ADDRESS}`,
  );
  unmount();
  server.answer(decisionCalls.explain, { isDeciding: false, at: AT, plans: [explanation(1, { reason: null })] });
  renderWithApp(<WhyTab address={ADDRESS} />, { session });
  expect(await screen.findByText('Not known: this server does not decide at present.')).toBeVisible();
});
