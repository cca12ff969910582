import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { compareRanks, formatCursor, parseCursor, rankOf } from '../../../common/tokens/order.ts';
import { createAppStore, StoreProvider } from '../../store.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { linkAtom, pollAtom } from '../atoms/atoms.ts';
import { liveOf } from '../live.ts';
import { MAX_TOKENS } from '../model/lists.ts';
import { PAGE_ROWS } from '../model/loader.ts';
import { address, token } from '../testing/build.ts';
import { useChosenList } from './use-chosen-list.ts';

const rest = fakeServerPerTest();
const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };

/** Serves tokens sorted by holders, page by page. */
function serve(tokens: readonly Token[], headers: Record<string, string> = feed): void {
  const place = (one: Token) => rankOf(one, 'holders');
  const sorted = tokens.toSorted((a, b) => compareRanks(place(a), place(b), 'desc'));
  rest.reply(tokenCalls.list, ({ query }) => {
    const cursor = query.get('before');
    const before = cursor === null ? null : parseCursor(cursor);
    const left = sorted.filter((one) => before === null || compareRanks(place(one), before, 'desc') > 0);
    const page = left.slice(0, Number(query.get('limit')));
    const last = page.at(-1);
    const next =
      last === undefined || left.length === page.length ? {} : { 'X-Next-Cursor': formatCursor(place(last), false) };
    return json(page, 200, { ...headers, 'X-Total-Count': String(sorted.length), ...next });
  });
}

/** Creates tokens with these numbers, the first with the most holders. */
const ranked = (...numbers: number[]) => numbers.map((number, at) => token(number, { holderCount: 5_000 - at }));
const first = (count: number) => Array.from({ length: count }, (_, at) => at);

async function open() {
  const store = createAppStore();
  const wrapper = ({ children }: { children: ReactNode }) => <StoreProvider store={store}>{children}</StoreProvider>;
  const { result } = renderHook(() => useChosenList({ sort: 'holders' }), { wrapper });
  const live = liveOf(store);
  live.model.hello({ epoch: 'e', seq: 5 });
  const shown = () => result.current;
  await waitFor(() => expect(shown().fetchedAt ?? shown().error).not.toBeNull());
  return { live, store, shown };
}

test('loads page after page, and keeps all rows in memory', async () => {
  serve(ranked(...first(PAGE_ROWS + 20)));
  const { live, store, shown } = await open();
  expect(shown()).toMatchObject({
    total: PAGE_ROWS + 20,
    more: true,
    hasOlder: true,
    border: { address: address(PAGE_ROWS - 1) },
  });
  act(() => shown().loadOlder());
  await waitFor(() => expect(shown().addresses).toEqual(first(PAGE_ROWS + 20).map(address)));
  expect(shown()).toMatchObject({ more: false, hasOlder: false, border: null });
  for (const number of first(MAX_TOKENS)) live.model.tokens([token(10_000 + number)], null);
  live.writer.flush();
  expect(shown().addresses.filter((one) => store.get(live.tokens.atom(one)) === null)).toEqual([]);
});

test('fetches all loaded pages again, with each row once, though rows have moved between the pages', async () => {
  serve(ranked(...first(PAGE_ROWS + 20)));
  const { shown } = await open();
  act(() => shown().loadOlder());
  await waitFor(() => expect(shown().addresses).toHaveLength(PAGE_ROWS + 20));
  const moved = [...first(PAGE_ROWS + 20).reverse(), 700];
  serve(ranked(...moved));
  act(() => shown().reload());
  await waitFor(() => expect(shown().addresses).toEqual(moved.map(address)));
});

test('loads a limited number of rows of a longer list', async () => {
  serve(ranked(...first(1_250)));
  const { shown } = await open();
  for (let rows = 2 * PAGE_ROWS; rows <= 1_200; rows += PAGE_ROWS) {
    act(() => shown().loadOlder());
    await waitFor(() => expect(shown().addresses).toHaveLength(rows));
  }
  expect(shown()).toMatchObject({ more: true, hasOlder: false });
});

test('a page that failed stays an error of that page, and its rows stay', async () => {
  serve(ranked(...first(PAGE_ROWS + 20)));
  const { shown } = await open();
  rest.fail(tokenCalls.list, 'internal');
  act(() => shown().loadOlder());
  await waitFor(() => expect(shown().olderError).not.toBeNull());
  expect(shown()).toMatchObject({ error: null, loadingOlder: false });
  expect(shown().addresses).toHaveLength(PAGE_ROWS);
});

test('a response of another epoch is requested again [F2]', async () => {
  serve(ranked(1), { 'X-Feed-Epoch': 'before', 'X-Feed-Seq': '90' });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const opened = open();
  await waitFor(() => expect(rest.count(tokenCalls.list)).toBe(1));
  serve(ranked(2));
  const { shown } = await opened;
  expect(shown().addresses).toEqual([address(2)]);
  vi.useRealTimers();
});

test('lost events fetch the list again, whose rows stay until then [F2]', async () => {
  serve(ranked(1));
  const { live, shown } = await open();
  serve(ranked(8), { 'X-Feed-Epoch': 'next', 'X-Feed-Seq': '4' });
  expect(live.model.hello({ epoch: 'next', seq: 4 })).toBe(true);
  act(() => live.resynced());
  expect(shown().addresses).toEqual([address(1)]);
  await waitFor(() => expect(shown().addresses).toEqual([address(8)]));
});

test('polls every 30 s while the feed is down, from the moment on when polling begins [P1, S9-01]', async () => {
  serve(ranked(1));
  const { store } = await open();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  act(() => store.set(pollAtom, { active: true, respondedAt: null, failedAt: null }));
  await waitFor(() => expect(rest.count(tokenCalls.list)).toBe(2));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(rest.count(tokenCalls.list)).toBe(2);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(rest.count(tokenCalls.list)).toBe(3);
  vi.useRealTimers();
});

test('a failed list is fetched again once the feed is live', async () => {
  rest.fail(tokenCalls.list, 'internal');
  const { store, shown } = await open();
  serve(ranked(1));
  act(() => store.set(linkAtom, { phase: 'live', since: 1, roundTrip: null }));
  await waitFor(() => expect(shown()).toMatchObject({ addresses: [address(1)], error: null }));
});
