import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemStatusSchema } from '../../common/admin/model.ts';
import { readConfig } from '../config/config.ts';
import { type FakeResponse, type FakeService, startFakeService } from '../market/sources/testing/fake-service.ts';
import { eventually } from '../market/sources/testing/source-context.ts';
import { createLog } from '../platform/log.ts';
import { createSocialScanner, type SocialScanner, type SocialScannerOptions } from './scanner.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const NOW = Date.parse('2026-07-30T12:10:00Z');
const TOKEN = 'very-secret-token';

const { nextToken, page } = (() => {
  const body = fixture('recent_search_token.json');
  return { nextToken: body.meta.next_token, page: { body } };
})();
const nothing: FakeResponse = { body: fixture('recent_search_no_results.json') };

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

function sample(status: number, nth = 0): FakeResponse {
  const samples: { status: number; headers?: Record<string, string>; body: unknown }[] = fixture('errors.json');
  const found = samples.filter((one) => one.status === status)[nth];
  return { status, headers: found?.headers ?? {}, body: found?.body ?? {} };
}

let service: FakeService | undefined;
let scanner: SocialScanner | undefined;
const logged: string[] = [];

afterEach(async () => {
  await scanner?.stop();
  await service?.close();
  scanner = service = undefined;
  logged.length = 0;
});

/** Starts a scanner; scans every few ms by default. */
async function scan(
  responses: readonly FakeResponse[] | ((nth: number) => FakeResponse),
  options: Partial<SocialScannerOptions> = {},
) {
  const respond = typeof responses === 'function' ? responses : (nth: number) => responses[nth] ?? nothing;
  service = await startFakeService((_, nth) => respond(nth));
  scanner = createSocialScanner({
    token: TOKEN,
    accounts: ['trench_caller', 'newpairs_bot'],
    apiRoot: service.url,
    clock: { now: () => NOW },
    random: () => 0,
    log: createLog('trace', { write: (line: string) => void logged.push(line) }),
    ...options,
    times: { intervalMs: 5, timeoutMs: 2_000, retryMaxMs: 20, refusedMs: 60_000, ...options.times },
  });
  scanner.start();
  return { requests: service.requests, state: scanner.state, mentionsOf: scanner.mentionsOf };
}

test('reports its accounts, last scan, posts and mentioned mints [S2.13-13]', async () => {
  const { requests, state, mentionsOf } = await scan([page]);
  await eventually(() => requests.length).toBeGreaterThanOrEqual(2);
  await eventually(() => state().state).toBe('live');
  expect(systemStatusSchema.shape.social.parse(state())).toEqual({
    state: 'live',
    reason: null,
    accounts: ['trench_caller', 'newpairs_bot'],
    lastScanAt: '2026-07-30T12:10:00.000Z',
    posts: 3,
    mentions: 2,
  });
  expect(scanner?.newest()).toMatchObject([
    { address: SLB, account: 'trench_caller', postId: '2082800000000000900' },
    { address: SLB, account: 'newpairs_bot' },
  ]);
  expect(scanner?.malformed()).toBe(0);
  expect(mentionsOf(SLB)).toMatchObject({ posts: 2 });
  const [first, second] = requests;
  expect(first?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  expect(Object.fromEntries(first?.url.searchParams ?? [])).toMatchObject({
    query: '(from:trench_caller OR from:newpairs_bot) -is:retweet',
    max_results: '10',
  });
  // The first scan reads one page; the next one begins after its newest post.
  expect(second?.url.searchParams.get('next_token')).toBeNull();
  expect(second?.url.searchParams.get('since_id')).toBe('2082800000000000900');
});

test('reads five accounts by default [S2.13-13]', () => {
  expect(readConfig({}).sources.xAccounts).toHaveLength(5);
  expect(readConfig({ X_ACCOUNTS: '@solana, bonk_inu,solana' }).sources.xAccounts).toEqual(['solana', 'bonk_inu']);
  expect(() => readConfig({ X_ACCOUNTS: 'not an account' })).toThrow('X_ACCOUNTS: takes handles of X');
});

test('is off without a token, with the reason', async () => {
  const { requests, state } = await scan([], { token: null });
  expect(state()).toMatchObject({ state: 'off', reason: 'Off: X_BEARER_TOKEN is not set.', lastScanAt: null });
  expect(requests).toEqual([]);
});

test('reads further pages and counts a repeated post once', async () => {
  const { requests, state } = await scan([nothing, { body: { meta: { newest_id: '1', result_count: 0 } } }, page]);
  await eventually(() => requests.length).toBeGreaterThanOrEqual(4);
  expect(state().posts).toBe(3);
  await scanner?.stop();
  await service?.close();
  const body = page.body;
  const second = await scan([{ body: { ...body, meta: { result_count: 3 } } }, page, page, nothing]);
  await eventually(() => second.requests.length).toBeGreaterThanOrEqual(5);
  expect(second.requests[2]?.url.searchParams.get('next_token')).toBe(nextToken);
  expect(second.state().posts).toBe(3);
});

test('waits for the end of the rate limit and goes on', async () => {
  const resetsAt = 1_785_413_700_000;
  let now = resetsAt - 60;
  const respond = () => (now < resetsAt ? sample(429) : page);
  const { requests, state } = await scan(respond, { clock: { now: () => now } });
  await eventually(() => state().reason).toBe('The rate limit of X is used up until 2026-07-30T12:15:00.000Z.');
  expect(state().state).toBe('down');
  now = resetsAt;
  await eventually(() => state().state).toBe('live');
  expect(requests.length).toBeGreaterThanOrEqual(2);
});

test('waits at most half an hour for a wrong reset time', async () => {
  const headers = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '99999999999' };
  const { state } = await scan([{ status: 429, headers, body: {} }]);
  await eventually(() => state().reason).toBe('The rate limit of X is used up until 2026-07-30T12:40:00.000Z.');
});

test('stops at the daily limit of posts and goes on the next day', async () => {
  const day = 24 * 3_600_000;
  let now = NOW;
  const respond = (nth: number) => {
    // Moves close to the end of the day.
    if (nth === 2) now = NOW + day - 20;
    return page;
  };
  const { requests, state } = await scan(respond, { maxPostsPerDay: 8, clock: { now: () => now } });
  await eventually(() => state().reason).toBe(
    'The daily limit of 8 posts is reached. Reading resumes at 2026-07-31T12:10:00.000Z.',
  );
  expect(requests).toHaveLength(3);
  // Repeated posts count towards the limit: X may charge for each read.
  expect(state().posts).toBe(3);
  now = NOW + day;
  await eventually(() => requests.length).toBeGreaterThan(3);
});

test('stops when the monthly posts are used up', async () => {
  const { requests, state } = await scan([sample(429, 1)]);
  await eventually(() => state().reason).toBe(
    'The monthly posts of the X plan are used up. Reading resumes on 2026-08-01.',
  );
  expect(requests).toHaveLength(1);
});

test('reports a refused token without showing it', async () => {
  const { requests, state } = await scan([sample(401)]);
  await eventually(() => state().reason).toBe('X rejects X_BEARER_TOKEN (401).');
  expect(requests).toHaveLength(1);
  expect(logged.join()).not.toContain(TOKEN);
});

test('starts over when its last id is too old', async () => {
  const { requests, state } = await scan([page, sample(400), page]);
  await eventually(() => requests.length).toBeGreaterThanOrEqual(3);
  expect(requests[2]?.url.searchParams.get('since_id')).toBeNull();
  await eventually(() => state().state).toBe('live');
});

test.each<[string, FakeResponse, string]>([
  ['cut off', 'cut', 'X could not be reached.'],
  ['silent', 'hang', 'X did not respond in time.'],
  ['broken', { status: 503, body: '<html>' }, 'X responded with status 503.'],
  ['malformed', { body: '[1, "two"' }, 'The response of X has an unknown format.'],
])('is down while the service is %s, and recovers', async (_, response, reason) => {
  const remote: { response: FakeResponse } = { response: page };
  const { state } = await scan(() => remote.response, {
    times: { timeoutMs: response === 'hang' ? 100 : 5_000 },
  });
  await eventually(() => state().posts).toBe(3);
  remote.response = response;
  await eventually(() => state().reason).toBe(reason);
  expect(state()).toMatchObject({ state: 'down', posts: 3 });
  remote.response = nothing;
  await eventually(() => state().state).toBe('live');
  expect(logged.join()).not.toContain(TOKEN);
});
