import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { userEvent as mouse, page } from 'vitest/browser';
import { presetCalls } from '../../../common/presets/http.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { account } from '../../trading/testing/fixtures.ts';
import { elsewhere, entry } from '../../watchlists/testing/own-lists.ts';
import TokenListPage from '../list/list-page.tsx';
import { added, aged, answer, listServer, receive, search } from '../testing/list-page.tsx';

const rest = listServer();
const user = userEvent.setup();

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1_680, 900);
  answer(rest, [
    aged(1, { curveProgress: 10 }),
    aged(2, { curveProgress: 80 }),
    aged(3, { stage: 'pool', curveProgress: null }),
  ]);
  rest.answer(presetCalls.list, []);
});

async function open(path = '/app/tokens') {
  const rendered = renderWithApp(<TokenListPage />, { path });
  await screen.findByRole('list', { name: 'New' });
  return rendered;
}

const columns = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const names = (column: string) =>
  within(screen.getByRole('list', { name: column }))
    .getAllByRole('link')
    .map((link) => link.getAttribute('aria-label')?.replace('Details of ', ''));
const menuOf = async (column: string, item: string) => {
  await user.click(screen.getByRole('button', { name: `Change the column ${column}` }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};

test('a wide screen shows new coins, those near the end of their curve, and migrated ones side by side', async () => {
  await open();
  await waitFor(() => expect(names('New')).toEqual(['Token 1', 'Token 2', 'Token 3']));
  await waitFor(() => expect(names('Final stretch')).toEqual(['Token 2']));
  await waitFor(() => expect(names('Migrated')).toEqual(['Token 3']));
});

test('columns move, change their list and leave by their menus, and are kept on the device', async () => {
  const { unmount } = await open();
  await menuOf('Migrated', 'Move left');
  expect(columns()).toEqual(['New', 'Migrated', 'Final stretch']);
  await menuOf('New', 'Runners');
  await menuOf('Final stretch', 'Remove');
  expect(columns()).toEqual(['Runners', 'Migrated']);
  unmount();
  renderWithApp(<TokenListPage />, { path: '/app/tokens' });
  await screen.findByRole('region', { name: 'Runners' });
  expect(columns()).toEqual(['Runners', 'Migrated']);
});

const head = (column: string) => screen.getByRole('heading', { level: 2, name: column });
/** The columns from left to right, as they are on screen. */
const onScreen = () =>
  screen
    .getAllByRole('heading', { level: 2 })
    .toSorted((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left)
    .map(({ textContent }) => textContent);
const kept = () => localStorage.getItem('ui-board');

test('a drag of its head moves a column', async () => {
  await open();
  await mouse.dragAndDrop(head('New'), screen.getByRole('region', { name: 'Migrated' }));
  const moved = ['Final stretch', 'Migrated', 'New'];
  await waitFor(() => expect(columns()).toEqual(moved));
  expect(onScreen()).toEqual(moved);
  expect(kept()).toMatch(/final.*migrated.*new/);
});

test('a dragged column moves at once, and returns when the drag ends without a drop', async () => {
  await open();
  const handle = head('New');
  fireEvent.dragStart(handle, { dataTransfer: new DataTransfer() });
  fireEvent.dragOver(screen.getByRole('region', { name: 'Migrated' }));
  expect(onScreen()).toEqual(['Final stretch', 'Migrated', 'New']);
  fireEvent.dragEnd(handle);
  expect(onScreen()).toEqual(['New', 'Final stretch', 'Migrated']);
  expect(kept()).toBeNull();
});

test('a drag of a card moves no column', async () => {
  await open();
  await waitFor(() => expect(names('Migrated')).toEqual(['Token 3']));
  const card = within(screen.getByRole('list', { name: 'Migrated' })).getByRole('link');
  await mouse.dragAndDrop(card, head('New'));
  expect(onScreen()).toEqual(['New', 'Final stretch', 'Migrated']);
});

test('a kept layout loses its damaged and doubled columns alone', async () => {
  const migrated = { id: 'b', name: 'Migrated', choice: { stage: 'pool' } };
  const layout = [{ id: 'a', name: 'Runners', choice: { filter: 'runners' } }, { id: 'x' }, migrated, null];
  localStorage.setItem('ui-board', JSON.stringify([...layout, { ...migrated, name: 'Doubled' }]));
  const { unmount } = renderWithApp(<TokenListPage />, { path: '/app/tokens' });
  await screen.findByRole('list', { name: 'Migrated' });
  expect(columns()).toEqual(['Runners', 'Migrated']);
  unmount();
  localStorage.setItem('ui-board', '[null]');
  await open();
  expect(columns()).toEqual(['New', 'Final stretch', 'Migrated']);
});

test('each column is held by itself, and takes a new token', async () => {
  const rendered = await open();
  await waitFor(() => expect(names('Final stretch')).toEqual(['Token 2']));
  await user.hover(within(screen.getByRole('list', { name: 'Final stretch' })).getByRole('link'));
  receive(rendered, added(6, aged(0, { curveProgress: 90 })));
  await waitFor(() => expect(names('New')).toContain('Token 0'));
  expect(names('Final stretch')).toEqual(['Token 2']);
  const pill = await within(screen.getByRole('region', { name: 'Final stretch' })).findByRole('button', {
    name: '1 new',
  });
  act(() => pill.click());
  await waitFor(() => expect(names('Final stretch')).toContain('Token 0'));
});

test('while quick trade is on, each card has its buttons, which stay within it', async () => {
  rest.answer(tradingCalls.account, account());
  rest.answer(tradingCalls.positions, []);
  const card = () => within(screen.getByRole('list', { name: 'Final stretch' })).getByRole('listitem');
  await open();
  await waitFor(() => expect(names('Final stretch')).toEqual(['Token 2']));
  expect(within(card()).queryByRole('button', { name: /^Buy for/ })).toBeNull();
  await user.click(await screen.findByRole('switch', { name: 'Quick trade' }));
  const texts = ['0.05', '0.1', '0.25', '25 %', '50 %', '100 %'];
  const trades = within(card()).getAllByRole('button', { name: /^(Buy for|Sell) / });
  expect(trades.map(({ textContent }) => textContent)).toEqual(texts);
  for (const trade of trades) {
    const { left, right, bottom } = trade.getBoundingClientRect();
    const edges = card().getBoundingClientRect();
    expect(left).toBeGreaterThan(edges.left);
    expect(right).toBeLessThan(edges.right);
    expect(bottom).toBeLessThan(edges.bottom);
  }
  const [, second] = within(screen.getByRole('list', { name: 'New' })).getAllByRole('listitem');
  expect(second?.getBoundingClientRect().top).toBe(card().getBoundingClientRect().bottom);
});

test('a press on a figure that has just changed is for its token', async () => {
  const rendered = await open();
  await waitFor(() => expect(names('Migrated')).toEqual(['Token 3']));
  const payload = { seq: 6, at: Date.now(), solUsd: null, patches: [{ number: 4, version: 2, volume: 12_345 }] };
  receive(rendered, { event: 'token-updates', payload });
  const list = within(screen.getByRole('list', { name: 'Migrated' }));
  const { left, top, width, height } = list.getByText('$12.3K').getBoundingClientRect();
  expect(document.elementFromPoint(left + width / 2, top + height / 2)).toBe(list.getByRole('link'));
});

test('a coin that migrates comes first among the migrated ones, however old it is', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  answer(rest, [
    aged(1, { stage: 'pool', migratedAt: minutesAgo(0.5) }),
    aged(2, { stage: 'pool' }),
    aged(3, { stage: 'pool', migratedAt: minutesAgo(0.2) }),
    aged(40),
  ]);
  const rendered = await open();
  await waitFor(() => expect(names('Migrated')).toEqual(['Token 3', 'Token 1', 'Token 2']));
  const patch = { number: 41, version: 2, stage: 'pool' as const, migratedAt: minutesAgo(0) };
  const payload = { seq: 6, at: Date.now(), solUsd: null, patches: [patch] };
  receive(rendered, { event: 'token-updates', payload });
  await waitFor(() => expect(names('Migrated')).toEqual(['Token 40', 'Token 3', 'Token 1', 'Token 2']));
});

test('a phone marks the column that a swipe has reached, and shows no half figure', async () => {
  await page.viewport(360, 780);
  localStorage.setItem('ui-token-view', '"board"');
  answer(rest, [aged(1, { marketCap: 1_234_567, volume: 123_456, currentLiquidity: 123.4, holderCount: 123 })]);
  await open();
  const current = () => within(screen.getByRole('group', { name: 'Column' })).getByRole('button', { current: true });
  expect(current()).toHaveTextContent('New');
  const volume = await within(screen.getByRole('list', { name: 'New' })).findByText('$123.5K');
  const line = volume.closest('p');
  const edges = { right: line?.getBoundingClientRect().right ?? 0, bottom: line?.getBoundingClientRect().bottom ?? 0 };
  for (const figure of line?.children ?? []) {
    const { right, top } = figure.getBoundingClientRect();
    expect(right <= edges.right || top >= edges.bottom).toBe(true);
  }
  const strip = screen.getByRole('region', { name: 'New' }).closest('ul');
  strip?.scrollTo({ left: strip.clientWidth, behavior: 'instant' });
  await waitFor(() => expect(current()).toHaveTextContent('Final stretch'));
});

test('a link with a choice opens as a list, also once the choice is cleared, until the board is chosen', async () => {
  rest.fail(tokenCalls.facets, 'internal');
  renderWithApp(<TokenListPage />, { path: '/app/tokens?filter=new' });
  await screen.findByRole('table', { name: 'Tokens' });
  await user.click(screen.getByRole('button', { name: 'All' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true'));
  expect(screen.getByRole('table', { name: 'Tokens' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Board' }));
  expect(await screen.findByRole('list', { name: 'New' })).toBeVisible();
});

test('the search above the board opens the list and keeps the focus [S2.6-01]', async () => {
  await open();
  await user.keyboard('/');
  expect(search()).toHaveFocus();
  await user.keyboard('t2');
  await screen.findByRole('table', { name: 'Tokens' });
  expect(search()).toHaveFocus();
  expect(search()).toHaveValue('t2');
});

test.each([['All'], [/^Runners/]])('the filter %s above the board opens the list [S2.6-03]', async (name) => {
  await open();
  await user.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(screen.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true'));
  expect(screen.queryByRole('list', { name: 'New' })).toBeNull();
});

test('Refresh fetches the list of each column again [S2.6-02]', async () => {
  await open();
  await waitFor(() => expect(names('Migrated')).toEqual(['Token 3']));
  answer(rest, [aged(4, { stage: 'pool', curveProgress: null })]);
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(names('Migrated')).toContain('Token 4'));
});

test('a card of a scrolled column opens just after a change that did not move it', async () => {
  answer(
    rest,
    Array.from({ length: 40 }, (_, at) => aged(at + 1, { stage: 'pool', curveProgress: null })),
  );
  const rendered = await open();
  await waitFor(() => expect(names('Migrated').length).toBeGreaterThan(5));
  const list = screen.getByRole('list', { name: 'Migrated' });
  const before = performance.now();
  act(() => elsewhere(rendered.store, 'saved', entry('black', 40)));
  await waitFor(() => expect(within(list).getAllByRole('listitem')[0]).toHaveAttribute('aria-setsize', '39'));
  act(() => {
    // Its result is a promise, which `act` would wait for in vain.
    list.parentElement?.scrollTo({ top: 840 });
  });
  const link = await within(list).findByRole('link', { name: 'Details of Token 13' });
  const { left, top } = link.getBoundingClientRect();
  const where = { bubbles: true, clientX: left + 4, clientY: top + 4 };
  const press = new PointerEvent('pointerdown', { ...where, pointerType: 'mouse' });
  // Within the guarded time, however long the change took.
  Object.defineProperty(press, 'timeStamp', { value: before });
  fireEvent(link, press);
  fireEvent.click(link, { ...where, detail: 1 });
  expect(screen.queryByText(/^List moved/)).toBeNull();
});

test('j and k move through the cards of a column, h and l between columns', async () => {
  await open();
  await waitFor(() => expect(names('Migrated')).toEqual(['Token 3']));
  await waitFor(() => expect(names('Final stretch')).toEqual(['Token 2']));
  const selected = () => {
    const column = document.activeElement?.closest('section')?.getAttribute('aria-label') ?? 'none';
    return `${column}: ${document.activeElement?.getAttribute('aria-label') ?? 'none'}`;
  };
  await user.keyboard('j');
  expect(selected()).toBe('New: Details of Token 1');
  await user.keyboard('jj');
  expect(selected()).toBe('New: Details of Token 3');
  await user.keyboard('jk');
  expect(selected()).toBe('New: Details of Token 2');
  await user.keyboard('l');
  expect(selected()).toBe('Final stretch: Details of Token 2');
  await user.keyboard('ll');
  expect(selected()).toBe('Migrated: Details of Token 3');
  await user.keyboard('hh');
  expect(selected()).toBe('New: Details of Token 1');
});
