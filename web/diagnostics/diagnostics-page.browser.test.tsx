import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { diagnosticsCalls } from '../../common/diagnostics/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import DiagnosticsPage from './diagnostics-page.tsx';
import { stats } from './testing/fixtures.ts';

const server = fakeServerPerTest();
beforeEach(() => {
  server.answer(diagnosticsCalls.detectionStats, stats);
  server.answer(maintenanceCalls.runs, []);
});

test.each([360, 1440])('at %i px the page fits the screen [S2.15-03, S2.15-04]', async (width) => {
  await page.viewport(width, 800);
  renderWithApp(<DiagnosticsPage />, { session: sessionUser({ isAdmin: true }) });
  const chart = await screen.findByRole('figure', { name: /^Tokens seen in the last hour/ });
  await waitFor(() => expect(chart.querySelectorAll('.recharts-bar-rectangle path')).not.toHaveLength(0));
  const { documentElement: root } = document;
  expect(root.scrollWidth).toBeLessThanOrEqual(width);
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect.element(page.getByRole('table', { name: 'Tokens by source' })).toBeVisible();
  expect(root.scrollWidth).toBeLessThanOrEqual(width);
});
