import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createPolledSource, type PolledSource, type PolledSourceDeps } from '../polled/polled-source.ts';
import type { ServiceSpec } from '../polled/service-spec.ts';
import { type FakeResponse, type FakeService, startFakeService } from '../testing/fake-service.ts';
import { testContext } from '../testing/source-context.ts';
import { dexscreener } from './dexscreener.ts';
import { rugcheck } from './rugcheck.ts';
import { solanafm } from './solanafm.ts';
import { solscan } from './solscan.ts';
import { createTokenList } from './token-list.ts';

const NOW = 1_785_413_400_000;
const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const CURVE = 'B3cHPmFf6pokbEi1Y5ZyLSUSnXfrLQjMS5kFLEz7pump';
const KEY = 'very-secret-key';

/** Monotonic time, ms: waiting for the rate limit advances it without a delay. */
const time = { passed: 0 };
let service: FakeService;
let source: PolledSource | undefined;

afterEach(async () => {
  await source?.stop();
  source = undefined;
  await service.close();
});

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

async function start(
  spec: ServiceSpec,
  respond: (url: URL, nth: number) => FakeResponse,
  deps: Partial<PolledSourceDeps> = {},
) {
  service = await startFakeService(respond);
  source = createPolledSource(spec, {
    baseUrl: service.url,
    currentKey: () => null,
    clock: { now: () => NOW },
    random: () => 0,
    monotonic: () => time.passed,
    async wait(ms) {
      time.passed += ms;
    },
    ...deps,
  });
  const context = testContext();
  await source.start(context);
  return { source, context, requests: service.requests };
}

const pairs: FakeResponse = { body: fixture('dexscreener/tokens_v1.json') };

test('DexScreener: turns a response into observations', async () => {
  const { source, context, requests } = await start(dexscreener, () => pairs);
  expect(await source.poller?.fetchQuotes?.([CURVE, SLB])).toBe(1);
  expect(requests.map(({ url }) => url.pathname)).toEqual([`/tokens/v1/solana/${CURVE},${SLB}`]);
  expect(context.observations).toMatchObject([
    { kind: 'listed', source: 'dexscreener', address: CURVE, mayBegin: false, receivedAt: NOW },
  ]);
});

test.each<[string, FakeResponse, string]>([
  ['rejects requests with a page of HTML', fixture('dexscreener/error_429.json'), 'too many requests (429)'],
  ['responds with HTML', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'other than JSON (200)'],
  ['responds with garbage', { body: '[{"chainId":' }, 'other than JSON (200)'],
  ['cuts the connection', 'cut', 'could not be reached'],
  ['does not respond', 'hang', 'in time'],
])('DexScreener %s: reports the failure and recovers with the next request', async (_, response, reason) => {
  const state: { healthy: boolean } = { healthy: false };
  const spec = { ...dexscreener, timeoutMs: response === 'hang' ? 60 : 5_000 };
  const { source, context } = await start(spec, () => (state.healthy ? pairs : response));
  await expect(source.poller?.fetchQuotes?.([CURVE])).rejects.toThrow(reason);
  expect(source.figures?.()).toMatchObject({ errors: 1, lastErrorAt: NOW });
  expect(source.figures?.().reason).toContain(reason);
  state.healthy = true;
  // The requested pause is over.
  time.passed += 60_000;
  expect(await source.poller?.fetchQuotes?.([CURVE])).toBe(1);
  expect(context.observations).toHaveLength(1);
  expect(source.figures?.().reason).toBeNull();
});

test('DexScreener: counts items of the wrong shape and keeps the others', async () => {
  const body = [{ chainId: 5 }, 'x', ...fixture('dexscreener/tokens_v1.json')];
  const { source } = await start(dexscreener, () => ({ body }));
  expect(await source.poller?.fetchQuotes?.([CURVE])).toBe(1);
  expect(source.figures?.()).toMatchObject({ malformed: 2, errors: 0 });
});

test('sends Solscan its key, and nothing without one [S2.13-15]', async () => {
  const state: { key: string | null } = { key: null };
  const { source, requests } = await start(
    solscan,
    ({ pathname }) => ({ body: fixture(`solscan/token_${pathname.endsWith('meta') ? 'meta' : 'latest'}.json`) }),
    { currentKey: () => state.key },
  );
  await expect(source.poller?.fetchListings?.()).rejects.toThrow('needs a key');
  expect(source.figures?.().key).toBe('required-missing');
  state.key = KEY;
  expect(await source.poller?.fetchListings?.()).toBe(4);
  expect(await source.poller?.fetchQuotes?.([SLB])).toBe(1);
  expect(requests).toHaveLength(5);
  expect(requests.every(({ headers }) => headers.token === KEY)).toBe(true);
});

test('requests many tokens from SolanaFM at once [S2.13-15]', async () => {
  const body = { [SLB]: { ...fixture('solanafm/v1_tokens.json')[USDC], mint: SLB } };
  const { source, context } = await start(solanafm, () => ({ body }));
  expect(await source.poller?.fetchQuotes?.([CURVE, SLB])).toBe(1);
  expect(context.observations).toMatchObject([{ source: 'solanafm', address: SLB, listing: { decimals: 6 } }]);
});

test('downloads the Solana Token List once, as plain text [S2.13-15]', async () => {
  const body = JSON.stringify(fixture('token-list/solana_tokenlist_excerpt.json'));
  const response: FakeResponse = { headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
  const { source, context, requests } = await start(createTokenList(), () => response);
  expect([await source.poller?.fetchListings?.(), await source.poller?.fetchListings?.()]).toEqual([0, 0]);
  expect(requests).toHaveLength(1);
  expect(context.observations).toMatchObject([{ kind: 'symbols', source: 'token-list' }]);
  expect(source.status().state).toBe('live');
});

test('RugCheck: a coin without a report is no failure', async () => {
  const { source } = await start(rugcheck, ({ pathname }) =>
    pathname.includes(SLB)
      ? { body: fixture('rugcheck/report_summary.json') }
      : { status: 400, body: { error: 'unable to generate report' } },
  );
  expect(await source.poller?.fetchQuotes?.([CURVE])).toBe(0);
  expect(await source.poller?.fetchQuotes?.([SLB])).toBe(1);
  expect(source.status().state).toBe('live');
});
