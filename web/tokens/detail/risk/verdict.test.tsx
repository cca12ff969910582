import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { tokenCalls } from '../../../../common/tokens/http.ts';
import type { Risk, RiskFactor, TokenDetail } from '../../../../common/tokens/model.ts';
import type { RiskReason } from '../../../../common/tokens/risk/reason.ts';
import { clockAtom } from '../../../live/atoms/clock.ts';
import { address, detail, NOON, noCoins } from '../../../live/testing/build.ts';
import { fakeServerPerTest } from '../../../testing/fake-server.ts';
import { renderWithApp } from '../../../testing/render.tsx';
import TokenDetailPage from '../detail-page.tsx';

const rest = fakeServerPerTest();
// The page caches data by token, so each test uses another one.
let number = 700;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  number += 1;
  rest.answer(tokenCalls.candles, { candles: [], parts: [], next: null, newest: null });
  rest.answer(tokenCalls.wallets, []);
  rest.answer(tokenCalls.creator, noCoins);
});
afterEach(() => void vi.useRealTimers());

async function shown(fields: Partial<TokenDetail>) {
  rest.answer(tokenCalls.detail, detail(number, fields), { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '1' });
  const rendered = renderWithApp(<Route path="/app/tokens/:address" component={TokenDetailPage} />, {
    path: `/app/tokens/${address(number)}`,
  });
  await screen.findByRole('heading', { name: /Market Data/ });
  return rendered;
}

const region = (name: string) => within(screen.getByRole('region', { name }));
const pill = (level: string) => document.querySelector(`header [data-level="${level}"]`);

/** Fields of a token with this risk, in the badge and in the analysis. */
function scored(score: number | null, risk: Partial<Risk> = {}): Partial<TokenDetail> {
  const whole = { ...detail(number).risk, score, ...risk };
  return { scamProbability: score, riskReason: whole.reason, risk: whole };
}

function finding(id: string, fields: Partial<RiskFactor> = {}): RiskFactor {
  return {
    ...{ id, label: `Label of ${id}`, state: 'risk', points: 10, maxPoints: 40, evidence: `Evidence of ${id}.` },
    ...{ source: null, readAt: null, hard: false, standard: false },
    ...fields,
  };
}

test('opens with one sentence and the three worst findings, worst first', async () => {
  const factors = [
    finding('drained', { points: 60, hard: true }),
    finding('developerSold', { points: 35 }),
    finding('insidersBought', { points: 30 }),
    finding('liquidity', { points: 6 }),
  ];
  await shown(scored(90, { reason: 'drained', known: 17, total: 18, factors }));
  expect(screen.getByRole('alert')).toHaveTextContent('High Risk, scam probability 90 of 100: drained.');
  const worst = within(screen.getByRole('list', { name: 'Worst findings' })).getAllByRole('listitem');
  expect(worst.map(({ textContent }) => textContent)).toEqual([
    '+60Label of drained Evidence of drained.',
    '+35Label of developerSold Evidence of developerSold.',
    '+30Label of insidersBought Evidence of insidersBought.',
  ]);
  expect(region('Raises the score').getAllByRole('listitem')).toHaveLength(4);
});

test('a low risk that is not earned is among the worst findings when it makes most of the score', async () => {
  const factors = [
    finding('symbolTwin', { points: 5 }),
    finding('holders', { points: 2 }),
    finding('metadataMutable', { points: 2 }),
    finding('unproven', { points: 31 }),
  ];
  await shown(scored(40, { reason: 'symbolTwin', factors }));
  const worst = within(screen.getByRole('list', { name: 'Worst findings' })).getAllByRole('listitem');
  expect(worst.map(({ textContent }) => textContent?.split(' ')[0])).toEqual(['+31Label', '+5Label', '+2Label']);
});

test('names the reason of a high risk in the badge, and the missing checks in its tooltip', async () => {
  const factors = [finding('drained'), finding('creatorRugged', { state: 'unknown', label: 'Developer history' })];
  await shown(scored(90, { reason: 'drained', known: 17, total: 18, factors }));
  const badge = pill('High Risk');
  expect(badge).toHaveTextContent('90High Risk· drained17 of 18 checks');
  expect(badge).toHaveAttribute('title', '17 of 18 checks are known. Missing: Developer history.');
});

test.each<[RiskReason, string, string]>([
  ['too-early', 'too early · 0:14', 'Unknown: too early · 0:14.'],
  ['no-buyers', 'no buyers yet', 'Unknown: no outside wallet has bought this token yet.'],
  ['mint-unread', 'mint not read', 'Unknown: the mint account has not been read'],
  ['pool-unobserved', 'pool not observed', 'Unknown: the token trades in a pool that is not observed'],
  ['too-little-known', 'too little known', 'but too little is known for a low risk.'],
])('shows an unknown risk with its reason: %s [S4-03]', async (reason, badge, sentence) => {
  const unproven = finding('unproven', { state: 'unknown', points: 0 });
  const createdAt = new Date(NOON - 14_000).toISOString();
  await shown({ ...scored(null, { reason, factors: [unproven] }), createdAt });
  expect(pill('Unknown')).toHaveTextContent(`–Unknown· ${badge}8 of 10 checks`);
  expect(region('Verdict').getByText(sentence, { exact: false })).toBeVisible();
  expect(region('Verdict').getByText('Evidence of unproven.')).toBeVisible();
});

test('counts the age of an early token up, without a request', async () => {
  const createdAt = new Date(NOON - 14_000).toISOString();
  const { store } = await shown({ ...scored(null, { reason: 'too-early', factors: [] }), createdAt });
  expect(region('Verdict').getByText(/too early · 0:14/)).toBeVisible();
  act(() => store.set(clockAtom, NOON + 61_000));
  expect(region('Verdict').getByText(/too early · 1:15/)).toBeVisible();
  expect(rest.count(tokenCalls.detail)).toBe(1);
});

test('shows the checks that are the same for every coin of the launchpad in one line', async () => {
  const same = { state: 'clear', points: 0, standard: true } as const;
  const factors = [finding('drained'), finding('mint', same), finding('freeze', same)];
  await shown(scored(90, { reason: 'drained', factors }));
  expect(screen.getByText(/^The same for every coin/)).toHaveTextContent('Label of mint, Label of freeze.');
  expect(screen.queryByRole('region', { name: 'Checked and clear' })).toBeNull();
});

test('finds nothing against a clear token', async () => {
  await shown(scored(0, { reason: null, known: 18, factors: [], total: 18 }));
  expect(region('Verdict').getByText(/^Low Risk, scam probability 0 of 100: no check found anything/)).toBeVisible();
  expect(pill('Low Risk')).toHaveAttribute('title', 'All 18 checks are known.');
});

test('shows the signer of the creation only where it is not the creator', async () => {
  const { unmount } = await shown({});
  expect(region('Token Information').queryByText('Signed by')).toBeNull();
  unmount();
  number += 1;
  const signer = address(77_777);
  await shown({ creationSigner: signer });
  const [term] = region('Token Information').getAllByText('Signed by');
  expect(term?.nextElementSibling).toHaveTextContent(`${signer.slice(0, 6)}…${signer.slice(-4)}`);
});

test('says when trades of the token were missed', async () => {
  const { unmount } = await shown({});
  expect(screen.queryByText(/missed/)).toBeNull();
  unmount();
  number += 1;
  await shown({ tradesMissed: 3, buys: null, sells: null });
  expect(region('Market Data').getByText('At least 3 trades were missed')).toBeVisible();
});
