import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { renderWithApp } from '../testing/render.tsx';
import { SourcesCard } from './sources-card.tsx';
import { source, systemStatus } from './testing/fixtures.ts';

const retryAt = new Date(Date.now() + 90_000).toISOString();
const status = systemStatus({
  sources: [
    source('jupiter', {
      label: 'Jupiter',
      state: 'down',
      reason: 'The service does not respond, and has not responded for quite a while now.',
      errors: 1_204,
      circuit: 'open',
      retryAt,
    }),
    source('solscan', { label: 'Solscan', state: 'off', reason: 'Not named in MARKET.' }),
  ],
});

test('at 360 px the sources are a list with every figure that fits the screen [S2.13-15]', async () => {
  await page.viewport(360, 800);
  renderWithApp(<SourcesCard status={status} />);
  await expect.element(page.getByRole('list', { name: 'Sources' })).toBeVisible();
  expect(screen.queryByRole('table')).toBeNull();
  for (const label of ['Last event', 'Per minute', 'Errors', 'Malformed', 'Circuit', 'Budget left', 'Key']) {
    expect(screen.getByText(label)).toBeVisible();
  }
  expect(screen.getByText('Not named in MARKET.')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});

test('at 1280 px the sources are a table [S2.13-15]', async () => {
  await page.viewport(1280, 800);
  renderWithApp(<SourcesCard status={status} />);
  await expect.element(page.getByRole('table', { name: 'Sources' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(1280);
});
