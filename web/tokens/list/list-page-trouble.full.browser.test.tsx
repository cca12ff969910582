import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { tokenCalls } from '../../../common/tokens/http.ts';
import { linkAtom, loadAtoms, noLoad, noView } from '../../live/atoms/atoms.ts';
import { clockOffsetAtom } from '../../live/atoms/clock.ts';
import { liveOf } from '../../live/live.ts';
import { address } from '../../live/testing/build.ts';
import { json } from '../../testing/fake-server.ts';
import { renderWithApp } from '../../testing/render.tsx';
import { added, aged, answer, listServer, names, receive, search, shown } from '../testing/list-page.tsx';
import TokenListPage from './list-page.tsx';
import { ListEnd } from './list-page-notes.tsx';

const rest = listServer();

const retry = () => screen.getByRole('button', { name: 'Retry' });
const filter = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}\\b`) });
const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };

/** Scrolls down until this text shows. */
async function scrolledTo(text: string | RegExp): Promise<void> {
  await vi.waitFor(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    expect(screen.getByText(text)).toBeVisible();
  });
}

describe('a failed search', () => {
  test('shows an error with a retry where no loaded row matches [S2.6-01]', async () => {
    answer(rest, [aged(1)]);
    const user = userEvent.setup();
    await shown();
    rest.fail(tokenCalls.list, 'internal');
    await user.type(search(), 'zebra');
    expect(await screen.findByText('Error Searching Tokens')).toBeVisible();
    expect(screen.queryByRole('status', { name: 'Loading tokens' })).toBeNull();
    answer(rest, [aged(1), aged(5_000, { name: 'Zebra' })]);
    await user.click(retry());
    await waitFor(() => expect(names()).toEqual(['Zebra']));
  });

  test('shows an error below the matching rows, which stay [S2.6-01]', async () => {
    answer(rest, [aged(1, { name: 'Zebra One' })]);
    const user = userEvent.setup();
    await shown();
    rest.fail(tokenCalls.list, 'internal');
    await user.type(search(), 'zebra');
    expect(await screen.findByText(/^Only loaded tokens were searched/)).toBeVisible();
    expect(names()).toEqual(['Zebra One']);
    answer(rest, [aged(1, { name: 'Zebra One' }), aged(5_000, { name: 'Zebra Two' })]);
    await user.click(retry());
    await waitFor(() => expect(names()).toEqual(['Zebra One', 'Zebra Two']));
    expect(screen.queryByText(/^Only loaded tokens were searched/)).toBeNull();
  });
});

test('tokens that arrive before the first response are shown with it, which would move them', async () => {
  let respond: (response: Response) => void = () => {};
  rest.reply(tokenCalls.list, () => new Promise((resolve) => (respond = resolve)));
  const rendered = renderWithApp(<TokenListPage />, { path: '/app/tokens' });
  liveOf(rendered.store).model.hello({ epoch: 'e', seq: 5 });
  receive(rendered, added(6, aged(9, {}, 0)));
  expect(liveOf(rendered.store).model.state.lists.all.addresses).toHaveLength(1);
  expect(screen.getByRole('status', { name: 'Loading tokens' })).toBeVisible();
  respond(json([aged(1), aged(2)], 200, feed));
  await screen.findByRole('table', { name: 'Tokens' });
  expect(names()).toEqual(['Token 9', 'Token 1', 'Token 2']);
});

test('a note that events are missing takes no room: it is over in a moment [F4]', async () => {
  answer(rest, [aged(1), aged(2)]);
  const rendered = await shown();
  act(() => rendered.store.set(linkAtom, { phase: 'live', since: 0, roundTrip: 5 }));
  const top = () => screen.getByRole('table', { name: 'Tokens' }).getBoundingClientRect().top;
  const before = top();
  receive(rendered, added(9, aged(9, {}, 0)));
  expect(await screen.findByText('Catching up: some events are missing from this list.')).toBeVisible();
  expect(top()).toBe(before);
});

test('shows a failed refresh above the rows, which stay; Retry fetches that list [S2.6-02]', async () => {
  const tokens = [aged(1), aged(3, { runner: true })];
  answer(rest, tokens);
  const user = userEvent.setup();
  await shown();
  rest.fail(tokenCalls.list, 'internal');
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText(/^The list could not be refreshed/)).toBeVisible();
  await user.click(filter('Runners'));
  expect(await screen.findByText(/^Only loaded tokens were sorted and filtered/)).toBeVisible();
  expect(names()).toEqual(['Token 3']);
  answer(rest, [...tokens, aged(4, { runner: true })]);
  for (const button of screen.getAllByRole('button', { name: 'Retry' })) await user.click(button);
  await waitFor(() => expect(names()).toEqual(['Token 3', 'Token 4']));
  expect(screen.queryByText(/could not be refreshed|^Only loaded/)).toBeNull();
});

/** One page of rows and a part of the next one. */
const twoPages = () => Array.from({ length: 250 }, (_, at) => aged(at));
const failedPage = /^More tokens could not be loaded/;

test('an older page that failed is requested once more on demand, not with every update', async () => {
  answer(rest, twoPages());
  const user = userEvent.setup();
  const rendered = await shown();
  rest.fail(tokenCalls.list, 'internal');
  await scrolledTo(failedPage);
  const requests = rest.count(tokenCalls.list);
  // Each of them renders the table with its last row near.
  for (let seq = 6; seq < 12; seq += 1) receive(rendered, added(seq, aged(1_000 + seq, {}, 0)));
  window.scrollBy({ top: -200 });
  window.scrollTo(0, document.documentElement.scrollHeight);
  expect(rest.count(tokenCalls.list)).toBe(requests);
  await user.click(retry());
  await waitFor(() => expect(rest.count(tokenCalls.list)).toBe(requests + 1));
  expect(await screen.findByText(failedPage)).toBeVisible();
  expect(rest.count(tokenCalls.list)).toBe(requests + 1);
});

test('shows a failed older page at the end of its list only', async () => {
  answer(rest, twoPages());
  const user = userEvent.setup();
  await shown();
  rest.fail(tokenCalls.list, 'internal');
  await scrolledTo(failedPage);
  await user.click(filter('Runners'));
  expect(screen.queryByText(/^More tokens could not be/)).toBeNull();
});

test('loads a failed older page once the feed is back', async () => {
  const tokens = twoPages();
  answer(rest, tokens);
  const { store } = await shown();
  rest.fail(tokenCalls.list, 'internal');
  await scrolledTo(failedPage);
  answer(rest, tokens);
  // As on a reconnect.
  act(() => liveOf(store).loader.clearErrors());
  expect(store.get(loadAtoms.all).olderError).toBeNull();
  await vi.waitFor(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    expect(names()).toContain('Token 249');
  });
});

test('Risky and Safe find tokens that are not loaded, and count all of them [S2.6-03]', async () => {
  const tokens = Array.from({ length: 1_500 }, (_, at) => aged(at, { scamProbability: at % 500 === 0 ? 90 : 40 }));
  answer(rest, tokens);
  const user = userEvent.setup();
  await shown();
  await user.click(filter('Risky'));
  await waitFor(() => expect(names()).toEqual(['Token 0', 'Token 500', 'Token 1000']));
  expect(await screen.findByText('3 of 1,500 tokens')).toBeVisible();
  await user.click(filter('Safe'));
  expect(
    await screen.findByText("No token is in 'Safe' right now. The list updates as the market moves."),
  ).toBeVisible();
});

test('loads further pages of a search [S2.6-01]', async () => {
  answer(rest, [aged(1)]);
  const user = userEvent.setup();
  await shown();
  answer(
    rest,
    Array.from({ length: 250 }, (_, at) => aged(at + 2_000, { name: `Zebra ${at}` })),
  );
  await user.type(search(), 'zebra');
  await waitFor(() => expect(names()).toContain('Zebra 0'));
  await vi.waitFor(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    expect(names()).toContain('Zebra 249');
  });
});

test.each([
  ['all', 'These are the newest 2. Search finds older ones.'],
  ['chosen', 'These are the first 2. A search or a filter finds others.'],
] as const)('marks the end of what a list loads: %s', (of, text) => {
  const list = { ...noView, ...noLoad, addresses: [address(1), address(2)], more: true, hasOlder: false };
  renderWithApp(<ListEnd of={of} list={{ ...list, reload: vi.fn(), loadOlder: vi.fn() }} />);
  expect(screen.getByText(text)).toBeVisible();
});

test('New follows the clock of the server [S4-09]', async () => {
  // The server's clock is 90 s behind the browser's.
  const tokens = [aged(61), aged(62)];
  rest.reply(tokenCalls.list, ({ query }) => json(query.has('filter') ? tokens.slice(0, 1) : tokens, 200, feed));
  const user = userEvent.setup();
  const { store } = await shown();
  act(() => store.set(clockOffsetAtom, -90_000));
  await user.click(filter('New'));
  await waitFor(() => expect(names()).toEqual(['Token 61']));
});
