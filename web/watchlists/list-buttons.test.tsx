import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import type { WatchlistName } from '../../common/watchlists/model.ts';
import { sessionAtom, startSession } from '../auth/session.ts';
import { address, detail } from '../live/testing/build.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { holdResponse } from '../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../testing/render.tsx';
import { ActionsTab } from '../tokens/detail/actions-tab.tsx';
import { ListButtons } from './list-buttons.tsx';
import { elsewhere, entry, shownEntries, storeLists } from './testing/own-lists.ts';

const rest = fakeServerPerTest();

const button = (name: string) => screen.getByRole('button', { name });
const pressed = () =>
  ['Watch', 'Whitelist', 'Blacklist'].filter((name) => button(name).getAttribute('aria-pressed') === 'true');

/** Renders the buttons of token 1 and waits until its lists are loaded. */
async function shown(): Promise<Rendered> {
  const rendered = renderWithApp(<ListButtons address={address(1)} />);
  await waitFor(() => expect(button('Watch')).toBeEnabled());
  return rendered;
}

describe('the buttons of a token', () => {
  test.each([
    ['S2.7-04', 'Watch', 'watch', 'Watchlist'],
    ['S2.7-04', 'Whitelist', 'white', 'Whitelist'],
    ['S2.7-05', 'Blacklist', 'black', 'Blacklist'],
  ] as const)('%s %s adds it to the list and removes it', async (_id, name, list, label) => {
    const server = storeLists(rest);
    const user = userEvent.setup();
    await shown();
    expect(pressed()).toEqual([]);
    await user.click(button(name));
    expect(await screen.findByText(`Added to ${label}`)).toBeVisible();
    expect(pressed()).toEqual([name]);
    expect(server.lists()).toMatchObject([{ list, address: address(1) }]);
    await user.click(button(name));
    expect(await screen.findByText(`Removed from ${label}`)).toBeVisible();
    expect(pressed()).toEqual([]);
    expect(server.lists()).toEqual([]);
  });

  test('whitelist and blacklist exclude each other; watching combines with either [S2.7-04, S2.7-05]', async () => {
    const server = storeLists(rest, [entry('watch', 1), entry('white', 1)]);
    const user = userEvent.setup();
    await shown();
    expect(pressed()).toEqual(['Watch', 'Whitelist']);
    await user.click(button('Blacklist'));
    await screen.findByText('Added to Blacklist');
    expect(pressed()).toEqual(['Watch', 'Blacklist']);
    expect(server.lists().map(({ list }) => list)).toEqual(['black', 'watch']);
  });

  test('change at once, and revert when the server refuses [S2.7-04]', async () => {
    storeLists(rest, [entry('watch', 2)]);
    const respond = holdResponse(rest, watchlistCalls.add);
    const user = userEvent.setup();
    const { store } = await shown();
    await user.click(button('Watch'));
    await waitFor(() => expect(pressed()).toEqual(['Watch']));
    respond(json({ error: 'This list is full.', code: 'limit-reached' }, 409));
    expect(await screen.findByText('The token was not added to your Watchlist: This list is full.')).toBeVisible();
    expect(screen.getByText('Error').closest('[data-variant]')).toHaveAttribute('data-variant', 'destructive');
    await waitFor(() => expect(pressed()).toEqual([]));
    expect(shownEntries(store)).toEqual([entry('watch', 2)]);
  });

  test('a refused blacklisting restores the whitelist and keeps changes of another tab', async () => {
    storeLists(rest, [entry('white', 1)]);
    const respond = holdResponse(rest, watchlistCalls.add);
    const user = userEvent.setup();
    const { store } = await shown();
    await user.click(button('Blacklist'));
    await waitFor(() => expect(pressed()).toEqual(['Blacklist']));
    act(() => elsewhere(store, 'saved', entry('watch', 1)));
    // The later response does not matter here.
    rest.reply(watchlistCalls.list, () => new Promise(() => undefined));
    respond(json({ error: 'Not now.', code: 'unavailable' }, 503));
    await waitFor(() => expect(pressed()).toEqual(['Watch', 'Whitelist']));
  });

  test('a double click is one change', async () => {
    storeLists(rest);
    const respond = holdResponse(rest, watchlistCalls.add);
    const user = userEvent.setup();
    await shown();
    await user.dblClick(button('Watch'));
    await waitFor(() => expect(rest.count(watchlistCalls.add)).toBe(1));
    storeLists(rest, [entry('watch', 1)]);
    respond(json(entry('watch', 1)));
    expect(await screen.findByText('Added to Watchlist')).toBeVisible();
    expect(pressed()).toEqual(['Watch']);
    expect(rest.count(watchlistCalls.remove)).toBe(0);
  });

  test('follow changes of another tab [S2.7-04, S2.7-05]', async () => {
    storeLists(rest);
    const { store } = await shown();
    for (const [list, name] of [
      ['watch', 'Watch'],
      ['white', 'Whitelist'],
    ] satisfies [WatchlistName, string][]) {
      act(() => elsewhere(store, 'saved', entry(list, 1)));
      await waitFor(() => expect(button(name)).toHaveAttribute('aria-pressed', 'true'));
    }
    act(() => elsewhere(store, 'deleted', entry('watch', 1)));
    await waitFor(() => expect(pressed()).toEqual(['Whitelist']));
    // Another token: no effect here.
    act(() => elsewhere(store, 'saved', entry('black', 2)));
    expect(pressed()).toEqual(['Whitelist']);
  });

  test('are disabled while the lists are unknown', async () => {
    rest.fail(watchlistCalls.list, 'unavailable');
    renderWithApp(<ListButtons address={address(1)} />);
    await waitFor(() => expect(rest.count(watchlistCalls.list)).toBe(1));
    for (const name of ['Watch', 'Whitelist', 'Blacklist']) expect(button(name)).toBeDisabled();
  });

  test("another user's session shows another user's lists", async () => {
    storeLists(rest, [entry('watch', 1)]);
    const { store } = await shown();
    expect(pressed()).toEqual(['Watch']);
    storeLists(rest, [entry('black', 1)]);
    act(() => startSession(store, sessionUser({ id: 'user-2' })));
    await waitFor(() => expect(pressed()).toEqual(['Blacklist']));
    expect(store.get(sessionAtom)).toMatchObject({ id: 'user-2' });
  });
});

describe('the Actions tab', () => {
  test('changes the three lists like the buttons [S2.7-14]', async () => {
    const server = storeLists(rest);
    const user = userEvent.setup();
    renderWithApp(<ActionsTab token={detail(1)} />);
    await waitFor(() => expect(button('Add to Watchlist')).toBeEnabled());
    await user.click(button('Add to Watchlist'));
    expect(await screen.findByText('Added to Watchlist')).toBeVisible();
    expect(button('Remove from Watchlist')).toBeVisible();
    await user.click(button('Add to Whitelist'));
    await screen.findByText('Added to Whitelist');
    await user.click(button('Add to Blacklist'));
    await screen.findByText('Added to Blacklist');
    expect(button('Add to Whitelist')).toBeVisible();
    expect(server.lists().map(({ list }) => list)).toEqual(['black', 'watch']);
    await user.click(button('Remove from Blacklist'));
    await waitFor(() => expect(server.lists().map(({ list }) => list)).toEqual(['watch']));
  });

  test('Create Auto-Buy Rule goes to the rules with this token [S2.7-14]', async () => {
    storeLists(rest);
    const user = userEvent.setup();
    const { path } = renderWithApp(<ActionsTab token={detail(1)} />);
    await user.click(screen.getByRole('link', { name: 'Create Auto-Buy Rule' }));
    expect(path()).toBe(`/app/auto-buy?from=${address(1)}`);
  });

  test('warns that buying and selling needs a wallet set in settings and runs through the bot [S2.7-15]', () => {
    storeLists(rest);
    renderWithApp(<ActionsTab token={detail(1)} />);
    expect(screen.getByRole('note')).toHaveTextContent(
      'Buying and selling needs a wallet set in settings and runs through the bot.',
    );
    expect(screen.getByRole('link', { name: 'settings' })).toHaveAttribute('href', '/app/wallet');
  });
});
