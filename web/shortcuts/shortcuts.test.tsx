import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Link, Route } from 'wouter';
import { presetCalls } from '../../common/presets/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { unitAtom } from '../live/atoms/unit.ts';
import { token } from '../live/testing/build.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { id } from '../testing/page.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { viewAtom } from '../tokens/board/board-state.ts';
import FilterDrawer from '../tokens/filter/filter-drawer.tsx';
import { useOrderKeeper } from '../tokens/list/list-order.ts';
import { toast } from '../ui/toast-store.ts';
import { keyHelp, pageKeys } from './keys.ts';
import { Shortcuts } from './shortcuts.tsx';

const server = fakeServerPerTest();
const found = token(1, { name: 'Laser Cat', symbol: 'LCAT' });

beforeEach(() => {
  server.answer(presetCalls.list, [
    { id: id(1), name: 'My (big) whales', choice: { f: 'liquidity:50-' }, createdAt: '2026-09-01T12:00:00.000Z' },
  ]);
  server.reply(tokenCalls.list, async ({ query }) => Response.json(query.get('q') === 'laser' ? [found] : []));
});

/** A list of three coins. */
function List() {
  const coins = ['a', 'b', 'c'];
  return (
    <div {...useOrderKeeper('coins', coins)}>
      {coins.map((coin) => (
        <Link key={coin} href={`/app/tokens/${coin}`} data-row-link="">
          {coin}
        </Link>
      ))}
    </div>
  );
}

const open = (path = '/app/settings') =>
  renderWithApp(
    <>
      <Shortcuts />
      <input aria-label="Amount" />
    </>,
    { path, session: sessionUser() },
  );

test('? shows the keys, and Escape closes them', async () => {
  open();
  await userEvent.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each(Object.entries(pageKeys))('g %s opens %s', async (key, page) => {
  const { path } = open('/nowhere');
  await userEvent.keyboard(`g${key}`);
  expect(path()).toBe(page);
  expect(keyHelp.some(({ lines }) => lines.some(({ keys }) => keys.includes(`g ${key}`)))).toBe(true);
});

test('keys in a field are text', async () => {
  const { path } = open();
  await userEvent.type(screen.getByLabelText('Amount'), 'gt?');
  expect(screen.getByLabelText('Amount')).toHaveValue('gt?');
  expect(path()).toBe('/app/settings');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Escape leads from the page of a token to the list', async () => {
  const { path } = open('/app/tokens/abc');
  await userEvent.keyboard('{Escape}');
  expect(path()).toBe('/app/tokens');
});

/** Opens the page of a coin from the list. */
async function openCoin(name: string) {
  const rendered = renderWithApp(
    <>
      <Shortcuts />
      <Route path="/app/tokens" component={List} />
    </>,
    { path: '/app/tokens', session: sessionUser() },
  );
  await userEvent.click(screen.getByRole('link', { name }));
  return rendered;
}

// A doubled bracket is one key for the library.
test('[ and ] lead through the list that the coin was opened from, up to its ends', async () => {
  const { path } = await openCoin('b');
  expect(path()).toBe('/app/tokens/b');
  await userEvent.keyboard(']');
  expect(path()).toBe('/app/tokens/c');
  await userEvent.keyboard(']');
  expect(path()).toBe('/app/tokens/c');
  await userEvent.keyboard('[[[[[[');
  expect(path()).toBe('/app/tokens/a');
});

test('a held ] leads to one coin', async () => {
  const { path } = await openCoin('a');
  fireEvent.keyDown(document.body, { key: ']' });
  for (let times = 0; times < 5; times += 1) fireEvent.keyDown(document.body, { key: ']', repeat: true });
  expect(path()).toBe('/app/tokens/b');
});

test.each([
  ['AltGr of Windows', { ctrlKey: true, altKey: true }, 'c'],
  ['Option', { altKey: true }, 'c'],
  ['Ctrl', { ctrlKey: true }, 'b'],
  ['⌘', { metaKey: true }, 'b'],
])('a ] typed with %s', async (_, modifiers, coin) => {
  const { path } = await openCoin('b');
  fireEvent.keyDown(document.body, { key: ']', ...modifiers });
  expect(path()).toBe(`/app/tokens/${coin}`);
});

test('a letter with Alt is no shortcut', async () => {
  const { path } = open();
  await userEvent.keyboard('g');
  fireEvent.keyDown(document.body, { key: 't', altKey: true });
  expect(path()).toBe('/app/settings');
});

test('[ and ] do nothing for a coin that was not opened from a list', async () => {
  const { path } = open('/app/tokens/b');
  await userEvent.keyboard('[[]');
  expect(path()).toBe('/app/tokens/b');
});

test('an Escape that dismisses a toast stays on the page of a token', async () => {
  const { path } = open('/app/tokens/abc');
  act(() => void toast({ title: 'Saved' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByText('Saved')).toBeNull();
  expect(path()).toBe('/app/tokens/abc');
  await userEvent.keyboard('{Escape}');
  expect(path()).toBe('/app/tokens');
});

test.each([
  ['work beside the filters', false],
  ['do not work below the filters of a narrow screen', true],
])('keys %s', async (_, isNarrow) => {
  vi.stubGlobal('matchMedia', () => ({ matches: isNarrow, addEventListener: () => {}, removeEventListener: () => {} }));
  server.answer(tokenCalls.facets, { total: 0, matching: 0, recent: 0, hidden: 0, fields: {}, sources: [] });
  const { path } = renderWithApp(
    <>
      <Shortcuts />
      <FilterDrawer choice={{}} limits={{}} onLimits={() => {}} onClose={() => {}} />
    </>,
    { path: '/app/tokens', session: sessionUser() },
  );
  expect(await screen.findByRole('dialog', { name: 'Filters' })).toBeVisible();
  await userEvent.keyboard('gw');
  expect(path()).toBe(isNarrow ? '/app/tokens' : pageKeys.w);
});

/** Opens the palette and types. Returns its field. */
async function typeInPalette(text: string): Promise<HTMLElement> {
  await userEvent.keyboard('{Control>}k{/Control}');
  const field = await screen.findByPlaceholderText('Coin, page, preset or action');
  await userEvent.type(field, text);
  return field;
}

test('Ctrl K finds coins of the server, pages and presets, and Enter opens the first', async () => {
  const { path } = open();
  await typeInPalette('laser');
  expect(await screen.findByRole('option', { name: /Laser Cat LCAT/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(path()).toBe(`/app/tokens/${found.address}`);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the palette opens a page, and a preset by its address', async () => {
  const { path } = open();
  await typeInPalette('wallet');
  await userEvent.keyboard('{Enter}');
  expect(path()).toBe('/app/wallet');
  await typeInPalette('final str');
  await userEvent.keyboard('{Enter}');
  expect(path()).toBe('/app/tokens?f=curve%3A60-&sort=marketCap');
  await typeInPalette('big{Enter}');
  expect(path()).toBe('/app/tokens?f=liquidity%3A50-');
});

test('the palette opens the tokens as a board or a list, and switches the unit', async () => {
  const { path, store } = open();
  // The Dashboard has it within a word.
  await typeInPalette('board{Enter}');
  expect([path(), store.get(viewAtom)]).toEqual(['/app/tokens', 'board']);
  await typeInPalette('as a list');
  await userEvent.keyboard('{Enter}');
  expect(store.get(viewAtom)).toBe('list');
  await typeInPalette('market cap in s{Enter}');
  expect(store.get(unitAtom)).toBe('sol');
});

test('Enter opens no coin of a text before the present one', async () => {
  const { path } = open();
  const field = await typeInPalette('laser');
  expect(await screen.findByRole('option', { name: /Laser Cat LCAT/ })).toBeVisible();
  await userEvent.type(field, 's{Enter}');
  expect(path()).toBe('/app/settings');
  expect(screen.queryByRole('option')).toBeNull();
});

test('an own preset with the name of a ready one is an entry of its own', async () => {
  const choice = { f: 'curve:90-' };
  server.answer(presetCalls.list, [
    { id: id(1), name: 'Final stretch', choice, createdAt: '2026-09-01T12:00:00.000Z' },
  ]);
  const { path } = open();
  await typeInPalette('final str');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
  expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(path()).toBe('/app/tokens?f=curve%3A90-');
});

test('nothing found is said', async () => {
  open();
  await typeInPalette('zzzzzz');
  expect(await screen.findByText('Nothing found.')).toBeVisible();
});
