import { readFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { systemStatusSchema } from '../../common/admin/model.ts';
import { readConfig } from '../config/config.ts';
import { type FakeResponse, type FakeService, startFakeService } from '../market/sources/testing/fake-service.ts';
import { eventually } from '../market/sources/testing/source-context.ts';
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

/** Scans once every few ms, unless the test says otherwise. */
async function scan(
  answers: readonly FakeResponse[] | ((nth: number) => FakeResponse),
  options: Partial<SocialScannerOptions> = {},
) {
  const answer = typeof answers === 'function' ? answers : (nth: number) => answers[nth] ?? nothing;
  service = await startFakeService((_, nth) => answer(nth));
  scanner = createSocialScanner({
    token: TOKEN,
    accounts: ['trench_caller', 'newpairs_bot'],
    apiRoot: service.url,
    clock: { now: () => NOW },
    random: () => 0,
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    ...options,
    times: { intervalMs: 5, timeoutMs: 2_000, retryMaxMs: 20, refusedMs: 60_000, ...options.times },
  });
  scanner.start();
  return { requests: service.requests, state: scanner.state, mentionsOf: scanner.mentionsOf };
}

test('tells which accounts it reads, when it last did, how many posts, and which mints they named [S2.13-13]', async () => {
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
  // The first scan reads one page only; what follows begins after its newest post.
  expect(second?.url.searchParams.get('next_token')).toBeNull();
  expect(second?.url.searchParams.get('since_id')).toBe('2082800000000000900');
});

test('reads five accounts by default [S2.13-13]', () => {
  expect(readConfig({}).sources.xAccounts).toHaveLength(5);
  expect(readConfig({ X_ACCOUNTS: '@solana, bonk_inu,solana' }).sources.xAccounts).toEqual(['solana', 'bonk_inu']);
  expect(() => readConfig({ X_ACCOUNTS: 'not an account' })).toThrow('X_ACCOUNTS: takes handles of X');
});

test('without a token it is off and says so', async () => {
  const { requests, state } = await scan([], { token: null });
  expect(state()).toMatchObject({ state: 'off', reason: 'Off: X_BEARER_TOKEN is not set.', lastScanAt: null });
  expect(requests).toEqual([]);
});

test('further pages are read, and a post that comes twice counts once', async () => {
  const { requests, state } = await scan([nothing, { body: { meta: { newest_id: '1', result_count: 0 } } }, page]);
  await eventually(() => requests.length).toBeGreaterThanOrEqual(4);
  expect(state().posts).toBe(3);
  await scanner?.stop();
  await service?.close();
  const body = page.body;
  const again = await scan([{ body: { ...body, meta: { result_count: 3 } } }, page, page, nothing]);
  await eventually(() => again.requests.length).toBeGreaterThanOrEqual(5);
  expect(again.requests[2]?.url.searchParams.get('next_token')).toBe(nextToken);
  expect(again.state().posts).toBe(3);
});

test('too many calls: it waits until X says, and goes on', async () => {
  const resetsAt = 1_785_413_700_000;
  let now = resetsAt - 60;
  const { requests, state } = await scan([sample(429), page], { clock: { now: () => now } });
  await eventually(() => state().reason).toBe('X allows no more calls until 2026-07-30T12:15:00.000Z.');
  expect(state().state).toBe('down');
  now = resetsAt;
  await eventually(() => state().state).toBe('live');
  expect(requests.length).toBeGreaterThanOrEqual(2);
});

test('a wrong time to wait until silences it for half an hour at most', async () => {
  const headers = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '99999999999' };
  const { state } = await scan([{ status: 429, headers, body: {} }]);
  await eventually(() => state().reason).toBe('X allows no more calls until 2026-07-30T12:40:00.000Z.');
});

test('reads no more posts in a day than are worth their price, and goes on when the day is over', async () => {
  const day = 24 * 3_600_000;
  let now = NOW;
  const answer = (nth: number) => {
    // The day is nearly over, so that the test need not wait for its end.
    if (nth === 2) now = NOW + day - 20;
    return page;
  };
  const { requests, state } = await scan(answer, { maxPostsPerDay: 8, clock: { now: () => now } });
  await eventually(() => state().reason).toBe(
    'The 8 posts that are read in a day at most are used up; goes on at 2026-07-31T12:10:00.000Z.',
  );
  expect(requests).toHaveLength(3);
  // What had been read counts, however often it was read: X may charge for it each time.
  expect(state().posts).toBe(3);
  now = NOW + day;
  await eventually(() => requests.length).toBeGreaterThan(3);
});

test('the posts of the month are used up: it asks no more', async () => {
  const { requests, state } = await scan([sample(429, 1)]);
  await eventually(() => state().reason).toBe('The posts that X sells in a month are used up; goes on at 2026-08-01.');
  expect(requests).toHaveLength(1);
});

test('a refused token is said, without the token', async () => {
  const { requests, state } = await scan([sample(401)]);
  await eventually(() => state().reason).toBe('X refuses X_BEARER_TOKEN (401).');
  expect(requests).toHaveLength(1);
  expect(logged.join()).not.toContain(TOKEN);
});

test('an id that is too old is given up', async () => {
  const { requests, state } = await scan([page, sample(400), page]);
  await eventually(() => requests.length).toBeGreaterThanOrEqual(3);
  expect(requests[2]?.url.searchParams.get('since_id')).toBeNull();
  await eventually(() => state().state).toBe('live');
});

test.each<[string, FakeResponse, string]>([
  ['cut off', 'cut', 'X could not be reached.'],
  ['silent', 'hang', 'X did not answer in time.'],
  ['broken', { status: 503, body: '<html>' }, 'X answered 503.'],
  ['talking nonsense', { body: '[1, "two"' }, 'The answer of X had another shape.'],
])('a service that is %s is down until it is well again', async (_, answer, reason) => {
  const its = { health: 'bad' };
  const { state } = await scan((nth) => (nth === 0 ? page : its.health === 'good' ? nothing : answer), {
    times: { timeoutMs: answer === 'hang' ? 100 : 5_000 },
  });
  await eventually(() => state().reason).toBe(reason);
  expect(state()).toMatchObject({ state: 'down', posts: 3 });
  its.health = 'good';
  await eventually(() => state().state).toBe('live');
  expect(logged.join()).not.toContain(TOKEN);
});
