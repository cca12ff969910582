import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { address } from '../live/testing/build.ts';
import type { Rendered } from '../testing/render.tsx';
import { aged, answer, listServer, names, search, settled, shown, table } from '../tokens/testing/list-page.tsx';
import { elsewhere, entry, storeLists } from './testing/own-lists.ts';

const rest = listServer();

beforeEach(() => {
  storeLists(rest);
  answer(rest, [aged(1), aged(2), aged(3), aged(4)]);
});
afterEach(() => page.viewport(1280, 800));

const action = (name: string) => table().getByRole('button', { name });
const opacityOf = (element: Element) => getComputedStyle(element.parentElement ?? element).opacity;

// Testing Library's pointer does not set the browser's :hover, which the actions need to take pointer events.
const noHover = userEvent.setup({ pointerEventsCheck: 0 });

/** Renders the list page and waits for the user's lists. */
async function ready(onPaint?: (address: string) => void): Promise<Rendered> {
  const rendered = await shown(onPaint);
  await waitFor(() => expect(action('Watch Token 1')).toBeEnabled());
  return rendered;
}

describe('a change of the lists repaints only the row of its token', () => {
  test('when watched in another tab [S2.7-04]', async () => {
    const painted: string[] = [];
    const { store } = await ready((one) => void painted.push(one));
    await settled(painted);
    act(() => elsewhere(store, 'saved', entry('watch', 3)));
    await waitFor(() => expect(action('Watch Token 3')).toHaveAttribute('aria-pressed', 'true'));
    expect(new Set(painted)).toEqual(new Set([address(3)]));
    expect(table().getAllByText('Watched')).toHaveLength(1);
  });

  test('when whitelisted by the button of a row [S2.7-04]', async () => {
    const painted: string[] = [];
    await ready((one) => void painted.push(one));
    await settled(painted);
    await noHover.click(action('Whitelist Token 2'));
    expect(await screen.findByText('Added to Whitelist')).toBeInTheDocument();
    expect(table().getAllByText('Whitelisted')).toHaveLength(1);
    expect(new Set(painted)).toEqual(new Set([address(2)]));
  });

  test('when the last row is blacklisted [S2.7-05]', async () => {
    const painted: string[] = [];
    const { store } = await ready((one) => void painted.push(one));
    await settled(painted);
    act(() => elsewhere(store, 'saved', entry('black', 4)));
    await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 2', 'Token 3']));
    expect(painted.filter((one) => one !== address(4))).toEqual([]);
  });
});

test('a blacklisted token is in no filter and no search, until removed from the blacklist [S2.7-05]', async () => {
  storeLists(rest, [entry('black', 2)]);
  const listed = { scamProbability: 90, runner: true };
  answer(rest, [aged(1), aged(2, listed), aged(3, listed)]);
  const user = userEvent.setup();
  const { store } = await shown();
  await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 3']));
  for (const filter of ['New', 'Runners', 'Risky']) {
    await user.click(screen.getByRole('button', { name: new RegExp(`^${filter}\\b`) }));
    expect(names()).not.toContain('Token 2');
  }
  await user.click(screen.getByRole('button', { name: /^All\b/ }));
  await user.type(search(), 't2');
  expect(await screen.findByText('No Matching Tokens')).toBeVisible();
  await user.clear(search());
  expect(screen.getByRole('button', { name: '1 blacklisted token is hidden' })).toBeVisible();
  act(() => elsewhere(store, 'deleted', entry('black', 2)));
  await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 2', 'Token 3']));
});

describe('the actions of a row', () => {
  test('appear under the pointer without moving anything; a blacklisted row disappears at once [S2.7-04, S2.7-05]', async () => {
    const user = userEvent.setup();
    await ready();
    const row = action('Watch Token 2').closest('tr') ?? document.body;
    const before = row.getBoundingClientRect();
    expect(opacityOf(action('Watch Token 2'))).toBe('0');
    await page.elementLocator(row).hover();
    await waitFor(() => expect(opacityOf(action('Watch Token 2'))).toBe('1'));
    expect(row.getBoundingClientRect().height).toBe(before.height);
    expect(opacityOf(action('Watch Token 3'))).toBe('0');
    await page.elementLocator(action('Watch Token 2')).click();
    expect(row.contains(document.activeElement)).toBe(false);
    await page.elementLocator(action('Blacklist Token 2')).click();
    await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 3', 'Token 4']));
    await user.unhover(row);
  });

  test('leave the other columns free: the address and the links are in a menu', async () => {
    await ready();
    const row = action('Watch Token 2').closest('tr') ?? document.body;
    await noHover.hover(row);
    const menu = await table().findByRole('button', { name: 'More about Token 2' });
    const bar = menu.parentElement?.getBoundingClientRect();
    const risk = row.querySelectorAll('td')[table().getAllByRole('columnheader').length - 2]?.getBoundingClientRect();
    expect(bar?.left).toBeGreaterThan((risk?.left ?? Number.POSITIVE_INFINITY) + 50);
    await noHover.click(menu);
    expect(await screen.findByRole('menuitem', { name: 'Copy address' })).toBeVisible();
    // The first press replaces the button by one with a menu; an open menu hides the page from readers.
    const opened = row.querySelector('[aria-label="More about Token 2"]') ?? document.body;
    await waitFor(() => expect(opacityOf(opened)).toBe('1'));
    await noHover.keyboard('{Escape}');
  });

  test('are reached by the arrow keys, while Tab stops once per row', async () => {
    const user = userEvent.setup();
    await ready();
    await user.keyboard('jj');
    await waitFor(() => expect(document.activeElement).toHaveAccessibleName('Details of Token 2'));
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toHaveAccessibleName('Watch Token 2');
    expect(opacityOf(action('Watch Token 2'))).not.toBe('');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Added to Watchlist')).toBeInTheDocument();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(document.activeElement).toHaveAccessibleName('Blacklist Token 2');
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(document.activeElement).toHaveAccessibleName('More about Token 2');
    await user.keyboard('{ArrowLeft}');
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    expect(document.activeElement).toHaveAccessibleName('Details of Token 2');
    await user.tab();
    expect(document.activeElement).toHaveAccessibleName('Details of Token 3');
  });

  test('blacklisting by keyboard focuses the next row', async () => {
    const user = userEvent.setup();
    await ready();
    await user.keyboard('j');
    await waitFor(() => expect(document.activeElement).toHaveAccessibleName('Details of Token 1'));
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{Enter}');
    await waitFor(() => expect(names()).toEqual(['Token 2', 'Token 3', 'Token 4']));
    expect(document.activeElement).toHaveAccessibleName('Details of Token 2');
  });

  test('a double click blacklists one token, not its successor', async () => {
    await ready();
    await noHover.dblClick(action('Blacklist Token 2'));
    await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 3', 'Token 4']));
    expect(rest.count(watchlistCalls.add)).toBe(1);
  });

  test('at 360 px rows are cards with a menu for all actions, and keep their marks', async () => {
    storeLists(rest, [entry('watch', 1)]);
    await page.viewport(360, 740);
    await shown();
    await waitFor(() => expect(screen.queryByRole('columnheader')).toBeNull());
    expect(await screen.findByText('Watched')).toBeInTheDocument();
    const buttons = table().getAllByRole('button');
    expect(buttons.map((one) => one.getAttribute('aria-label'))).toEqual(
      [1, 2, 3, 4].map((n) => `More about Token ${n}`),
    );
  });
});

test('shows an error with a retry when the lists fail to load', async () => {
  rest.fail(watchlistCalls.list, 'unavailable');
  await shown();
  expect(await screen.findByText(/blacklisted tokens may be shown/)).toBeVisible();
  storeLists(rest, [entry('black', 1)]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(names()).toEqual(['Token 2', 'Token 3', 'Token 4']));
});
