import { describe, expect, test } from 'vitest';
import { json, testClient } from './testing/test-client.ts';

const KEY = 'a-secret-key';
const keyed = { need: 'required', header: 'x-api-key' } as const;
const failing = (count: number, status = 500) => Array.from({ length: count }, () => json({}, { status }));

describe('a request', () => {
  test('sends query and body and resolves with the JSON', async () => {
    const { client, calls } = testClient({ responses: [json([1]), json({ a: 1 })] });
    const query = { query: 'a,b c', page: 2, none: null };
    expect(await client.request({ method: 'GET', path: '/search', query })).toEqual([1]);
    expect(await client.request({ method: 'POST', path: '/multi', body: { tokens: ['a'] } })).toEqual({ a: 1 });
    expect(calls.map(({ url }) => url)).toEqual([
      'https://service.test/search?query=a%2Cb+c&page=2',
      'https://service.test/multi',
    ]);
    expect(calls[1]?.init).toMatchObject({ method: 'POST', body: '{"tokens":["a"]}' });
  });

  test('sends the current key in its header, never in the address', async () => {
    const { get, calls, state } = testClient({
      key: { need: 'optional', header: 'authorization', scheme: 'Bearer' },
      startKey: KEY,
    });
    await get();
    state.key = null;
    await get();
    expect(calls.map(({ init }) => init.headers)).toEqual([
      { accept: 'application/json', authorization: `Bearer ${KEY}` },
      { accept: 'application/json' },
    ]);
    expect(calls.map(({ url }) => url).join()).not.toContain(KEY);
  });

  test.each([
    [json({}, { status: 401 }), 'forbidden'],
    [json({}, { status: 403 }), 'forbidden'],
    [json({}, { status: 404 }), 'not-found'],
    [json({}, { status: 400 }), 'refused'],
    [new Response('<html>blocked</html>', { headers: { 'content-type': 'text/html' } }), 'not-json'],
    [new Response('{"cut', { headers: { 'content-type': 'application/json' } }), 'not-json'],
    [json('x'.repeat(2_000)), 'too-large'],
  ])('%#: does not retry a permanent failure', async (response, code) => {
    const { get, codeOf, calls } = testClient({ maxBytes: 1_000, responses: [response] });
    expect(await codeOf(get())).toBe(code);
    expect(calls).toHaveLength(1);
  });

  test('makes three attempts after transient failures, with growing pauses', async () => {
    const { get, calls, waits } = testClient({ responses: [new TypeError('fetch failed'), json({}, { status: 502 })] });
    expect(await get()).toEqual({ ok: true });
    expect(calls).toHaveLength(3);
    expect(waits).toEqual([250, 500]);
    const without = testClient({ responses: failing(3) });
    expect(await without.codeOf(without.get())).toBe('server');
    expect(without.calls).toHaveLength(3);
  });

  test('never exposes text quoted by a failure', async () => {
    const { get } = testClient({ responses: Array.from({ length: 3 }, () => new Error(`connect ${KEY}`)) });
    const error = await get().catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY);
    expect(error).toMatchObject({ code: 'network' });
    expect(error).not.toHaveProperty('cause');
  });

  test('ends when the client stops, and later ones fail', async () => {
    const { client, get, codeOf, calls } = testClient({
      retries: 0,
      responses: [
        (init) => new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(new Error()))),
      ],
    });
    const code = codeOf(get());
    await Promise.resolve();
    await Promise.resolve();
    client.stop();
    expect(await code).toBe('stopped');
    expect(await codeOf(get())).toBe('stopped');
    expect(calls.length).toBeLessThanOrEqual(1);
  });

  test('needs a key where the service requires one', async () => {
    const { client, get, codeOf, calls, state } = testClient({ key: keyed });
    expect(await codeOf(get())).toBe('no-key');
    expect(calls).toHaveLength(0);
    expect(client.figures()).toMatchObject({
      key: 'required-missing',
      errors: 0,
      reason: 'The service needs a key, and none is set.',
    });
    state.key = KEY;
    await get();
    expect(calls[0]?.init.headers).toMatchObject({ 'x-api-key': KEY });
    expect(client.figures()).toMatchObject({ key: 'set', reason: null });
  });
});

describe('Retry-After', () => {
  test.each([
    ['7', 7_000],
    ['in HTTP form', 12_000],
  ])('waits for %s with jitter on top', async (form, ms) => {
    const { get, waits } = testClient({
      responses: [() => json({}, { status: 429, headers: { 'retry-after': form === '7' ? form : dateIn(ms) } })],
    });
    expect(await get()).toEqual({ ok: true });
    expect(waits[0]).toBeGreaterThanOrEqual(ms);
    expect(waits[0]).toBeLessThan(ms + 1_100);
  });

  test('a long one pauses all requests, for 15 minutes at most', async () => {
    const { client, get, codeOf, calls, time } = testClient({
      responses: [json({}, { status: 429, headers: { 'retry-after': '86400' } })],
    });
    expect(await codeOf(get())).toBe('rate-limited');
    expect(await codeOf(get())).toBe('budget-spent');
    expect(client.figures().errors).toBe(1);
    expect(calls).toHaveLength(1);
    expect(client.figures().retryAt).toBe(1_785_000_000_000 + time.at + 900_000);
    time.at += 900_000;
    expect(await codeOf(get())).toBe('responded');
  });

  test('a short one after the last attempt pauses the next request too', async () => {
    const limited = () => json({}, { status: 429, headers: { 'retry-after': '15' } });
    const { client, get, codeOf, calls, time } = testClient({ retries: 0, responses: [limited()] });
    expect(await codeOf(get())).toBe('rate-limited');
    expect(await codeOf(get())).toBe('budget-spent');
    expect(calls).toHaveLength(1);
    time.at += 15_000;
    expect(await codeOf(get())).toBe('responded');
    expect(client.figures().retryAt).toBeNull();
  });

  test('ignores an unreadable one', async () => {
    const { get, waits } = testClient({
      responses: [json({}, { status: 503, headers: { 'retry-after': 'soon' } })],
    });
    await get();
    expect(waits).toEqual([250]);
  });
});

describe('the budget', () => {
  test('is never exceeded in any span of its window, and requests wait for their turn', async () => {
    const { get, calls } = testClient({ rate: { calls: 3, windowMs: 10_000 } });
    await Promise.all(Array.from({ length: 10 }, () => get()));
    const times = calls.map(({ at }) => at);
    for (const at of times)
      expect(times.filter((other) => other > at - 10_000 && other <= at).length).toBeLessThanOrEqual(3);
    expect(times).toHaveLength(10);
  });

  test('reports the rest and when the next call is free', async () => {
    const { client, get, time } = testClient({ rate: { calls: 3, windowMs: 10_000 } });
    await get();
    time.at += 4_000;
    await get();
    const at = 1_785_000_000_000 + time.at;
    expect(client.figures().budget).toEqual({ limit: 3, left: 1, resetsAt: at + 6_000 });
  });

  test('fails a request that would wait too long', async () => {
    const { get, codeOf, client } = testClient({ rate: { calls: 1, windowMs: 3_600_000 } });
    await get();
    expect(await codeOf(get())).toBe('budget-spent');
    expect(client.figures()).toMatchObject({ errors: 0, circuit: 'closed' });
  });
});

describe('the circuit', () => {
  test('opens after three failed requests, admits one trial after a pause and closes on its success', async () => {
    const { client, get, codeOf, calls, time, responses } = testClient({ retries: 0, responses: failing(3) });
    for (let tries = 0; tries < 3; tries += 1) expect(await codeOf(get())).toBe('server');
    expect(client.figures()).toMatchObject({ circuit: 'open', errors: 3, reason: 'The service failed (500).' });
    expect(await codeOf(get())).toBe('circuit-open');
    expect(calls).toHaveLength(3);
    time.at = Number(client.figures().retryAt) - 1_785_000_000_000;
    responses.push(...failing(1));
    expect(await codeOf(get())).toBe('server');
    expect(client.figures().circuit).toBe('open');
    time.at += 120_000;
    expect(await codeOf(get())).toBe('responded');
    expect(client.figures()).toMatchObject({ circuit: 'closed', retryAt: null, reason: null, errors: 4 });
  });

  test('stays closed while tokens are unknown to the service', async () => {
    const { client, get, codeOf } = testClient({ responses: failing(9, 404) });
    for (let tries = 0; tries < 9; tries += 1) expect(await codeOf(get())).toBe('not-found');
    expect(client.figures()).toMatchObject({ circuit: 'closed', errors: 0, reason: null });
  });

  test('closes with another key', async () => {
    const { client, get, codeOf, state } = testClient({ key: keyed, startKey: 'old', responses: failing(3, 401) });
    for (let tries = 0; tries < 3; tries += 1) await codeOf(get());
    expect(client.figures()).toMatchObject({
      circuit: 'open',
      reason: 'The service rejects the key, or the plan does not include this request (401).',
    });
    state.key = 'new';
    client.keyChanged();
    expect(await codeOf(get())).toBe('responded');
    expect(client.figures()).toMatchObject({ circuit: 'closed', reason: null });
  });
});

/** Returns an HTTP date `ms` after the start of the test's clock. */
function dateIn(ms: number): string {
  return new Date(1_785_000_000_000 + 1_000_000 + ms).toUTCString();
}
