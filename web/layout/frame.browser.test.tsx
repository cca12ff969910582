import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { authCalls } from '../../common/auth/http.ts';
import { sessionAtom } from '../auth/session.ts';
import { statsAtom } from '../live/atoms/atoms.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { Frame } from './frame.tsx';
import { HeaderSlot } from './header-slot.tsx';
import { usePageTitle } from './page-title.ts';
import { MenuBotLink, SidebarBotLink } from './sidebar.tsx';

const server = fakeServerPerTest();

afterEach(async () => {
  await page.viewport(1280, 800);
});

function Page() {
  usePageTitle('Tokens');
  return (
    <HeaderSlot>
      <input aria-label="Search" className="w-full" />
    </HeaderSlot>
  );
}

async function open(width: number, path = '/app/tokens', bot: string | null = null): Promise<Rendered> {
  await page.viewport(width, 800);
  return renderWithApp(
    <Frame
      headerActions={<button type="button">Alerts</button>}
      sidebarLink={<SidebarBotLink address={bot} />}
      moreLink={<MenuBotLink address={bot} />}
    >
      <Page />
    </Frame>,
    { path },
  );
}

function menuOf(name: string): [string | null, string | null][] {
  const links = within(screen.getByRole('navigation', { name })).getAllByRole('link');
  return links.map((link) => [link.textContent, link.getAttribute('href')]);
}

const menu = [
  ['Dashboard', '/app'],
  ['Tokens', '/app/tokens'],
  ['Auto-Buy Rules', '/app/auto-buy'],
  ['Auto-Buy Strategies', '/app/auto-buy-strategies'],
  ['Transactions', '/app/transactions'],
  ['Positions', '/app/positions'],
  ['Replay', '/app/replay'],
  ['Wallet', '/app/wallet'],
  ['Settings', '/app/settings'],
];

test.each([
  [null, '/app/settings?tab=telegram'],
  ['https://t.me/mintwatch_bot', 'https://t.me/mintwatch_bot'],
])('the sidebar links to the bot (%s), or to Settings without one [S2.2-05]', async (bot, href) => {
  await open(1280, '/app', bot);
  expect(screen.getByRole('link', { name: 'Telegram bot' })).toHaveAttribute('href', href);
});

test.each([
  [null, '/app/settings?tab=telegram', null],
  ['https://t.me/mintwatch_bot', 'https://t.me/mintwatch_bot', '_blank'],
])("below 768 px 'More' links to the bot (%s), or to Settings without one [S2.2-05]", async (bot, href, target) => {
  await open(360, '/app', bot);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const link = await screen.findByRole('menuitem', { name: 'Telegram bot' });
  expect(link.getAttribute('href')).toBe(href);
  expect(link.getAttribute('target')).toBe(target);
});

describe('the menu', () => {
  test('has its entries in their order, with /app paths, in the sidebar [S2.2-01, S2.2-02]', async () => {
    await open(1280);
    expect(menuOf('Main')).toEqual(menu);
  });

  test('has the same below 768 px: five entries in the bar, the others in More [S2.2-01, S2.2-02]', async () => {
    const { path } = await open(360);
    expect(menuOf('Bottom')).toEqual([
      ['Dashboard', '/app'],
      ['Tokens', '/app/tokens'],
      ['Rules', '/app/auto-buy'],
      ['Positions', '/app/positions'],
      ['Wallet', '/app/wallet'],
    ]);
    expect(screen.getByRole('link', { name: 'Auto-Buy Rules' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'More' }));
    const others = await screen.findAllByRole('menuitem');
    expect(others.map((item) => item.textContent)).toEqual([
      'Auto-Buy Strategies',
      'Transactions',
      'Replay',
      'Settings',
      'Telegram bot',
      'Log out',
    ]);
    await userEvent.click(screen.getByRole('menuitem', { name: 'Settings' }));
    expect(path()).toBe('/app/settings');
  });

  test('every label of the bar fits at 360 px [S2.2-02]', async () => {
    await open(360);
    await document.fonts.ready;
    const bar = screen.getByRole('navigation', { name: 'Bottom' });
    const entries = [...bar.querySelectorAll('a, button')];
    expect(entries).toHaveLength(6);
    for (const one of entries) expect(one.scrollWidth).toBeLessThanOrEqual(one.clientWidth);
  });

  test('at small heights every entry of the sidebar can be reached [S2.2-02]', async () => {
    await open(1280);
    await page.viewport(1280, 360);
    const nav = screen.getByRole('navigation', { name: 'Main' });
    const last = within(nav).getByRole('link', { name: 'Settings' });
    last.scrollIntoView({ block: 'nearest' });
    const box = last.getBoundingClientRect();
    expect(box.height).toBe(36);
    expect(box.bottom).toBeLessThanOrEqual(nav.getBoundingClientRect().bottom);
    expect(screen.getByRole('button', { name: 'Log out' }).getBoundingClientRect().bottom).toBeLessThanOrEqual(360);
  });

  test('has Admin, Diagnostics and Telegram Status for administrators, also after a change of rights [S2.2-03]', async () => {
    const { store } = await open(1280);
    const labels = () => menuOf('Main').map(([label]) => label);
    expect(labels()).not.toContain('Admin');
    act(() => store.set(sessionAtom, sessionUser({ isAdmin: true })));
    expect(menuOf('Main')).toEqual([
      ...menu,
      ['Admin', '/app/admin'],
      ['Diagnostics', '/app/diagnostics'],
      ['Telegram Status', '/app/telegram-status'],
    ]);
    act(() => store.set(sessionAtom, sessionUser()));
    expect(menuOf('Main')).toEqual(menu);
  });

  test('has them in More below 768 px [S2.2-03]', async () => {
    const { store } = await open(360);
    act(() => store.set(sessionAtom, sessionUser({ isAdmin: true })));
    await userEvent.click(screen.getByRole('button', { name: 'More' }));
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    expect(items.slice(0, 7)).toEqual([
      'Auto-Buy Strategies',
      'Transactions',
      'Replay',
      'Settings',
      'Admin',
      'Diagnostics',
      'Telegram Status',
    ]);
  });

  test('marks the current page, and pages below it', async () => {
    const { navigate } = await open(1280, '/app');
    const current = () => screen.getAllByRole('link', { current: 'page' }).map((link) => link.textContent);
    expect(current()).toEqual(['Dashboard']);
    act(() => navigate('/app/tokens/So11111111111111111111111111111111111111112'));
    expect(current()).toEqual(['Tokens']);
  });
});

describe('the layout', () => {
  test('has a sidebar of 216 px from 768 px on, and no bottom bar [S2.2-04]', async () => {
    await open(1280);
    expect(screen.getByRole('complementary', { name: 'Sidebar' }).getBoundingClientRect().width).toBe(216);
    expect(screen.queryByRole('navigation', { name: 'Bottom' })).toBeNull();
  });

  test('has a bottom navigation below 768 px, and no sidebar [S2.2-04]', async () => {
    await open(360);
    const bar = screen.getByRole('navigation', { name: 'Bottom' }).getBoundingClientRect();
    expect(bar.bottom).toBe(800);
    expect(bar.width).toBe(360);
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  test.each([360, 768, 1280])('fits the width at %d px', async (width) => {
    const { store } = await open(width);
    act(() => store.set(statsAtom, simulated));
    expect(document.documentElement.scrollWidth).toBe(width);
  });

  test('collapses the sidebar to 56 px and stores that', async () => {
    await open(1280);
    await userEvent.click(screen.getByRole('button', { name: 'Collapse sidebar' }));
    expect(screen.getByRole('complementary', { name: 'Sidebar' }).getBoundingClientRect().width).toBe(56);
    expect(screen.getByRole('link', { name: 'Tokens' })).toBeVisible();
    expect(localStorage.getItem('ui-sidebar')).toBe('collapsed');
    await userEvent.click(screen.getByRole('button', { name: 'Expand sidebar' }));
    expect(localStorage.getItem('ui-sidebar')).toBe('expanded');
  });

  test('the header is 48 px, with the page title as the heading and the search of the page', async () => {
    await open(1280);
    const header = screen.getByRole('banner');
    expect(header.getBoundingClientRect().height).toBe(48);
    expect(within(header).getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible();
    expect(within(header).getByRole('textbox', { name: 'Search' })).toBeVisible();
    expect(document.title).toBe('Tokens · Mintwatch');
  });

  test('the first Tab focuses a link that skips to the content', async () => {
    await open(1280);
    await userEvent.tab();
    const skip = screen.getByRole('link', { name: 'Skip to content' });
    expect(skip).toHaveFocus();
    expect(skip.getBoundingClientRect().width).toBeGreaterThan(80);
    expect(skip).toHaveAttribute('href', '#content');
  });
});

const simulated = {
  total: 1,
  newLastHour: 1,
  runners: 0,
  mightRun: 0,
  launches: Array.from({ length: 12 }, () => 0),
  simulated: true,
  solUsd: { rate: 152.344, at: '2026-01-10T12:00:00.000Z', source: 'simulator' },
};

test('shows that the market is simulated, by the statistics', async () => {
  const { store } = await open(1280);
  expect(screen.queryByText('Simulated')).toBeNull();
  act(() => store.set(statsAtom, simulated));
  expect(screen.getByText('Simulated market')).toBeInTheDocument();
  expect(screen.getByText('Simulated market')).toBeInTheDocument();
  expect(screen.getByText('$152.34')).toBeVisible();
  act(() => store.set(statsAtom, { ...simulated, simulated: false, solUsd: null }));
  expect(screen.queryByText('Simulated')).toBeNull();
  expect(screen.queryByText('$152.34')).toBeNull();
});

test('the sidebar shows the signed-in user and logs out [S4-02]', async () => {
  server.answer(authCalls.logout, { ok: true });
  const { store } = await open(1280);
  expect(screen.getByText('trader')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  // The toast fades in, so it exists a moment before it is visible.
  await waitFor(() => expect(screen.getByText('You have been logged out.')).toBeVisible());
  expect(store.get(sessionAtom)).toBeNull();
});

test('the theme is chosen in the More menu where there is no sidebar [S2.2-06]', async () => {
  await open(360);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  const choices = await screen.findAllByRole('menuitemradio');
  expect(choices.map((choice) => choice.textContent)).toEqual(['Light', 'Dark', 'System']);
  expect(screen.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked();
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Light' }));
  await vi.waitFor(() => expect(localStorage.getItem('ui-theme')).toBe('light'));
});
