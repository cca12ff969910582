import { beforeEach, expect, test } from 'vitest';
import { FEED_EPOCH_HEADER, FEED_SEQ_HEADER } from '../../../common/live/protocol.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import { createAppStore, type Store } from '../../store.ts';
import { fakeServerPerTest } from '../../testing/fake-server.ts';
import { loadAtoms } from '../atoms/atoms.ts';
import { type Live, liveOf } from '../live.ts';
import { address, token } from '../testing/build.ts';
import { PAGE_ROWS, rowsOf } from './loader.ts';

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
  await live.loader.loadOlder();
  const cursor = rest.requests.at(-1)?.query.get('before');
  expect(cursor).toBe(`${Date.parse(token(PAGE_ROWS - 1).createdAt ?? '')}_${address(PAGE_ROWS - 1)}`);
  expect(live.model.state.lists.all.addresses).toEqual(page(0, PAGE_ROWS + 19).map((one) => one.address));
  expect(live.model.state.lists.all.more).toBe(false);
  await live.loader.loadOlder();
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

test('errors of the first and older pages are separate, and a new first page clears both', async () => {
  rest.answer(tokenCalls.list, page(0, PAGE_ROWS), headers(900));
  await live.loader.load('all');
  rest.fail(tokenCalls.list, 'internal');
  await live.loader.loadOlder();
  expect(store.get(loadAtoms.all)).toMatchObject({ error: null, loadingOlder: false });
  expect(store.get(loadAtoms.all).olderError).not.toBeNull();
  rest.answer(tokenCalls.list, page(0, PAGE_ROWS), headers(900));
  await live.loader.load('all');
  expect(store.get(loadAtoms.all).olderError).toBeNull();
});
