/** `npm run bench:lists`: pages of sorted, filtered and searched lists. Prints one JSON line. `--tokens 250000` for another number. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { between, seeded } from '../../api/alerts/testing/tokens.ts';
import { createEventBus } from '../../api/events/bus.ts';
import { connectDatabase, ensureIndexes } from '../../api/platform/database.ts';
import { addressNumber, nothingLive, tokenRecord } from '../../api/testing/tokens.ts';
import { createLiveIndex } from '../../api/tokens/list-index/live-index.ts';
import { tokenModels } from '../../api/tokens/model.ts';
import { presentToken } from '../../api/tokens/present.ts';
import { createTokenQueries } from '../../api/tokens/service.ts';
import { rangeFields } from '../../common/tokens/filters.ts';
import { startEmbeddedMongo } from '../embedded-mongo/launcher.ts';
import { heapAfterCollection, percentile } from './measure.ts';

/** The required figures, ms. */
const BARS = { sortedMs: 30, searchMs: 50, rangesMs: 30 } as const;
const ROUNDS = 100;
const STORED_AT_ONCE = 2_000;
const WORDS = ['Hyper', 'Lemon', 'Season', 'Moon', 'Otter', 'Based', 'Frog', 'Pepe', 'Trump', 'Cat', 'Wif', 'Hat'];

const { values } = parseArgs({ options: { tokens: { type: 'string', default: '20000' } } });
const tokens = Number(values.tokens);
const random = seeded(7);
const clock = { now: Date.now };
const context = () => ({ now: Date.now(), solUsd: 150 });
/** A range of every field that lets all tokens through, so that each range is compared with each token. */
const everyRange = rangeFields.map((field) => `${field}:0-`).join(',');
const log = pino({ level: 'silent' });

function record(number: number) {
  const words = Array.from({ length: 3 }, () => WORDS[between(random, 0, WORDS.length - 1)] ?? '');
  return tokenRecord(number, {
    createdAt: Date.now() - between(random, 0, 7 * 86_400_000),
    name: words.join(' '),
    symbol: words.map((word) => word.slice(0, 2).toUpperCase()).join(''),
    price: random() / 1e6,
    liquidityLamports: between(random, 0, 300) * 1_000_000_000,
    marketCapUsd: random() * 1e6,
    volumeUsd: random() < 0.3 ? null : random() * 1e6,
    holderCount: between(random, 0, 500),
    riskScore: random() < 0.5 ? null : between(random, 0, 100),
    topHolders: Array.from({ length: 20 }, (_, at) => ({ wallet: addressNumber(number * 20 + at), amount: at })),
    spark: Array.from({ length: 20 }, (_, at) => ({ at, price: random() / 1e6 })),
  });
}

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-bench-'));
const mongo = await startEmbeddedMongo(dataDir);
const connection = await connectDatabase(mongo.uri, log);
try {
  const models = tokenModels(connection);
  await ensureIndexes(models.tokens);
  for (let from = 0; from < tokens; from += STORED_AT_ONCE) {
    const count = Math.min(STORED_AT_ONCE, tokens - from);
    await models.tokens.insertMany(Array.from({ length: count }, (_, at) => record(from + at)));
  }
  const bus = createEventBus((error) => {
    throw error;
  });
  const heapBefore = heapAfterCollection();
  const index = createLiveIndex({ tokens: models.tokens, bus, clock, log, isLive: () => false });
  const loadedFrom = performance.now();
  await index.start();
  const loadMs = Math.round(performance.now() - loadedFrom);
  const heapMb = Math.round((heapAfterCollection() - heapBefore) / 1e5) / 10;
  const queries = createTokenQueries({
    models,
    index,
    market: { ...nothingLive, simulated: () => false, solUsd: () => null },
    clock,
  });

  async function measure(run: () => unknown) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = performance.now();
      await run();
      times.push(performance.now() - from);
    }
    return { p50: tenth(percentile(times, 0.5)), p99: tenth(percentile(times, 0.99)) };
  }

  const sorted = { sort: 'liquidity', order: 'desc', limit: 200 } as const;
  const changes = [presentToken(record(0))].map((token) => ({ token, isNew: false, isComplete: true }));
  const result = {
    tokens,
    loadMs,
    heapMb,
    newestFirst: await measure(() => queries.list({ limit: 200 })),
    sortedPlace: await measure(() => index.page(sorted, context())),
    sorted: await measure(() => queries.list(sorted)),
    filtered: await measure(() => queries.list({ filter: 'safe', sort: 'volume' })),
    searchPlace: await measure(() => index.page({ ...sorted, q: 'per L' }, context())),
    rangesPlace: await measure(() => index.page({ ...sorted, f: everyRange }, context())),
    facets: await measure(() => index.facets({ f: everyRange }, context())),
    search: await measure(() => queries.list({ q: 'per L', limit: 200 })),
    searchWithoutMatch: await measure(() => queries.list({ q: 'no such name' })),
    stats: await measure(() => index.counts(Date.now())),
    change: await measure(() => bus.emit('token-changed', { at: Date.now(), changes })),
    bars: BARS,
  };
  index.stop();
  const passed = result.sorted.p50 <= BARS.sortedMs && result.search.p50 <= BARS.searchMs;
  process.stdout.write(`${JSON.stringify({ ...result, passed })}\n`);
  if (!passed) process.exitCode = 1;
} finally {
  await connection.close();
  await mongo.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function tenth(ms: number): number {
  return Math.round(ms * 10) / 10;
}
