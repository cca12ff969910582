import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ruleCalls } from '../../common/rules/http.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { Frame } from '../layout/frame.tsx';
import { noBot } from '../telegram/testing/fixtures.ts';
import { type Rendered, renderWithApp } from '../testing/render.tsx';
import { added, aged, answer, listServer, receive } from '../tokens/testing/list-page.tsx';
import DashboardPage from './dashboard-page.tsx';

const rest = listServer();
const tokens = Array.from({ length: 30 }, (_, at) => aged(at + 1, { name: `Token of a long name ${at + 1}` }));

beforeEach(() => {
  const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };
  rest.answer(tokenCalls.new, tokens, feed);
  rest.answer(tokenCalls.runners, [], feed);
  rest.answer(tokenCalls.mightRun, [], feed);
  rest.answer(ruleCalls.list, []);
  rest.answer(telegramCalls.status, noBot);
  answer(rest, tokens);
});
afterEach(() => page.viewport(1280, 800));

async function dashboard(width: number, height: number): Promise<{ rendered: Rendered; table: HTMLElement }> {
  await page.viewport(width, height);
  const rendered = renderWithApp(
    <Frame headerActions={null} sidebarLink={null} moreLink={null}>
      <DashboardPage />
    </Frame>,
    { path: '/app' },
  );
  const table = await screen.findByRole('table', { name: 'Newest Tokens' });
  await screen.findByText('No Telegram Bot Token');
  return { rendered, table };
}

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>('tr[data-address]')];

test.each([
  ['a phone', 360, 780],
  ['a window at 200 % zoom', 720, 450],
])('%s shows at least four tokens below the cards [S2.5-10]', async (_, width, height) => {
  const { table } = await dashboard(width, height);
  const isInSight = (row: HTMLElement) => {
    const { left, top, width: wide, height: high } = row.getBoundingClientRect();
    // The lowest line of the row is not covered by the bar at the bottom.
    return row.contains(document.elementFromPoint(left + wide / 2, top + high - 2));
  };
  await waitFor(() => expect(rowsOf(table).filter(isInSight).length).toBeGreaterThanOrEqual(4));
});

test('the button of new tokens covers no heading of the dashboard', async () => {
  const { rendered, table } = await dashboard(1280, 800);
  await userEvent.tab();
  act(() => rowsOf(table)[2]?.querySelector<HTMLElement>('[data-row-link]')?.focus());
  receive(rendered, added(6, aged(0)));
  const pill = (await screen.findByRole('button', { name: '1 new' })).getBoundingClientRect();
  for (const heading of within(table).getAllByRole('columnheader')) {
    for (const { left, right, width, top, bottom } of textBoxes(heading)) {
      const isApart = right <= pill.left || left >= pill.right || bottom <= pill.top || top >= pill.bottom;
      expect(width > 1 ? isApart : true, heading.textContent).toBe(true);
    }
  }
});

/** Returns where the heading's own text stands. */
function textBoxes(heading: HTMLElement): DOMRect[] {
  const label = heading.querySelector('span');
  return label === null ? [] : [...label.getClientRects()];
}

test('the titles of figures show under a resting mouse and by focus, although the link of the row covers them', async () => {
  const { table } = await dashboard(1280, 800);
  const [row] = rowsOf(table);
  const figure = row?.querySelector<HTMLElement>('td [title]:not([data-row-action])');
  // Forced: the link is above the figure.
  await userEvent.hover(figure ?? table, { force: true });
  const tip = await screen.findByRole('tooltip');
  await waitFor(() => expect(tip).toBeVisible());
  expect(tip).toHaveTextContent(figure?.getAttribute('title') ?? 'no figure with a title');
  await userEvent.unhover(table);
  await waitFor(() => expect(tip).not.toBeVisible());
  const link = row?.querySelector<HTMLElement>('[data-row-link]');
  for (let stop = 0; stop < 40 && document.activeElement !== link; stop += 1) await userEvent.tab();
  await waitFor(() => expect(link?.getAttribute('aria-describedby')).toBe(tip.id));
  expect(tip).toHaveTextContent(/UTC.*known/);
  await waitFor(() => expect(tip).toBeVisible());
  const name = row?.querySelector('bdi') ?? table;
  expect(tip.getBoundingClientRect().left).toBeGreaterThan(name.getBoundingClientRect().right);
  figure?.setAttribute('title', 'A figure that changed');
  await waitFor(() => expect(tip).toHaveTextContent('A figure that changed'));
});
