import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { tokenCalls } from '../../../common/tokens/http.ts';
import { linkAtom } from '../../live/atoms/atoms.ts';
import { liveOf } from '../../live/live.ts';
import { address } from '../../live/testing/build.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { added, aged, answer, listServer, names, receive, search, shown, table } from '../testing/list-page.tsx';
import TokenListPage from './list-page.tsx';

const rest = listServer();

test('the search filters loaded rows at once by name, symbol and address, and queries the server [S2.6-01]', async () => {
  answer(rest, [aged(1, { name: 'Moon Otter' }), aged(2, { name: 'Based Frog', symbol: 'FROG' }), aged(3)]);
  const user = userEvent.setup();
  await shown();
  await user.type(search(), 'frog');
  expect(names()).toEqual(['Based Frog']);
  await waitFor(() => expect(rest.requests.some(({ query }) => query.get('q') === 'frog')).toBe(true));
  await user.clear(search());
  await user.type(search(), address(3));
  expect(names()).toEqual(['Token 3']);
});

test('finds tokens that only the server has [S2.6-01]', async () => {
  const old = aged(5_000, { name: 'Zebra' });
  answer(rest, [aged(1)]);
  const user = userEvent.setup();
  await shown();
  answer(rest, [aged(1), old]);
  await user.type(search(), 'zebra');
  await waitFor(() => expect(names()).toEqual(['Zebra']));
});

test('the refresh button fetches the list again [S2.6-02]', async () => {
  answer(rest, [aged(1)]);
  const user = userEvent.setup();
  await shown();
  answer(rest, [aged(1), aged(2)]);
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 2']));
});

test('the filters: All, New, Runners, Might Run, Risky, Safe [S2.6-03, S4-09, S4-10]', async () => {
  answer(rest, [
    aged(1, { scamProbability: 51 }),
    aged(2, { scamProbability: null, runner: true }),
    aged(61, { scamProbability: 29 }),
    aged(62, { scamProbability: 40, mightRun: true }),
  ]);
  const user = userEvent.setup();
  await shown();
  const of = async (filter: string) => {
    await user.click(screen.getByRole('button', { name: new RegExp(`^${filter}\\b`) }));
    return names();
  };
  expect(screen.getByRole('group', { name: 'Which tokens' })).toHaveTextContent(
    /All.*New.*Runners.*Might Run.*Risky.*Safe/,
  );
  expect(await of('New')).toEqual(['Token 1', 'Token 2']);
  expect(await of('Runners')).toEqual(['Token 2']);
  expect(await of('Might Run')).toEqual(['Token 62']);
  expect(await of('Risky')).toEqual(['Token 1']);
  expect(await of('Safe')).toEqual(['Token 61']);
  expect(await of('All')).toHaveLength(4);
});

test('the subtitle counts the tokens the server has, and those that come [S2.6-04]', async () => {
  answer(rest, [aged(1)], { total: 1_234 });
  const rendered = await shown();
  expect(screen.getByText('1,234 tokens')).toBeVisible();
  receive(rendered, added(6, aged(0)));
  expect(screen.getByText('1,235 tokens')).toBeVisible();
});

test('the columns, and a link to the token [S2.6-05]', async () => {
  answer(rest, [aged(1)]);
  const user = userEvent.setup();
  const { path } = await shown();
  const headers = table()
    .getAllByRole('columnheader')
    .map((header) => header.textContent);
  for (const header of ['Token', 'Liquidity', 'Risk Level', 'Detected', 'Details']) expect(headers).toContain(header);
  await user.click(table().getByRole('link', { name: 'Details of Token 1' }));
  expect(path()).toBe(`/app/tokens/${address(1)}`);
});

test('shows a skeleton while the list loads [S2.6-06]', async () => {
  answer(rest, []);
  rest.reply(tokenCalls.list, () => new Promise<Response>(() => {}));
  renderWithApp(<TokenListPage />);
  expect(await screen.findByRole('status', { name: 'Loading tokens' })).toBeVisible();
});

test('shows an error with a retry [S2.6-07]', async () => {
  answer(rest, []);
  rest.fail(tokenCalls.list, 'internal');
  const user = userEvent.setup();
  renderWithApp(<TokenListPage />);
  expect(await screen.findByText('Error Loading Tokens')).toBeVisible();
  expect(screen.getByText('There was an error loading the token data. Please try again.')).toBeVisible();
  answer(rest, [aged(1)]);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(names()).toEqual(['Token 1']));
});

test("shows 'No Matching Tokens' without a match [S2.6-08]", async () => {
  answer(rest, [aged(1)]);
  const user = userEvent.setup();
  await shown();
  await user.type(search(), 'nothing like it');
  expect(await screen.findByText('No Matching Tokens')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show all tokens' }));
  expect(names()).toEqual(['Token 1']);
});

test('the list page polls tokens every 30 s while the feed is down [S9-01]', async () => {
  answer(rest, [aged(1)]);
  const { store } = await shown();
  expect(liveOf(store).shownLists.interval('all')).toBe(30_000);
});

test('handles keys: / searches, Esc clears, j and k move, Enter opens', async () => {
  answer(rest, [aged(1), aged(2), aged(3)]);
  const user = userEvent.setup();
  const { path } = await shown();
  await user.keyboard('/');
  expect(search()).toHaveFocus();
  await user.keyboard('frog jk ');
  expect(search()).toHaveValue('frog jk ');
  await user.keyboard('{Escape}');
  expect(search()).toHaveValue('');
  await screen.findByRole('table', { name: 'Tokens' });
  await user.keyboard('jj');
  await waitFor(() => expect(document.activeElement).toHaveAccessibleName('Details of Token 2'));
  await user.keyboard('k');
  await waitFor(() => expect(document.activeElement).toHaveAccessibleName('Details of Token 1'));
  await user.keyboard('{Enter}');
  expect(path()).toBe(`/app/tokens/${address(1)}`);
});

test('sorts unknown figures last in both directions', async () => {
  answer(rest, [
    aged(1, { currentLiquidity: 5 }),
    aged(2, { currentLiquidity: null }),
    aged(3, { currentLiquidity: 50 }),
  ]);
  const user = userEvent.setup();
  await shown();
  await user.click(screen.getByRole('button', { name: 'Liquidity' }));
  expect(names()).toEqual(['Token 3', 'Token 1', 'Token 2']);
  expect(screen.getByRole('columnheader', { name: 'Liquidity' })).toHaveAttribute('aria-sort', 'descending');
  await user.click(screen.getByRole('button', { name: 'Liquidity' }));
  expect(names()).toEqual(['Token 1', 'Token 3', 'Token 2']);
});

test('sorts all tokens of the server, and those that come, and marks the order of the loaded ones', async () => {
  const tokens = Array.from({ length: 900 }, (_, at) => aged(at, { currentLiquidity: at }));
  answer(rest, tokens);
  const user = userEvent.setup();
  const rendered = await shown();
  await user.click(screen.getByRole('button', { name: 'Liquidity' }));
  await waitFor(() => expect(names()?.slice(0, 2)).toEqual(['Token 899', 'Token 898']));
  expect(screen.getByText('900 tokens')).toBeVisible();
  expect(screen.getByText(/^checked \d+s ago$/)).toBeVisible();
  // Off the list, where the rows would be held.
  await user.hover(search());
  receive(rendered, added(6, aged(0, { address: address(5_000), name: 'Whale', currentLiquidity: 5_000 })));
  receive(rendered, added(7, aged(0, { address: address(5_001), name: 'Shrimp', currentLiquidity: 1 })));
  await waitFor(() => expect(names()?.slice(0, 2)).toEqual(['Whale', 'Token 899']));
  const shrimp = [...liveOf(rendered.store).model.state.tokens.values()].filter(({ name }) => name === 'Shrimp');
  expect(shrimp).toHaveLength(1);
  expect(names()).not.toContain('Shrimp');
});

test('a token that rises to the top while it is not loaded comes in with the next response', async () => {
  const tokens = Array.from({ length: 900 }, (_, at) => aged(at, { currentLiquidity: at }));
  answer(rest, tokens);
  const user = userEvent.setup();
  const { store } = await shown();
  await user.click(screen.getByRole('button', { name: 'Liquidity' }));
  await waitFor(() => expect(names()?.[0]).toBe('Token 899'));
  await user.hover(search());
  answer(rest, [...tokens.slice(0, 400), aged(400, { currentLiquidity: 9_999, version: 2 }), ...tokens.slice(401)]);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  act(() => store.set(linkAtom, { phase: 'live', since: 1, roundTrip: null }));
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  await waitFor(() => expect(names()?.slice(0, 2)).toEqual(['Token 400', 'Token 899']));
});

test('filter, order and search are in the address, and come from it', async () => {
  answer(rest, [aged(1, { name: 'Moon', runner: true }), aged(2, { runner: true }), aged(3, { name: 'Moon Two' })]);
  const user = userEvent.setup();
  const rendered = renderWithApp(<TokenListPage />, {
    path: '/app/tokens?filter=runners&sort=liquidity&order=asc&q=moon',
  });
  await waitFor(() => expect(names()).toEqual(['Moon']));
  expect(search()).toHaveValue('moon');
  expect(screen.getByRole('button', { name: /^Runners/ })).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByRole('columnheader', { name: 'Liquidity' })).toHaveAttribute('aria-sort', 'ascending');
  await waitFor(() => expect(rest.requests.some(({ query }) => query.get('filter') === 'runners')).toBe(true));
  await user.clear(search());
  expect(rendered.path()).toBe('/app/tokens?filter=runners&sort=liquidity&order=asc');
  await user.click(screen.getByRole('button', { name: /^All/ }));
  expect(rendered.path()).toBe('/app/tokens?sort=liquidity&order=asc');
  await user.click(screen.getByRole('button', { name: 'Liquidity' }));
  expect(rendered.path()).toBe('/app/tokens');
});

test('renders only visible rows, and loads older pages while scrolling', async () => {
  const tokens = Array.from({ length: 450 }, (_, at) => aged(at));
  answer(rest, tokens);
  await shown();
  expect(table().getAllByRole('link').length).toBeLessThan(60);
  expect(rest.count(tokenCalls.list)).toBe(1);
  await vi.waitFor(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    expect(names()).toContain('Token 449');
  }, 10_000);
  expect(rest.count(tokenCalls.list)).toBe(3);
});

test('at 360 px rows are cards, and no token name makes the page scroll sideways', async () => {
  await page.viewport(360, 740);
  answer(rest, [
    aged(1, { name: 'W'.repeat(400), symbol: 'W'.repeat(50), runner: true }),
    aged(2, { name: 'مرحبا بالعالم '.repeat(20) }),
    aged(3, { name: `Z${'\u0301'.repeat(300)}algo` }),
    aged(4, { name: '\u202E\u200B', symbol: null }),
  ]);
  await shown();
  await waitFor(() => expect(screen.queryByRole('columnheader')).toBeNull());
  const root = document.documentElement;
  expect(root.scrollWidth).toBe(root.clientWidth);
  const heights = table()
    .getAllByRole('row')
    .map((row) => row.getBoundingClientRect().height);
  expect(new Set(heights)).toEqual(new Set([64]));
});
