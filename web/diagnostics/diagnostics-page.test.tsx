import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { calibrationCalls } from '../../common/calibration/http.ts';
import { diagnosticsCalls } from '../../common/diagnostics/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { report } from '../calibration/testing/fixtures.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { liveOf } from '../live/live.ts';
import { run } from '../maintenance/testing/fixtures.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { cellTexts } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { coverageOf } from './coverage-table.tsx';
import DiagnosticsPage from './diagnostics-page.tsx';
import { ADDRESS, stats } from './testing/fixtures.ts';

const server = fakeServerPerTest();
beforeEach(() => {
  server.answer(diagnosticsCalls.detectionStats, stats);
  server.answer(maintenanceCalls.runs, []);
});

async function open(): Promise<Rendered> {
  const rendered = renderWithApp(<DiagnosticsPage />, { session: sessionUser({ isAdmin: true }) });
  await screen.findByRole('region', { name: 'Overview' });
  return rendered;
}
const region = (name: string) => within(screen.getByRole('region', { name }));

const analysisRun = (fields: Partial<Run> = {}) =>
  run({ action: 'analyze-runner-tokens', startedAt: stats.at, done: 7, total: 200, ...fields });

describe('the statistics', () => {
  test('include overview, age distribution and metrics [S2.15-03, S9-09]', async () => {
    await open();
    expect(region('Overview').getByText('200')).toBeInTheDocument();
    expect(region('Overview').getByText(/ten outside buyers, neither drained nor rugged\./)).toBeInTheDocument();
    const texts = (name: string) =>
      region(name)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    expect(texts('Age distribution')).toEqual([
      'Within 30 min10 5%',
      'Within 1 h20 10%',
      'Within 2 h50 25%',
      'Within 8 h100 50%',
    ]);
    expect(texts('Metrics').slice(0, 2)).toEqual(['Volume180 90%', 'Market cap170 85%']);
  });

  test('include the coverage of each list with its badge [S2.15-03, S4-25]', async () => {
    await open();
    const mightRun = region('Coverage').getByRole('row', { name: /Might Run/ });
    expect(cellTexts(mightRun)).toEqual(['Might Run', '1', '4', '25%']);
    expect(mightRun.querySelector('[data-look]')).toHaveAttribute('data-look', 'destructive');
    const runner = region('Coverage').getByRole('row', { name: /Runner/ });
    expect(cellTexts(runner)).toEqual(['Runner', '9', '10', '90%']);
    expect(runner.querySelector('[data-look]')).toHaveAttribute('data-look', 'default');
  });

  test.each([
    [9, 10, 'default'],
    [89, 100, 'secondary'],
    [1, 2, 'secondary'],
    [49, 100, 'destructive'],
    [0, 5, 'destructive'],
    [3, 2, 'default'],
  ])('rate a coverage of %i of %i as %s [S4-25]', (flagged, potential, look) => {
    expect(coverageOf(flagged, potential)?.look).toBe(look);
  });

  test('show N/A when there is nothing to cover [S4-25]', async () => {
    const potential = { ...stats.potential, meetMightRunCriteria: 0 };
    server.answer(diagnosticsCalls.detectionStats, { ...stats, potential });
    await open();
    expect(cellTexts(region('Coverage').getByRole('row', { name: /Might Run/ })).at(-1)).toBe('N/A');
    expect(coverageOf(0, 0)).toBeNull();
  });

  test('include two samples, with a dash for unknown values [S2.15-04, S3-57, S3-58]', async () => {
    await open();
    const [, mightRun] = within(screen.getByRole('table', { name: 'Might Run tokens' })).getAllByRole('row');
    expect(cellTexts(mightRun)).toEqual(['CAT', '1h', '$500.0K', '$1.3M', '2.60']);
    const [, runner] = within(screen.getByRole('table', { name: 'Runner tokens' })).getAllByRole('row');
    expect(cellTexts(runner)).toEqual(['Unknown', '12.500 SOL', '$9.0K', '▲ +42.50%', '77', '–']);
    for (const link of screen.getAllByRole('link', { name: /CAT|Unknown/ })) {
      expect(link).toHaveAttribute('href', `/app/tokens/${ADDRESS}`);
    }
  });

  test('include detections and latency of each source, and missed tokens with the reason', async () => {
    await open();
    const [, solana, portal] = within(screen.getByRole('table', { name: 'Sources' })).getAllByRole('row');
    expect(cellTexts(solana).slice(0, 6)).toEqual(['solana', '40', '0', '2', '420 ms ±1 s', '2.1 s ±1 s']);
    expect(cellTexts(solana).slice(6)).toEqual(['3', '2', '6 (version 2)', '4', '1', '5']);
    expect(cellTexts(portal)).toEqual(['pumpportal', '39', '1', '0', '–', '–', '–', '–', '–', '0', '0', '0']);
    const [, missed] = within(screen.getByRole('table', { name: 'Missed tokens' })).getAllByRole('row');
    expect(cellTexts(missed).slice(1)).toEqual(['DOG', 'pumpportal', 'solana', 'not connected at the time']);
  });

  test('show detections by source as a table on request', async () => {
    await open();
    expect(screen.getByRole('figure', { name: /3 by two sources or more, 1 by solana only/ })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
    const [, minute] = within(screen.getByRole('table', { name: 'Tokens by source' })).getAllByRole('row');
    expect(cellTexts(minute).slice(1)).toEqual(['3', '1', '0', '2']);
  });

  test('follow detection-stats events', async () => {
    const { store } = await open();
    act(() =>
      liveOf(store).receive({
        event: 'detection-stats',
        payload: { ...stats, tokenStats: { totalTokens: 201, withCreationDate: 191 } },
      }),
    );
    await waitFor(() => expect(region('Overview').getByText('201')).toBeInTheDocument());
  });

  test('show why they could not be loaded', async () => {
    server.fail(diagnosticsCalls.detectionStats, 'unavailable');
    renderWithApp(<DiagnosticsPage />, { session: sessionUser({ isAdmin: true }) });
    expect(await screen.findByText('The statistics could not be loaded')).toBeInTheDocument();
    server.answer(diagnosticsCalls.detectionStats, stats);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('region', { name: 'Overview' })).toBeInTheDocument();
  });
});

test('the tab Verdict shows how often the verdict was right', async () => {
  server.answer(calibrationCalls.report, report);
  await open();
  await userEvent.click(screen.getByRole('tab', { name: 'Verdict' }));
  expect(await screen.findByRole('table', { name: 'By badge' })).toBeInTheDocument();
});

describe('the buttons', () => {
  test('Refresh Stats refetches the statistics [S2.15-01]', async () => {
    await open();
    const before = server.count(diagnosticsCalls.detectionStats);
    await userEvent.click(screen.getByRole('button', { name: 'Refresh Stats' }));
    await waitFor(() => expect(server.count(diagnosticsCalls.detectionStats)).toBe(before + 1));
  });

  test('Run Token Analysis shows the result and refetches the statistics [S2.15-02]', async () => {
    await open();
    const before = server.count(diagnosticsCalls.detectionStats);
    const message = 'Analyzed 200 tokens: 9 runners, 1 might run';
    server.answer(maintenanceCalls.analyzeRunnerTokens, { message, analyzed: 200, runners: 9, mightRun: 1 });
    await userEvent.click(screen.getByRole('button', { name: 'Run Token Analysis' }));
    expect(await screen.findByText(message)).toBeInTheDocument();
    await waitFor(() => expect(server.count(diagnosticsCalls.detectionStats)).toBe(before + 1));
  });

  test('a failed analysis shows an error [S8.7-08]', async () => {
    await open();
    server.fail(maintenanceCalls.analyzeRunnerTokens, 'already-running');
    await userEvent.click(screen.getByRole('button', { name: 'Run Token Analysis' }));
    expect(await screen.findByText('Analysis Failed')).toBeInTheDocument();
    expect(screen.getByText('This is already running.')).toBeInTheDocument();
  });

  test("another administrator's analysis shows its progress [S2.15-02]", async () => {
    const { store } = await open();
    act(() => liveOf(store).receive({ event: 'maintenance', payload: analysisRun({ done: 120 }) }));
    expect(await screen.findByText('120 of 200 tokens analyzed')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Run Token Analysis' })).toBeDisabled();
    act(() => liveOf(store).receive({ event: 'maintenance', payload: analysisRun({ state: 'done', done: 200 }) }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Run Token Analysis' })).toBeEnabled());
  });

  test('an analysis started before the page was opened shows, and ends when its end was missed [S2.15-02]', async () => {
    server.answer(maintenanceCalls.runs, [analysisRun()]);
    const { store } = await open();
    expect(await screen.findByText('7 of 200 tokens analyzed')).toBeInTheDocument();
    act(() => store.set(linkAtom, { phase: 'down', since: 0, roundTrip: null }));
    server.answer(maintenanceCalls.runs, [analysisRun({ state: 'done', endedAt: stats.at, done: 200 })]);
    act(() => store.set(linkAtom, { phase: 'live', since: 0, roundTrip: null }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Run Token Analysis' })).toBeEnabled());
    expect(screen.queryByText(/tokens analyzed/)).toBeNull();
  });
});
