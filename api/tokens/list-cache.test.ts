import { expect, test } from 'vitest';
import { createJsonText } from '../http/json-text.ts';
import { createListCache } from './list-cache.ts';

function setUp() {
  const state = { seq: 1, epoch: 'a', now: 1000, reads: 0, revision: 1 };
  const cached = createListCache(() => ({ epoch: state.epoch, seq: state.seq }), { now: () => state.now });
  const read = (name: string) =>
    cached(name, async () => {
      state.reads += 1;
      return { json: createJsonText([state.seq]), total: null, next: null, covered: null };
    });
  return { state, cached, read };
}

test('concurrent requests share one query and one body', async () => {
  const { state, read } = setUp();
  const lists = await Promise.all(Array.from({ length: 100 }, () => read('new')));
  expect(state.reads).toBe(1);
  expect(new Set(lists.map(({ json }) => json)).size).toBe(1);
});

test.each([
  ['an event was stored', { seq: 2 }],
  ['another epoch started', { epoch: 'b' }],
  ['two seconds passed', { now: 3001 }],
])('reads the list again after %s', async (_name, change) => {
  const { state, read } = setUp();
  const first = await read('new');
  expect(await read('new')).toBe(first);
  Object.assign(state, change);
  expect(await read('new')).not.toBe(first);
  expect(state.reads).toBe(2);
});

test('reads the list again after a clear, within the same feed position', async () => {
  const { state, cached, read } = setUp();
  const first = await read('new');
  cached.clear();
  expect(await read('new')).not.toBe(first);
  expect(state.reads).toBe(2);
});

test('reads a list again after its state has changed, within the same feed position, and keeps one of both', async () => {
  const { state, cached } = setUp();
  const read = () =>
    cached(
      'filtered',
      async () => ({ json: createJsonText([state.revision]), total: null, next: null, covered: null }),
      () => String(state.revision),
    );
  const first = await read();
  expect(await read()).toBe(first);
  expect(first.isCurrent()).toBe(true);
  state.revision = 2;
  expect(first.isCurrent()).toBe(false);
  expect((await read()).json).not.toBe(first.json);
  state.revision = 1;
  expect(await read()).not.toBe(first);
});

test('takes the feed position before the query [F3]', async () => {
  const { state, cached } = setUp();
  const list = await cached('new', async () => {
    state.seq += 5; // stored while the query was under way
    return { json: createJsonText([]), total: null, next: null, covered: null };
  });
  expect(list.cursor).toEqual({ epoch: 'a', seq: 1 });
});

test('does not cache a failed query', async () => {
  const { cached, read } = setUp();
  await expect(cached('new', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await expect(read('new')).resolves.toHaveProperty('json');
});

test('evicts the oldest list beyond the bound', async () => {
  const { state, read } = setUp();
  for (let limit = 0; limit < 100; limit += 1) await read(`new ${limit}`);
  expect(state.reads).toBe(100);
  await read('new 99');
  expect(state.reads).toBe(100);
  await read('new 0');
  expect(state.reads).toBe(101);
});
