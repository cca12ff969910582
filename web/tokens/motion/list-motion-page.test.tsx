import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ruleCalls } from '../../../common/rules/http.ts';
import { telegramCalls } from '../../../common/telegram/http.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import { watchlistCalls } from '../../../common/watchlists/http.ts';
import DashboardPage from '../../dashboard/dashboard-page.tsx';
import { liveOf } from '../../live/live.ts';
import { address, stats, token } from '../../live/testing/build.ts';
import { noBot } from '../../telegram/testing/fixtures.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { type Rendered, renderWithApp } from '../../testing/render.tsx';
import { elsewhere, entry } from '../../watchlists/testing/own-lists.ts';
import { layoutFor } from '../columns.tsx';
import { chosenColumns } from '../display/column-ids.ts';
import { LANDING_MS } from './placements.ts';

const rest = fakeServerPerTest();
const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };
const user = userEvent.setup();

/** Returns a token created this many seconds ago. */
function aged(number: number, seconds: number) {
  const createdAt = new Date(Date.now() - seconds * 1_000).toISOString();
  return token(number, { createdAt, detectedAt: createdAt });
}

beforeEach(() => {
  const fresh = [aged(1, 10), aged(2, 20)];
  rest.answer(tokenCalls.list, fresh, feed);
  rest.answer(tokenCalls.new, fresh, feed);
  rest.answer(tokenCalls.runners, [], feed);
  rest.answer(tokenCalls.mightRun, [], feed);
  rest.answer(tokenCalls.stats, stats(), feed);
  rest.answer(ruleCalls.list, []);
  rest.answer(watchlistCalls.list, []);
});

async function open(): Promise<Rendered> {
  const rendered = renderWithApp(<DashboardPage />, { path: '/app' });
  await screen.findByRole('table', { name: 'Newest Tokens' });
  return rendered;
}

/** Opens the dashboard, and waits for its tokens, whether or not they are shown. */
async function openWithTokens(): Promise<void> {
  const { store } = renderWithApp(<DashboardPage />, { path: '/app' });
  const { model, writer } = liveOf(store);
  await waitFor(() => expect(model.state.lists.new.fetchedAt).not.toBeNull());
  act(() => writer.flush());
}

function launch({ store }: Rendered, number: number): void {
  const live = liveOf(store);
  const seq = (live.model.cursor()?.seq ?? 0) + 1;
  live.model.event({ event: 'new-token', payload: { seq, token: aged(number, 0) } });
  act(() => live.writer.flush());
}

function remove({ store }: Rendered, number: number): void {
  const live = liveOf(store);
  const seq = (live.model.cursor()?.seq ?? 0) + 1;
  live.model.event({ event: 'tokens-removed', payload: { seq, addresses: [address(number)] } });
  act(() => live.writer.flush());
}

const rowTexts = () =>
  within(screen.getByRole('table', { name: 'Newest Tokens' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

const names = () =>
  within(screen.getByRole('table', { name: 'Newest Tokens' }))
    .getAllByRole('link')
    .map((link) => link.getAttribute('aria-label')?.replace('Details of ', ''));

test('on touch new tokens wait for the button', async () => {
  const rendered = await open();
  fireEvent.pointerDown(document.body, { pointerType: 'touch' });
  launch(rendered, 6);
  launch(rendered, 7);
  expect(names()).toEqual(['Token 1', 'Token 2']);
  await user.click(screen.getByRole('button', { name: '2 new' }));
  expect(names()).toEqual(['Token 7', 'Token 6', 'Token 1', 'Token 2']);
});

test('a touch as soon as the rows are there holds them', async () => {
  const shown = new MutationObserver(() => {
    if (document.querySelector('tbody') === null) return;
    shown.disconnect();
    fireEvent.pointerDown(document.body, { pointerType: 'touch' });
  });
  shown.observe(document.body, { childList: true, subtree: true });
  const rendered = await open();
  launch(rendered, 6);
  expect(names()).toEqual(['Token 1', 'Token 2']);
});

test('on touch a removed or blacklisted token stays as a grey row in its place, until the button', async () => {
  rest.answer(tokenCalls.new, [aged(1, 10), aged(2, 20), aged(3, 30)], feed);
  const rendered = await open();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Blacklist Token 1' })).toBeEnabled());
  fireEvent.pointerDown(document.body, { pointerType: 'touch' });
  act(() => elsewhere(rendered.store, 'saved', entry('black', 1)));
  remove(rendered, 2);
  const grey = ['This token is on your blacklist.', 'This token was removed.'];
  await waitFor(() => expect(rowTexts().slice(0, 2)).toEqual(grey));
  launch(rendered, 6);
  expect(names()).toEqual(['Token 3']);
  await user.click(screen.getByRole('button', { name: '1 new' }));
  expect(names()).toEqual(['Token 6', 'Token 3']);
});

test('on touch the button is called Update where only rows left or changed places', async () => {
  const rendered = await open();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Blacklist Token 1' })).toBeEnabled());
  fireEvent.pointerDown(document.body, { pointerType: 'touch' });
  remove(rendered, 1);
  expect(rowTexts()).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Update' }));
  expect(names()).toEqual(['Token 2']);
  expect(screen.queryByRole('button', { name: 'Update' })).toBeNull();
});

test('no row is shown before the lists of the user: none leaves because they come after it', async () => {
  let respond: (response: Response) => void = () => {};
  rest.reply(watchlistCalls.list, () => new Promise((resolve) => (respond = resolve)));
  await openWithTokens();
  expect(screen.queryByRole('table')).toBeNull();
  respond(json([entry('black', 1)]));
  await screen.findByRole('table', { name: 'Newest Tokens' });
  expect(names()).toEqual(['Token 2']);
});

test('no row is shown before the state of the bot: its panel would move the rows', async () => {
  let respond: (response: Response) => void = () => {};
  rest.reply(telegramCalls.status, () => new Promise((resolve) => (respond = resolve)));
  await openWithTokens();
  expect(screen.queryByRole('table')).toBeNull();
  respond(json(noBot));
  await screen.findByRole('table', { name: 'Newest Tokens' });
  expect(screen.getByText('No Telegram Bot Token')).toBeInTheDocument();
});

test('a part of the page that hangs keeps no row back for long', async () => {
  rest.reply(telegramCalls.status, () => new Promise(() => {}));
  await openWithTokens();
  await screen.findByRole('table', { name: 'Newest Tokens' }, { timeout: 15_000 });
  expect(names()).toEqual(['Token 1', 'Token 2']);
});

test('lists of the user that could not be loaded keep no row back', async () => {
  rest.fail(watchlistCalls.list, 'internal');
  await open();
  expect(names()).toEqual(['Token 1', 'Token 2']);
});

test('a press on a row that has just arrived opens nothing and says so', async () => {
  const rendered = await open();
  // The row arrives between these two times, however long that takes.
  const before = performance.now();
  launch(rendered, 6);
  await waitFor(() => expect(names()[0]).toBe('Token 6'));
  const arrived = performance.now();
  const link = screen.getByRole('link', { name: 'Details of Token 1' });
  // Down while the row still slides to the place of Token 2.
  fireEvent(link, pressAt(before + LANDING_MS - 1));
  fireEvent.click(link, { detail: 1 });
  expect(rendered.path()).toBe('/app');
  expect(screen.getByText(/^List moved. Click again to open/)).toHaveTextContent('List moved. Click again to open T1.');
  fireEvent(link, pressAt(arrived + LANDING_MS));
  fireEvent.click(link, { detail: 1 });
  expect(rendered.path()).toBe(`/app/tokens/${address(1)}`);
});

const { rowHeight } = layoutFor({
  width: 1_280,
  columns: chosenColumns,
  density: 'comfortable',
  trading: false,
  flat: false,
});

/** Returns the press of a mouse on the second row at a time of the page's clock, ms. */
function pressAt(at: number): Event {
  const press = new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse' });
  Object.defineProperty(press, 'timeStamp', { value: at });
  Object.defineProperty(press, 'pageY', { value: 1.5 * rowHeight });
  return press;
}
