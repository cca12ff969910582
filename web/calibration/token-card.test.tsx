import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { calibrationCalls } from '../../common/calibration/http.ts';
import type { TokenCalibration } from '../../common/calibration/model.ts';
import { shareEstimate } from '../../common/calibration/statistics.ts';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { clockAtom } from '../live/atoms/clock.ts';
import { atom, useAtomValue } from '../store.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { type ComparedToken, TokenCalibrationCard } from './token-card.tsx';

const server = fakeServerPerTest();

const rate = (cases: number, events: number) => ({ cases, events, share: shareEstimate(events, cases) });
const known: TokenCalibration = {
  market: 'live',
  age: 2 * MINUTE,
  rulesVersion: 2,
  scores: { from: 11, to: 20 },
  lost: rate(1_204, 349),
  runnersDoubled: null,
  anyDoubled: rate(5_000, 550),
};

const compared = (address: string, fields: Partial<ComparedToken> = {}): ComparedToken => ({
  address,
  createdAt: new Date(Date.now() - 3 * HOUR).toISOString(),
  scamProbability: 17,
  runner: false,
  ...fields,
});

// Each test has an address of its own: the card keeps what it has fetched.
test('says what happened to coins scored like this, by which rules', async () => {
  server.answer(calibrationCalls.token, known);
  renderWithApp(<TokenCalibrationCard token={compared('A1')} />);
  expect(
    await screen.findByText(
      'Of 1,204 coins scored like this at this age, 29 % lost 80 % of their liquidity within an hour (26–32 %).',
    ),
  ).toBeInTheDocument();
  expect(screen.getByText(/score 11–20 at 2 min, rules version 2/)).toBeInTheDocument();
  expect(screen.queryByText(/runners/)).toBeNull();
});

test('compares a runner with any coin, and names a simulated market', async () => {
  server.answer(calibrationCalls.token, { ...known, market: 'simulated', runnersDoubled: rate(300, 36) });
  renderWithApp(<TokenCalibrationCard token={compared('A2')} />);
  expect(
    await screen.findByText('Of 300 runners at this age, 12 % doubled within an hour (9–16 %); any coin: 11 %.'),
  ).toBeInTheDocument();
  expect(screen.getByText(/in the simulated market/)).toBeInTheDocument();
});

test('says when there are not enough cases', async () => {
  server.answer(calibrationCalls.token, { ...known, lost: rate(199, 3) });
  renderWithApp(<TokenCalibrationCard token={compared('A3')} />);
  expect(await screen.findByText('Not enough cases yet.')).toBeInTheDocument();
});

test('shows nothing for a coin younger than the first recorded age', async () => {
  const young = { ...known, age: null, lost: null, anyDoubled: null };
  server.answer(calibrationCalls.token, ({ params }) => (params.address === 'A4' ? young : known));
  renderWithApp(
    <>
      <TokenCalibrationCard token={compared('A4')} />
      <TokenCalibrationCard token={compared('A5')} />
    </>,
  );
  await waitFor(() => expect(server.requests).toHaveLength(2));
  expect(await screen.findAllByText('How often this was right')).toHaveLength(1);
});

test.each<[string, Partial<ComparedToken>]>([
  ['another bin of scores', { scamProbability: 21 }],
  ['an unknown score', { scamProbability: null }],
  ['the runner list', { runner: true }],
])('fetches again at once when the token moves to %s', async (reason, fields) => {
  server.answer(calibrationCalls.token, known);
  const token = compared(`A6 ${reason.length}`);
  const shownAtom = atom(token);
  const Shown = () => <TokenCalibrationCard token={useAtomValue(shownAtom)} />;
  const { store } = renderWithApp(<Shown />);
  const render = (changed: ComparedToken) => act(() => store.set(shownAtom, changed));
  await screen.findByText(/score 11–20/);
  const before = server.count(calibrationCalls.token);
  server.answer(calibrationCalls.token, { ...known, scores: { from: 91, to: 100 } });
  render({ ...token, scamProbability: 19 });
  expect(server.count(calibrationCalls.token)).toBe(before);
  render({ ...token, ...fields });
  expect(await screen.findByText(/score 91–100/)).toBeInTheDocument();
  expect(server.count(calibrationCalls.token)).toBe(before + 1);
});

test('fetches again at once when the token reaches the next recorded age', async () => {
  server.answer(calibrationCalls.token, known);
  const now = Date.now();
  const token = compared('A7', { createdAt: new Date(now - 9 * MINUTE).toISOString() });
  const { store } = renderWithApp(<TokenCalibrationCard token={token} />);
  await screen.findByText(/at 2 min/);
  server.answer(calibrationCalls.token, { ...known, age: 10 * MINUTE });
  act(() => store.set(clockAtom, now + MINUTE + SECOND));
  expect(await screen.findByText(/at 10 min/)).toBeInTheDocument();
});
