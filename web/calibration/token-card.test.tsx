import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calibrationCalls } from '../../common/calibration/http.ts';
import type { TokenCalibration } from '../../common/calibration/model.ts';
import { shareEstimate } from '../../common/calibration/statistics.ts';
import { MINUTE } from '../../common/time.ts';
import { type FakeServer, fakeServer } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { TokenCalibrationCard } from './token-card.tsx';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => server.close());

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

// Each test has an address of its own: the card keeps what it has fetched.
test('says what happened to coins scored like this, by which rules', async () => {
  server.answer(calibrationCalls.token, known);
  renderWithApp(<TokenCalibrationCard address="A1" />);
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
  renderWithApp(<TokenCalibrationCard address="A2" />);
  expect(
    await screen.findByText('Of 300 runners at this age, 12 % doubled within an hour (9–16 %); any coin: 11 %.'),
  ).toBeInTheDocument();
  expect(screen.getByText(/in the simulated market/)).toBeInTheDocument();
});

test('says when there are not enough cases', async () => {
  server.answer(calibrationCalls.token, { ...known, lost: rate(199, 3) });
  renderWithApp(<TokenCalibrationCard address="A3" />);
  expect(await screen.findByText('Not enough cases yet.')).toBeInTheDocument();
});

test('shows nothing for a coin younger than the first recorded age', async () => {
  const young = { ...known, age: null, lost: null, anyDoubled: null };
  server.answer(calibrationCalls.token, ({ params }) => (params.address === 'A4' ? young : known));
  renderWithApp(
    <>
      <TokenCalibrationCard address="A4" />
      <TokenCalibrationCard address="A5" />
    </>,
  );
  await waitFor(() => expect(server.requests).toHaveLength(2));
  expect(await screen.findAllByText('How often this was right')).toHaveLength(1);
});
