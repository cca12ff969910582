import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { watchlistCalls } from '../../../common/watchlists/http.ts';
import DashboardPage from '../../dashboard/dashboard-page.tsx';
import { Frame } from '../../layout/frame.tsx';
import { address } from '../../live/testing/build.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { account } from '../../trading/testing/fixtures.ts';
import { elsewhere, entry } from '../../watchlists/testing/own-lists.ts';
import { added, aged, answer, listServer, receive } from '../testing/list-page.tsx';
import TokenListPage from './list-page.tsx';

const rest = listServer();

afterEach(() => page.viewport(1280, 800));

const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };

test.each([
  [1280, 85, 800],
  [360, 93, 744],
])('at %d px j and k keep the focused row visible', async (width, top, bottom) => {
  answer(
    rest,
    Array.from({ length: 60 }, (_, at) => aged(at + 1)),
  );
  await page.viewport(width, 800);
  renderWithApp(
    <Frame headerActions={null} sidebarLink={null} moreLink={null}>
      <TokenListPage />
    </Frame>,
    { path: '/app/tokens' },
  );
  await screen.findByRole('table', { name: 'Tokens' });
  const user = userEvent.setup();
  const expectInSight = async (number: number) => {
    await waitFor(() =>
      expect(document.activeElement?.closest('tr')).toHaveAttribute('aria-rowindex', String(number + 1)),
    );
    await waitFor(() => {
      const box = document.activeElement?.closest('tr')?.getBoundingClientRect();
      expect(box?.top).toBeGreaterThanOrEqual(top);
      expect(box?.bottom).toBeLessThanOrEqual(bottom);
    });
  };
  for (let row = 1; row <= 30; row += 1) {
    await user.keyboard('j');
    await expectInSight(row);
  }
  for (let row = 29; row >= 5; row -= 1) {
    await user.keyboard('k');
    await expectInSight(row);
  }
});

async function dashboard(width: number, others: Token[] = []) {
  const first = aged(1, { name: 'A token of a long name', mightRun: true, volume: 950 });
  rest.answer(tokenCalls.new, [first, ...others], feed);
  answer(rest, []);
  await page.viewport(width, 800);
  const rendered = renderWithApp(
    <Frame headerActions={null} sidebarLink={null} moreLink={null}>
      <DashboardPage />
    </Frame>,
    { path: '/app' },
  );
  const table = await screen.findByRole('table', { name: 'Newest Tokens' });
  return { rendered, table };
}

test.each([1280, 360])('at %d px a row of the dashboard shows liquidity and volume [S2.5-16]', async (width) => {
  const { table } = await dashboard(width);
  for (const text of ['3.250 SOL', '$950']) {
    const box = (await within(table).findByText(text)).getBoundingClientRect();
    expect(box.width).toBeGreaterThan(10);
    expect(box.right).toBeLessThanOrEqual(width);
  }
});

test('at 360 px the badge is an icon, so that the name has room', async () => {
  const { table } = await dashboard(360);
  await waitFor(() =>
    expect(within(table).getByText('Might Run').getBoundingClientRect().width).toBeLessThanOrEqual(1),
  );
  expect(within(table).getByText('A token of a long name').getBoundingClientRect().width).toBeGreaterThan(70);
});

test('at 360 px a row shows the market cap, and its parts keep to their columns', async () => {
  const { table } = await dashboard(360);
  expect(await within(table).findByText('$5.2K')).toBeVisible();
  const right = within(table).getByText('3.250 SOL').getBoundingClientRect();
  for (const text of ['$5.2K', 'T1']) {
    expect(within(table).getByText(text).getBoundingClientRect().right).toBeLessThanOrEqual(right.left);
  }
});

test('at 360 px the button of waiting tokens covers neither a tab nor a row', async () => {
  const { rendered, table } = await dashboard(360);
  act(() => within(table).getByRole('link').focus());
  receive(rendered, added(6, aged(0)));
  const pill = (await screen.findByRole('button', { name: '1 new' })).getBoundingClientRect();
  const row = within(table).getByRole('link').closest('tr')?.getBoundingClientRect();
  expect(pill.top).toBeGreaterThanOrEqual(screen.getByRole('tab', { selected: true }).getBoundingClientRect().bottom);
  expect(pill.bottom).toBeLessThanOrEqual(row?.top ?? Number.NaN);
});

test('the dashboard holds its rows while one has the focus', async () => {
  const { rendered, table } = await dashboard(1280);
  const user = userEvent.setup();
  await user.tab();
  act(() => within(table).getByRole('link').focus());
  receive(rendered, added(6, aged(0)));
  await waitFor(() => expect(screen.getByText('1 new')).toBeVisible());
  expect(within(table).getAllByRole('link')).toHaveLength(1);
});

test('j and k move through the rows of the dashboard, and Enter opens one', async () => {
  const { rendered, table } = await dashboard(
    1280,
    Array.from({ length: 19 }, (_, at) => aged(at + 2)),
  );
  const user = userEvent.setup();
  await user.keyboard('jjjk');
  expect(document.activeElement).toBe(within(table).getByRole('link', { name: 'Details of Token 2' }));
  await user.keyboard('j'.repeat(30));
  const last = within(table).getByRole('link', { name: 'Details of Token 20' });
  expect(document.activeElement).toBe(last);
  expect(last.closest('tr')?.getBoundingClientRect().bottom).toBeLessThanOrEqual(800);
  await user.keyboard('{Enter}');
  expect(rendered.path()).toMatch(/^\/app\/tokens\//);
});

test('c copies the address of the selected row, and w watches it', async () => {
  const { table } = await dashboard(1280);
  rest.answer(watchlistCalls.add, entry('watch', 1));
  const user = userEvent.setup();
  act(() => within(table).getByRole('link').focus());
  await user.keyboard('c');
  expect(await navigator.clipboard.readText()).toBe(address(1));
  await user.keyboard('w');
  await waitFor(() => expect(rest.count(watchlistCalls.add)).toBe(1));
});

test('a row has a menu for its coin once it is looked at, with the reason in place of links for a simulated one', async () => {
  const { table } = await dashboard(1280);
  expect(within(table).queryByRole('button', { name: /^More about/ })).toBeNull();
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  await user.hover(within(table).getByRole('link'));
  await user.click(within(table).getByRole('button', { name: 'More about A token of a long name' }));
  expect(await screen.findByText(/^This token is simulated\. It is/)).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'Solscan' })).toBeNull();
  await user.keyboard('{Escape}');
});

test('a long press on a fact shows its evidence, and opens nothing', async () => {
  const { rendered, table } = await dashboard(1600);
  const fact = within(table).getByText('T10').getBoundingClientRect();
  const at = { bubbles: true, pointerType: 'touch', clientX: fact.left + 2, clientY: fact.top + 2 };
  const link = within(table).getByRole('link');
  fireEvent(link, new PointerEvent('pointerdown', at));
  await waitFor(() =>
    expect(screen.getByRole('tooltip')).toHaveTextContent(
      'The ten largest wallets hold 22.0% of the supply (limit 20%).',
    ),
  );
  fireEvent(link, new PointerEvent('pointerup', at));
  fireEvent.click(link);
  expect(rendered.path()).toBe('/app');
});

test('at 360 px the toolbar fits beside the switch of quick trade', async () => {
  answer(rest, [aged(1)]);
  rest.answer(tradingCalls.account, account());
  await page.viewport(360, 800);
  renderWithApp(
    <Frame headerActions={null} sidebarLink={null} moreLink={null}>
      <TokenListPage />
    </Frame>,
    { path: '/app/tokens' },
  );
  await screen.findByRole('switch', { name: 'Quick trade' });
  const refresh = screen.getByRole('button', { name: 'Refresh' });
  expect(refresh.getBoundingClientRect().right).toBeLessThanOrEqual(360);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});

test.each([1440, 360])('at %d px the rows keep their places when the first token is blacklisted', async (width) => {
  answer(rest, [aged(1), aged(2), aged(3)]);
  rest.answer(tradingCalls.account, account());
  await page.viewport(width, 800);
  const { store } = renderWithApp(
    <Frame headerActions={null} sidebarLink={null} moreLink={null}>
      <TokenListPage />
    </Frame>,
    { path: '/app/tokens' },
  );
  await screen.findByRole('switch', { name: 'Quick trade' });
  await screen.findByRole('table', { name: 'Tokens' });
  const table = () => screen.getByRole('table', { name: 'Tokens' }).getBoundingClientRect().top;
  const before = table();
  act(() => elsewhere(store, 'saved', entry('black', 3)));
  expect(await screen.findByRole('button', { name: '1 blacklisted token is hidden' })).toBeVisible();
  expect(table()).toBe(before);
});

test('at 360 px a press on a figure that has just changed is for its token', async () => {
  answer(rest, [aged(1)]);
  await page.viewport(360, 800);
  const rendered = renderWithApp(<TokenListPage />, { path: '/app/tokens' });
  await screen.findByRole('table', { name: 'Tokens' });
  const payload = { seq: 6, at: Date.now(), solUsd: null, patches: [{ number: 2, version: 2, volume: 12_345 }] };
  receive(rendered, { event: 'token-updates', payload });
  const { left, top, width, height } = screen.getByText('$12.3K').getBoundingClientRect();
  expect(document.elementFromPoint(left + width / 2, top + height / 2)).toBe(screen.getByRole('link'));
});
