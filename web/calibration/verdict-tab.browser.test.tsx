import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calibrationCalls } from '../../common/calibration/http.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { report } from './testing/fixtures.ts';
import { VerdictTab } from './verdict-tab.tsx';

const server = fakeServerPerTest();
beforeEach(() => server.answer(calibrationCalls.report, report));

test.each([360, 1440])('at %i px the verdict fits the screen and draws a bar for each score', async (width) => {
  await page.viewport(width, 900);
  renderWithApp(<VerdictTab />, { session: sessionUser({ isAdmin: true }) });
  const chart = await screen.findByRole('figure', { name: /^Losses by score at 2 min/ });
  await waitFor(() => expect(chart.querySelectorAll('.recharts-bar-rectangle path')).toHaveLength(10));
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
