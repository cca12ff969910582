import { describe, expect, test, vi } from 'vitest';
import { authCalls } from '../../common/auth/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { createQueryClient } from '../store.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { onUnauthenticated, request } from './client.ts';
import { HttpError } from './error.ts';
import { callQuery } from './query.ts';

const address = 'So11111111111111111111111111111111111111112';

const server = fakeServerPerTest();

/** Error of a refused call. */
async function failureOf(promise: Promise<unknown>): Promise<HttpError> {
  const reason: unknown = await promise.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(reason instanceof HttpError)) throw new Error('expected an HttpError', { cause: reason });
  return reason;
}

describe('request', () => {
  test('includes credentials and parses JSON, with the headers beside the data [S7-01]', async () => {
    server.answer(tokenCalls.list, [], { 'X-Total-Count': '7' });
    const response = await request(tokenCalls.list, { query: { limit: 50, q: 'dog & cat' } });
    expect(response.data).toEqual([]);
    expect(response.headers.get('X-Total-Count')).toBe('7');
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/api/tokens', credentials: 'include' });
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({ limit: '50', q: 'dog & cat' });
  });

  test('sends a body as JSON, with credentials [S7-01]', async () => {
    server.answer(authCalls.login, { id: '1', username: 'ann', isAdmin: false, hasSecondFactor: false });
    await request(authCalls.login, { body: { username: 'ann', password: 'secret1' } });
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      credentials: 'include',
      body: { username: 'ann', password: 'secret1' },
    });
  });

  test('fills path parameters in, escaped', async () => {
    server.answer(tokenCalls.holders, []);
    await request(tokenCalls.holders, { params: { address } });
    expect(server.requests[0]?.path).toBe(`/api/tokens/address/${address}/holders`);
  });

  test('shows the error text of the JSON body [S8.1-01]', async () => {
    server.fail(tokenCalls.list, 'unavailable');
    const failure = await failureOf(request(tokenCalls.list));
    expect(failure.message).toBe('The database is not reachable right now. Please try again in a moment.');
    expect(failure).toMatchObject({ status: 503, code: 'unavailable' });
  });

  test.each([
    [new Response('Bad Gateway page', { status: 502 }), '502: Bad Gateway page'],
    [new Response('', { status: 504, statusText: 'Gateway Timeout' }), '504: Gateway Timeout'],
    [json({ message: 'other' }, 500), '500: {"message":"other"}'],
    [json([], 500), '500: []'],
    [json({ error: '' }, 500), '500: {"error":""}'],
  ])('falls back to {status}: {body or status text} (%#) [S8.1-01]', async (response, text) => {
    server.reply(tokenCalls.list, () => response);
    const failure = await failureOf(request(tokenCalls.list));
    expect(failure.message).toBe(text);
    expect(failure.code).toBeNull();
  });

  test('throws on a response that is not JSON', async () => {
    server.reply(tokenCalls.list, () => new Response('<!doctype html>'));
    expect((await failureOf(request(tokenCalls.list))).message).toBe('200: the response is not JSON');
  });

  test('reports an unreachable server, and no HttpError for an aborted call', async () => {
    server.reply(tokenCalls.list, () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failureOf(request(tokenCalls.list))).toMatchObject({ status: 0, code: null });

    const giveUp = new AbortController();
    server.reply(tokenCalls.list, ({ signal }) => {
      giveUp.abort(new Error('enough'));
      return Promise.reject(signal?.reason);
    });
    await expect(request(tokenCalls.list, { signal: giveUp.signal })).rejects.toThrow('enough');
  });

  test('a 401 is an error on every other call, and reports the end of the session [S7-02]', async () => {
    server.fail(tokenCalls.list, 'unauthenticated');
    const ended = vi.fn();
    const stop = onUnauthenticated(ended);
    expect((await failureOf(request(tokenCalls.list))).status).toBe(401);
    expect(ended).toHaveBeenCalledOnce();
    stop();
    await failureOf(request(tokenCalls.list));
    expect(ended).toHaveBeenCalledOnce();
  });

  test('a refused login does not end a session', async () => {
    server.fail(authCalls.login, 'wrong-credentials');
    const ended = vi.fn();
    const stop = onUnauthenticated(ended);
    const failure = await failureOf(request(authCalls.login, { body: { username: 'ann', password: 'secret1' } }));
    stop();
    expect(failure.message).toBe('Invalid username or password');
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('cached data', () => {
  test('is not fetched again: no retry, no refetch on focus, never stale [S7-03]', async () => {
    server.answer(tokenCalls.list, []);
    const client = createQueryClient();
    client.mount();
    const query = callQuery(tokenCalls.list, { query: { limit: 50 } });
    expect(query.queryKey).toEqual(['/api/tokens', 'limit=50']);
    await client.fetchQuery(query);
    await client.fetchQuery(query);
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(server.count(tokenCalls.list)).toBe(1);

    server.fail(tokenCalls.new, 'internal');
    await expect(client.fetchQuery(callQuery(tokenCalls.new, {}))).rejects.toThrow(HttpError);
    expect(server.count(tokenCalls.new)).toBe(1);
    client.unmount();
  });
});
