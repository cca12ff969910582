import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type FakeAnswer, type FakeService, startFakeService } from '../../../social/testing.ts';
import { createPolledSource, type PolledSourceDeps, type PolledSource } from '../polled/polled-source.ts';
import type { ServiceSpec } from '../polled/service-spec.ts';
import { listener } from '../solana/testing/context.ts';
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

/** Passing time, ms: waiting for a turn within the rate limit takes none of ours. */
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

async function start(spec: ServiceSpec, answer: (url: URL, nth: number) => FakeAnswer, deps: Partial<PolledSourceDeps> = {}) {
  service = await startFakeService(answer);
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
  const heard = listener();
  await source.start(heard);
  return { source, heard, requests: service.requests };
}

const pairs: FakeAnswer = { body: fixture('dexscreener/tokens_v1.json') };

test('DexScreener: an answer becomes observations', async () => {
  const { source, heard, requests } = await start(dexscreener, () => pairs);
  expect(await source.poller?.fetchQuotes?.([CURVE, SLB])).toBe(1);
  expect(requests.map(({ url }) => url.pathname)).toEqual([`/tokens/v1/solana/${CURVE},${SLB}`]);
  expect(heard.observations).toMatchObject([
    { kind: 'listed', source: 'dexscreener', address: CURVE, mayBegin: false, receivedAt: NOW },
  ]);
});

test.each<[string, FakeAnswer, string]>([
  ['refuses more calls with a page of HTML', fixture('dexscreener/error_429.json'), 'asked too often (429)'],
  ['answers HTML', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'not JSON (200)'],
  ['answers garbage', { body: '[{"chainId":' }, 'not JSON (200)'],
  ['cuts the connection', 'cut', 'could not be reached'],
  ['says nothing', 'hang', 'in time'],
])('DexScreener %s: that is said, and the next call is well again', async (_, answer, reason) => {
  const its = { health: 'bad' };
  const spec = { ...dexscreener, timeoutMs: answer === 'hang' ? 60 : 5_000 };
  const { source, heard } = await start(spec, () => (its.health === 'good' ? pairs : answer));
  await expect(source.poller?.fetchQuotes?.([CURVE])).rejects.toThrow(reason);
  expect(source.figures?.()).toMatchObject({ errors: 1, lastErrorAt: NOW });
  expect(source.figures?.().reason).toContain(reason);
  its.health = 'good';
  // The pause that the service asked for is over.
  time.passed += 60_000;
  expect(await source.poller?.fetchQuotes?.([CURVE])).toBe(1);
  expect(heard.observations).toHaveLength(1);
  expect(source.figures?.().reason).toBeNull();
});

test('DexScreener: items of another shape are counted, and cost nobody else', async () => {
  const body = [{ chainId: 5 }, 'x', ...fixture('dexscreener/tokens_v1.json')];
  const { source } = await start(dexscreener, () => ({ body }));
  expect(await source.poller?.fetchQuotes?.([CURVE])).toBe(1);
  expect(source.figures?.()).toMatchObject({ malformed: 2, errors: 0 });
});

test('Solscan is asked with its key, and about nothing without one [S2.13-15]', async () => {
  const its: { key: string | null } = { key: null };
  const { source, requests } = await start(
    solscan,
    ({ pathname }) => ({ body: fixture(`solscan/token_${pathname.endsWith('meta') ? 'meta' : 'latest'}.json`) }),
    { currentKey: () => its.key },
  );
  await expect(source.poller?.fetchListings?.()).rejects.toThrow('needs a key');
  expect(source.figures?.().key).toBe('required-missing');
  its.key = KEY;
  expect(await source.poller?.fetchListings?.()).toBe(4);
  expect(await source.poller?.fetchQuotes?.([SLB])).toBe(1);
  expect(requests).toHaveLength(5);
  expect(requests.every(({ headers }) => headers.token === KEY)).toBe(true);
});

test('SolanaFM is asked about many tokens at once [S2.13-15]', async () => {
  const body = { [SLB]: { ...fixture('solanafm/v1_tokens.json')[USDC], mint: SLB } };
  const { source, heard } = await start(solanafm, () => ({ body }));
  expect(await source.poller?.fetchQuotes?.([CURVE, SLB])).toBe(1);
  expect(heard.observations).toMatchObject([{ source: 'solanafm', address: SLB, listing: { decimals: 6 } }]);
});

test('the Solana Token List is downloaded once, as the text it is served as [S2.13-15]', async () => {
  const body = JSON.stringify(fixture('token-list/solana_tokenlist_excerpt.json'));
  const answer: FakeAnswer = { headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
  const { source, heard, requests } = await start(createTokenList(), () => answer);
  expect([await source.poller?.fetchListings?.(), await source.poller?.fetchListings?.()]).toEqual([0, 0]);
  expect(requests).toHaveLength(1);
  expect(heard.observations).toMatchObject([{ kind: 'symbols', source: 'token-list' }]);
  expect(source.status().state).toBe('live');
});

test('RugCheck: a coin without a report is no failure of the service', async () => {
  const { source } = await start(rugcheck, ({ pathname }) =>
    pathname.includes(SLB)
      ? { body: fixture('rugcheck/report_summary.json') }
      : { status: 400, body: { error: 'unable to generate report' } },
  );
  expect(await source.poller?.fetchQuotes?.([CURVE])).toBe(0);
  expect(await source.poller?.fetchQuotes?.([SLB])).toBe(1);
  expect(source.status().state).toBe('live');
});
