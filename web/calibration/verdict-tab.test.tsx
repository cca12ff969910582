import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { calibrationCalls } from '../../common/calibration/http.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { counts, emptyReport, report } from './testing/fixtures.ts';
import { countsAsCsv, VerdictTab } from './verdict-tab.tsx';

const server = fakeServerPerTest();
beforeEach(() => server.answer(calibrationCalls.report, report));

async function open() {
  renderWithApp(<VerdictTab />, { session: sessionUser({ isAdmin: true }) });
  await screen.findByRole('table', { name: 'By badge' });
}

const cellsOf = (table: string, row: RegExp) =>
  within(within(screen.getByRole('table', { name: table })).getByRole('row', { name: row }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('shows losses by badge, separation by age and the runner list, with intervals', async () => {
  await open();
  expect(cellsOf('By badge', /Low Risk/)).toEqual(['1,410', '8.7 % (7.3–10.2)', '11.1 % (9.6–12.9)']);
  const [coins, lost, area, brier] = cellsOf('Separation by age', /2 min/);
  expect([coins, lost]).toEqual(['4,460', '30.3 % (29.0–31.7)']);
  expect(area).toBe('0.799 (0.785–0.813)');
  expect(brier).toMatch(/^0\.\d{3} \(0\.\d{3}–0\.\d{3}\)$/);
  expect(cellsOf('Runners', /Doubled/)[0]).toBe('25.8 % (20.7–31.7), 62 of 240');
  expect(screen.getByText(/Rules version 2, cases since 2026-11-20/)).toBeInTheDocument();
  expect(screen.getByText(/1,204 wait for their outcome/)).toBeInTheDocument();
});

test('shows the losses by score of the chosen age as a table on request', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: '1 h' }));
  await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
  expect(cellsOf('Losses by score', /^91–100/)).toEqual(['0', '–']);
  expect(cellsOf('Losses by score', /^81–90/)).toEqual(['410', '90.7 % (87.5–93.2)']);
  expect(cellsOf('Losses by score', /^Unknown/)).toEqual(['900', '21.1 % (18.6–23.9)']);
});

test('switches between the markets', async () => {
  await open();
  server.answer(calibrationCalls.report, emptyReport);
  await userEvent.click(screen.getByRole('combobox', { name: 'Market' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Mainnet' }));
  expect(await screen.findByText('No cases yet')).toBeInTheDocument();
  expect(server.requests.at(-1)?.query.get('market')).toBe('live');
});

test('says why the report could not be loaded', async () => {
  server.fail(calibrationCalls.report, 'unavailable');
  renderWithApp(<VerdictTab />, { session: sessionUser({ isAdmin: true }) });
  expect(await screen.findByText('The calibration could not be loaded')).toBeInTheDocument();
  server.answer(calibrationCalls.report, report);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.getByRole('table', { name: 'By badge' })).toBeInTheDocument());
});

test('exports one line for each day, version, age and score', async () => {
  const csv = await countsAsCsv(counts);
  const [header, first] = csv.split('\r\n');
  expect(header).toBe(
    'Day,Market,Rules version,Age (s),Score,Coins,Lost 80 %,Doubled,On the curve,Graduated,Runners,Runners doubled,Runners on the curve,Runners graduated',
  );
  expect(first).toBe('2026-11-20,simulated,2,30,8,420,21,47,420,4,0,0,0,0');
  expect(csv.split('\r\n')).toHaveLength(1 + counts.length);
});
