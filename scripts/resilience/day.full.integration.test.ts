import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { expect, test, vi } from 'vitest';
import { noteProof } from '../../api/testing/proof.ts';
import { sized } from '../../common/testing/effort.ts';
import { HOUR, SECOND } from '../../common/time.ts';
import { ADMIN, productScene, signIn } from './product.ts';
import { createFollower, gapsOf } from './testing/follower.ts';

/** Hours of the product's clock, and how much faster it runs than ours. */
const { hours, speed } = sized({
  landing: { hours: 0.1, speed: 24 },
  full: { hours: 0.25, speed: 24 },
  soak: { hours: 24, speed: 24 },
});
/** Launches in a minute of the product's clock. */
const RATE = 10;
/** Reached within hours, so that old trades and samples are deleted. */
const MARKET_MEGABYTES = 60;
/** The lease is timed by this clock, and renewed by ours. */
const LEASE_SECONDS = 7;
const SAMPLE_MS = 2 * SECOND;
/** Memory that a stored token takes for good, in the index of all tokens, bytes. */
const TOKEN_BYTES = 4_096;
/** Growth that is no leak. In a short run the log of the feed, of at most 64 MB, and the caches are still filling. */
const GROWTH_MB = sized({ landing: 120, full: 120, soak: 25 });
const METRICS_TOKEN = 'metrics-of-a-day-on-a-fast-clock';

const fastClock = path.join(import.meta.dirname, 'testing/fast-clock.mjs');
const { mongo, start } = await productScene({
  NODE_OPTIONS: `--import=${fastClock}`,
  CLOCK_SPEED: String(speed),
  LEASE_SECONDS: String(LEASE_SECONDS * speed),
  MARKET_RATE: String(RATE),
  MARKET_SEED: '17',
  MARKET_MEGABYTES: String(MARKET_MEGABYTES),
  METRICS_TOKEN,
});

/** Figures of the product's process at one moment. */
interface Sample {
  heapMb: number;
  timers: number;
  sockets: number;
  files: number;
}

async function readSample(url: string): Promise<Sample> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await response.text();
  const figure = (name: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? Number.NaN);
  };
  return {
    heapMb: figure('nodejs_heap_size_used_bytes') / 1024 ** 2,
    timers: figure('nodejs_active_resources{type="Timeout"}'),
    sockets: figure('nodejs_active_resources{type="TCPSocketWrap"}'),
    files: figure('process_open_fds'),
  };
}

/** Returns the lowest value of each figure, which is the use between collections of garbage and bursts of work. */
function lowest(samples: readonly Sample[]): Sample {
  const least = (figure: keyof Sample) => Math.min(...samples.map((sample) => sample[figure]));
  return { heapMb: least('heapMb'), timers: least('timers'), sockets: least('sockets'), files: least('files') };
}

test(`${hours} hours on a fast clock need no more memory, timers, sockets and files at their end than before`, {
  timeout: 120_000 + 2 * ((hours * HOUR) / speed),
}, async () => {
  const product = await start();
  let session = await signIn(product.url, ADMIN.username, ADMIN.password);
  const follower = createFollower(product.url, session.cookie);
  const connection = await mongoose.createConnection(mongo.uri, { autoIndex: false }).asPromise();
  const samples: Sample[] = [];
  const tokens: number[] = [];
  const until = performance.now() + (hours * HOUR) / speed;
  let errors = 0;
  while (performance.now() < until) {
    samples.push(await readSample(product.url));
    tokens.push(await connection.collection('tokens').estimatedDocumentCount());
    const { status } = await session.get('/api/tokens');
    if (status >= 500 && status !== 503) errors += 1;
    // A session lasts half of a day.
    if (status === 401) session = await signIn(product.url, ADMIN.username, ADMIN.password);
    // A busy machine may miss a heartbeat of this clock.
    if (!follower.isConnected()) follower.reconnect(session.cookie);
    await pause(SAMPLE_MS);
  }
  await vi.waitFor(() => expect(follower.isConnected()).toBe(true));
  const gaps = gapsOf(follower.numbers);
  expect(follower.numbers.length).toBeGreaterThan(100);
  expect({ gaps, errors }).toEqual({ gaps: { missing: 0, doubled: 0 }, errors: 0 });
  await vi.waitFor(async () => {
    const { storageSize = 0 } = (await connection.db?.command({ dbStats: 1, scale: 1024 ** 2 })) ?? {};
    expect(storageSize).toBeLessThan(10 * MARKET_MEGABYTES);
  });

  const quarter = Math.floor(samples.length / 4);
  const [before, after] = [lowest(samples.slice(quarter, 2 * quarter)), lowest(samples.slice(-quarter))];
  const added = (tokens.at(-1) ?? 0) - (tokens[quarter] ?? 0);
  const allowedMb = before.heapMb + GROWTH_MB + (added * TOKEN_BYTES) / 1024 ** 2;
  const size = {
    hours,
    tokens: tokens.at(-1) ?? 0,
    heapMbBefore: Math.round(before.heapMb),
    heapMbAfter: Math.round(after.heapMb),
  };
  noteProof('a day on a fast clock', size, { eventsLost: gaps.missing, serverErrors: errors, crashes: 0 });
  expect(after.heapMb).toBeLessThan(allowedMb);
  // A few more may be in use at the moment of a sample.
  for (const figure of ['timers', 'sockets', 'files'] as const) {
    expect(after[figure], figure).toBeLessThanOrEqual(before[figure] * 1.1 + 5);
  }
  follower.cut();
  await connection.close();
  expect(await product.stop()).toBe(0);
});
