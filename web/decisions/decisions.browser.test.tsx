import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { decisionCalls } from '../../common/decisions/http.ts';
import { reason } from '../../common/trading/reasons.ts';
import { rule, serveRules } from '../auto-buy/testing/fixtures.ts';
import RulesPage from '../rules/rules-page.tsx';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { id, USER_ID } from '../testing/page.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { ADDRESS, decision, explanation } from './testing/fixtures.ts';
import { WhyTab } from './why-tab.tsx';

const server = fakeServerPerTest();

const session = sessionUser({ id: USER_ID });
const LONG = 'A very long name without an end that a creator has given '.repeat(2);

test('results on cards, the list of decisions and the tab Why fit a phone [T-36]', async () => {
  serveRules(server, [rule(1), rule(2)]);
  const { address, symbol, outcome, reason: why, waits, lastAt } = decision(9, { symbol: LONG });
  const last = { address, symbol, outcome, reason: why, waits, lastAt };
  server.answer(decisionCalls.results, [{ planId: id(1), bought: 3, open: 1, realisedLamports: -120_000_000, last }]);
  server.answer(decisionCalls.list, [
    decision(9, { symbol: LONG }),
    decision(8, { outcome: 'bought', reason: null, count: 12 }),
    decision(7, { outcome: 'tried', reason: reason('tries-used', { tries: 3, feesLamports: 315_000 }) }),
    decision(6, { outcome: 'ordered', reason: null }),
  ]);
  const codes = ['high-risk', 'low-liquidity', 'unknown-risk', 'stop-loss-guard', 'open-positions'] as const;
  const reasons = codes.map((code, index) => ({ code, count: 1_000 - index }));
  server.answer(decisionCalls.counts, { considered: 4_000, dropped: 12, reasons });
  renderWithApp(<RulesPage />, { path: '/app/auto-buy', session });
  const results = await screen.findByRole('region', { name: 'Results of Rule 1' });
  for (const [width, height] of [
    [1440, 900],
    [360, 780],
  ] as const) {
    await page.viewport(width, height);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
  within(results).getByRole('button', { name: 'Why: decisions of Rule 1' }).click();
  const dialog = await screen.findByRole('dialog');
  const list = await within(dialog).findByRole('list', { name: 'Decisions' });
  expect(list.scrollWidth).toBeLessThanOrEqual(list.clientWidth);
});

test('the tab Why fits a phone [T-35]', async () => {
  server.answer(decisionCalls.explain, {
    isDeciding: true,
    at: '2026-02-03T04:05:06.000Z',
    plans: [
      explanation(1, {
        plan: { id: id(1), kind: 'strategy', name: LONG },
        progress: [
          { option: 'buy_at_uptrend', met: 'waiting', numbers: { changePercent: 3.1, percent: 10, seconds: 60 } },
          { option: 'buy_at_minimum_holders', met: 'waiting', numbers: { value: 12, target: 50 } },
        ],
      }),
      explanation(2, { reason: reason('high-risk', { riskPercent: 62, limitPercent: 30 }), last: decision(9) }),
      explanation(3, { reason: null, last: decision(8, { outcome: 'bought', reason: null }) }),
      explanation(4, { isActive: false, reason: reason('inactive') }),
    ],
  });
  await page.viewport(360, 780);
  renderWithApp(<WhyTab address={ADDRESS} />, { session });
  await screen.findByText(/12 of 50 holders/);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});
