import { beforeEach, expect, test } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { createAppStore, queryClientAtom, type Store } from '../store.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { loadSession, sessionAtom, sessionProblemAtom } from './session.ts';

const ann = { id: '7', username: 'ann', isAdmin: true, hasSecondFactor: false };
const bob = { id: '8', username: 'bob', isAdmin: false, hasSecondFactor: false };

const rest = fakeServerPerTest();
let store: Store;

beforeEach(() => {
  store = createAppStore();
  store.set(sessionAtom, ann);
  store.get(queryClientAtom).setQueryData(['kept'], 1);
});

const kept = () => store.get(queryClientAtom).getQueryData(['kept']);

test("takes over another user's session from another tab, and drops the previous user's data", async () => {
  rest.answer(authCalls.me, bob);
  await loadSession(store);
  expect(store.get(sessionAtom)).toEqual(bob);
  expect(kept()).toBeUndefined();
});

test('keeps cached data for the same user', async () => {
  rest.answer(authCalls.me, ann);
  await loadSession(store);
  expect(kept()).toBe(1);
});

test('is signed out after a logout in another tab', async () => {
  rest.fail(authCalls.me, 'unauthenticated');
  await loadSession(store);
  expect(store.get(sessionAtom)).toBeNull();
  expect(kept()).toBeUndefined();
});

test('keeps the session while the server is unreachable', async () => {
  rest.fail(authCalls.me, 'unavailable');
  await loadSession(store);
  expect(store.get(sessionAtom)).toEqual(ann);
  expect(store.get(sessionProblemAtom)).toBeNull();
});
