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

const starts = [minute(-1).at];

beforeEach(() => page.viewport(1280, 800));

const chart = (label: string) => screen.getByRole('figure', { name: new RegExp(`^${label} of the last hour`) });

test('shows five small charts of the last hour with their current values [S2.13-11]', async () => {
  renderWithApp(<HistoryCard history={history} day={[]} starts={starts} sources={sources} />);
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
  renderWithApp(<HistoryCard history={history} day={[]} starts={starts} sources={sources} />);
  await screen.findAllByRole('figure');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect.element(page.getByRole('table', { name: 'The last hour by minute' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

test('draws outliers at the end of the scale, the starts of the server, and steps of counts', async () => {
  const short = history.slice(0, 20).map((one, at) => (at === 5 ? { ...one, lagP99: 67_600 } : { ...one, lagP99: 40 }));
  // The first is before the span.
  const marked = [minute(-60).at, ...starts, minute(4).at, minute(9).at];
  renderWithApp(<HistoryCard history={short} day={[]} starts={marked} sources={sources} />);
  await screen.findAllByRole('figure');
  expect(await within(chart('Lag p99')).findByText('▲ 67.6 s')).toBeVisible();
  expect(within(chart('Lag p99')).getByText('50 ms')).toBeVisible();
  expect(within(chart('Clients')).getByText('Start')).toBeVisible();
  expect(chart('Clients').querySelectorAll('.recharts-reference-line-line')).toHaveLength(3);
  const labels = within(chart('Clients'))
    .getAllByText(/^\d\d:\d\d$/)
    .map((label) => label.textContent);
  expect(new Set(labels).size).toBe(labels.length);
});

test('a day has its spans of ten minutes and the minutes after them', async () => {
  const day = [minute(-40), minute(-30), minute(49)];
  renderWithApp(<HistoryCard history={history} day={day} starts={starts} sources={sources} />);
  await page.getByRole('button', { name: '24 h' }).click();
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect.element(page.getByRole('table', { name: 'The last 24 h' })).toBeVisible();
  expect(screen.getAllByRole('row')).toHaveLength(1 + 3 + 10);
});
