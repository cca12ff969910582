import { beforeEach, expect, test } from 'vitest';
import { FEED_EPOCH_HEADER, FEED_SEQ_HEADER } from '../../../common/live/protocol.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { formatCursor, rankOf } from '../../../common/tokens/order.ts';
import { createAppStore, type Store } from '../../store.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { listAtoms, loadAtoms } from '../atoms/atoms.ts';
import { type Live, liveOf } from '../live.ts';
import { address, token } from '../testing/build.ts';
import { PAGE_ROWS } from './chosen.ts';
import { rowsOf } from './loader.ts';

const rest = fakeServerPerTest();
let store: Store;
let live: Live;

beforeEach(() => {
  store = createAppStore();
  live = liveOf(store);
});

const headers = (total: number, seq = 1) => ({
  'X-Total-Count': String(total),
  [FEED_EPOCH_HEADER]: 'e',
  [FEED_SEQ_HEADER]: String(seq),
});
const page = (from: number, rows: number) => Array.from({ length: rows }, (_, at) => token(from + at));

test('reads might-run tokens from an array and from an envelope [S7.1-08]', async () => {
  expect(rowsOf([token(1)])).toEqual(rowsOf({ tokens: [token(1)] }));
  for (const body of [[token(1)], { tokens: [token(1)] }]) {
    rest.answer(tokenCalls.mightRun, body, headers(1));
    live.model.drop('mightRun');
    await live.loader.load('mightRun');
    expect(live.model.state.lists.mightRun.addresses).toEqual([address(1)]);
  }
});

test('loads older pages after the last row, without duplicates', async () => {
  rest.answer(
    tokenCalls.list,
    ({ query }) => (query.get('before') ? page(PAGE_ROWS - 1, 20) : page(0, PAGE_ROWS)),
    headers(300),
  );
  await live.loader.load('all');
  await live.loader.loadOlder('all');
  const cursor = rest.requests.at(-1)?.query.get('before');
  expect(cursor).toBe(`${Date.parse(token(PAGE_ROWS - 1).createdAt ?? '')}_${address(PAGE_ROWS - 1)}`);
  expect(live.model.state.lists.all.addresses).toEqual(page(0, PAGE_ROWS + 19).map((one) => one.address));
  expect(live.model.state.lists.all.more).toBe(false);
  await live.loader.loadOlder('all');
  expect(rest.requests).toHaveLength(2);
});

test('two loads of the same list share one call', async () => {
  rest.answer(tokenCalls.list, page(0, 3), headers(3));
  await Promise.all([live.loader.load('all'), live.loader.load('all')]);
  expect(rest.count(tokenCalls.list)).toBe(1);
});

test('a failure sets the error text, which the next success clears', async () => {
  rest.fail(tokenCalls.runners, 'unavailable');
  expect(await live.loader.load('runners')).toBe(false);
  expect(store.get(loadAtoms.runners)).toMatchObject({
    loading: false,
    error: 'The database is not reachable right now. Please try again in a moment.',
  });
  rest.answer(tokenCalls.runners, [], headers(0));
  expect(await live.loader.load('runners')).toBe(true);
  expect(store.get(loadAtoms.runners).error).toBeNull();
});

test('drops the response to an earlier search', async () => {
  let respondFirst: (response: Response) => void = () => {};
  rest.reply(tokenCalls.list, ({ query }) =>
    query.get('q') === 'first'
      ? new Promise((resolve) => {
          respondFirst = resolve;
        })
      : json([token(2)], 200, headers(1)),
  );
  const first = live.loader.search({ q: 'first' });
  await live.loader.search({ q: 'second' });
  respondFirst(json([token(1)], 200, headers(1)));
  await first;
  live.writer.flush();
  expect(store.get(listAtoms.chosen).addresses).toEqual([address(2)]);
});

test('errors of the first and older pages are separate, and a new first page clears both', async () => {
  rest.answer(tokenCalls.list, page(0, PAGE_ROWS), headers(900));
  await live.loader.load('all');
  rest.fail(tokenCalls.list, 'internal');
  await live.loader.loadOlder('all');
  expect(store.get(loadAtoms.all)).toMatchObject({ error: null, loadingOlder: false });
  expect(store.get(loadAtoms.all).olderError).not.toBeNull();
  rest.answer(tokenCalls.list, page(0, PAGE_ROWS), headers(900));
  await live.loader.load('all');
  expect(store.get(loadAtoms.all).olderError).toBeNull();
});

test('loads older pages of a search', async () => {
  rest.reply(tokenCalls.list, ({ query }) =>
    query.get('before') === 'next'
      ? json(page(PAGE_ROWS, 20), 200, headers(PAGE_ROWS + 20))
      : json(page(0, PAGE_ROWS), 200, { ...headers(PAGE_ROWS + 20), 'X-Next-Cursor': 'next' }),
  );
  await live.loader.search({ q: 'token' });
  await live.loader.loadOlder('chosen');
  expect(rest.requests.at(-1)?.query.get('q')).toBe('token');
  expect(live.model.state.lists.chosen.addresses).toHaveLength(PAGE_ROWS + 20);
});

/** Serves a list sorted by holders, whose page after row n has the cursor of its last row. */
function serveByHolders(rows: number): void {
  serveSorted(Array.from({ length: rows }, (_, at) => token(at, { holderCount: rows - at })));
}

/** Serves tokens that are sorted by holders. */
function serveSorted(all: readonly Token[]): void {
  const rows = all.length;
  rest.reply(tokenCalls.list, ({ query }) => {
    const before = query.get('before');
    const from = before === null ? 0 : all.findIndex((one) => before.endsWith(`_${one.address}`)) + 1;
    const part = all.slice(from, from + Number(query.get('limit')));
    const last = part.at(-1);
    const next = last !== undefined && from + part.length < rows ? formatCursor(rankOf(last, 'holders'), false) : null;
    return json(part, 200, { ...headers(rows), ...(next === null ? {} : { 'X-Next-Cursor': next }) });
  });
}

test('refreshes the first page of a sorted list and the pages in sight, however many are loaded', async () => {
  serveByHolders(1_100);
  await live.loader.search({ sort: 'holders' });
  for (let page = 1; page < 5; page += 1) await live.loader.loadOlder('chosen');
  expect(live.model.state.lists.chosen.addresses).toHaveLength(5 * PAGE_ROWS);
  const asked = rest.requests.length;
  await live.loader.refreshSearch([address(3 * PAGE_ROWS - 1), address(3 * PAGE_ROWS)]);
  const cursors = rest.requests.slice(asked).map(({ query }) => query.get('before')?.split('_').at(-1) ?? null);
  expect(cursors).toEqual([null, address(2 * PAGE_ROWS - 1), address(3 * PAGE_ROWS - 1)]);
  expect(live.model.state.lists.chosen.addresses).toHaveLength(5 * PAGE_ROWS);
});

test('a refresh with the last row in sight also fetches what follows it by now', async () => {
  // The last row moves to the top, and others take all places between: none of the second page is known.
  serveSorted([...Array.from({ length: 9 }, (_, at) => token(at + 1, { holderCount: 1_000 - at })), token(0)]);
  await live.loader.search({ sort: 'holders' });
  serveSorted(Array.from({ length: PAGE_ROWS + 50 }, (_, at) => token(at, { holderCount: 1_001 - at, version: 2 })));
  const rows = () => live.model.state.lists.chosen.addresses;
  await live.loader.refreshSearch(rows().slice(0, 5));
  expect(rows()).toHaveLength(PAGE_ROWS);
  await live.loader.refreshSearch(rows().slice(-5));
  expect(rows()).toHaveLength(PAGE_ROWS + 50);
});

test('a refresh keeps the error of an older page, so that the page waits for the user', async () => {
  serveByHolders(900);
  await live.loader.search({ sort: 'holders' });
  rest.fail(tokenCalls.list, 'internal');
  await live.loader.loadOlder('chosen');
  serveByHolders(900);
  await live.loader.refreshSearch([address(0), address(20)]);
  expect(store.get(loadAtoms.chosen)).toMatchObject({ error: null, loading: false });
  expect(store.get(loadAtoms.chosen).olderError).not.toBeNull();
});
