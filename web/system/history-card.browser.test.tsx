import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { renderWithApp } from '../testing/render.tsx';
import { HistoryCard } from './history-card.tsx';
import { minute, source } from './testing/fixtures.ts';

const history = Array.from({ length: 60 }, (_, number) =>
  minute(number, {
    lagP99: number % 7 === 0 ? null : number,
    sources: { jupiter: { events: 1, errors: number % 10 === 0 ? 2 : 0 } },
  }),
);
const sources = [source('jupiter', { label: 'Jupiter' })];

beforeEach(() => page.viewport(1280, 800));

const chart = (label: string) => screen.getByRole('figure', { name: new RegExp(`^${label} of the last hour`) });

test('shows five small charts of the last hour with their current values [S2.13-11]', async () => {
  renderWithApp(<HistoryCard history={history} sources={sources} />);
  await screen.findAllByRole('figure');
  const now = { Clients: '59', Events: '4 /s', 'Lag p99': '59 ms', Memory: '400 MB', 'Source errors': '0' };
  for (const [label, value] of Object.entries(now)) {
    expect(within(chart(label)).getByText(value, { selector: 'figcaption *' })).toBeVisible();
  }
  await waitFor(() => {
    for (const label of ['Clients', 'Events', 'Lag p99', 'Memory']) {
      expect(chart(label).querySelector('path.recharts-line-curve')?.getAttribute('d')).toMatch(/^M.+/);
    }
    expect(chart('Source errors').querySelectorAll('.recharts-bar-rectangle path')).toHaveLength(6);
  });
  expect(screen.getByText('Errors by source: Jupiter 12.')).toBeVisible();
});

test.each([360, 1440])('at %i px charts and table fit the screen [S2.13-11]', async (width) => {
  await page.viewport(width, 800);
  renderWithApp(<HistoryCard history={history} sources={sources} />);
  await screen.findAllByRole('figure');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect.element(page.getByRole('table', { name: 'The last hour by minute' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
