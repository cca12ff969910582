/**
 * `npm run bench:trading`: 20,000 tokens, 1,000 plans of all kinds and 1,000 updates a second through the core of plans: its share
 * of a core, then the time from a decision until its order is stored, on paper over a MongoDB of its own, without the first second of
 * orders. Prints one JSON line, also with the times in that second and when all decisions are made in one moment, and the shares at
 * 2,000 and 4,000 updates a second and with 5,000 plans, which grow with both. `--quick` is a short run.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { connectDatabase } from '../../api/platform/database.ts';
import { createLog } from '../../api/platform/log.ts';
import { embeddedMongoForTest } from '../testing/embedded-mongo.ts';
import { describeMachine, heapAfterCollection, percentile } from './measure.ts';
import { type BenchLoad, createBenchLoad, TICK_MS } from './trading/load.ts';
import { runStored } from './trading/stored.ts';

/** Share of a core; decision → order stored, ms. */
const BARS = { share: 0.5, storedP99: 50 };
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const settings = values.quick
  ? { tokens: 1_000, plans: 150, seconds: 2, moreSeconds: 1, moreTokens: 200, burst: 40 }
  : { tokens: 20_000, plans: 1_000, seconds: 30, moreSeconds: 10, moreTokens: 4_000, burst: 800 };
const UPDATES_PER_SECOND = 1_000;
interface Share {
  /** Processor time for each second of load, s: of the process less that of making the load. */
  share: number;
  longestMs: number;
  bought: number;
}

/** Runs some seconds of load as fast as it goes. */
function shareOf(load: BenchLoad, seconds: number, updatesPerSecond: number): Share {
  const ticks = (seconds * 1_000) / TICK_MS;
  let [used, longestMs, bought] = [0, 0, 0];
  for (let number = 0; number < ticks; number += 1) {
    const changes = load.tick(load.now() + TICK_MS, updatesPerSecond);
    const cpu = process.cpuUsage();
    const from = performance.now();
    bought += load.step(load.now(), changes);
    longestMs = Math.max(longestMs, performance.now() - from);
    const { user, system } = process.cpuUsage(cpu);
    used += (user + system) / 1e6;
  }
  return { share: used / seconds, longestMs, bought };
}

const rounded = (figure: number) => Number(figure.toFixed(3));

const loadBefore = os.loadavg();
const heapBefore = heapAfterCollection();
const from = performance.now();
const load = createBenchLoad({ ...settings, now: Date.now() });
const loadMs = performance.now() - from;
const heapMb = (heapAfterCollection() - heapBefore) / 2 ** 20;
const measured = shareOf(load, settings.seconds, UPDATES_PER_SECOND);
const { tokens, candidates } = load.core.size;

const mongo = await embeddedMongoForTest();
const connection = await connectDatabase(mongo.uri, createLog('silent'));
const stored = await runStored(connection, load, { ...settings, updatesPerSecond: UPDATES_PER_SECOND });
await connection.close();
await mongo.remove();

/** Shares at larger loads, the last one with fewer tokens, whose number changes the cost of an update little. */
const manyPlans = { tokens: settings.moreTokens, plans: 5 * settings.plans };
const manyLoad = createBenchLoad({ ...manyPlans, now: Date.now() });
const more = [
  { plans: settings.plans, tokens, load, updatesPerSecond: 2 * UPDATES_PER_SECOND },
  { plans: settings.plans, tokens, load, updatesPerSecond: 4 * UPDATES_PER_SECOND },
  { ...manyPlans, load: manyLoad, updatesPerSecond: UPDATES_PER_SECOND },
].map(({ load: larger, ...size }) => {
  const { share, longestMs } = shareOf(larger, settings.moreSeconds, size.updatesPerSecond);
  return { ...size, share: rounded(share), longestTickMs: rounded(longestMs) };
});

const orders = stored.storedMs.length;
const pass = measured.share <= BARS.share && percentile(stored.storedMs, 0.99) <= BARS.storedP99 && orders > 0;
const spread = (times: number[]) => ({ p50: rounded(percentile(times, 0.5)), p99: rounded(percentile(times, 0.99)) });
console.log(
  JSON.stringify({
    bench: 'trading',
    bars: BARS,
    ...{ tokens, plans: settings.plans, updatesPerSecond: UPDATES_PER_SECOND, seconds: settings.seconds },
    share: rounded(measured.share),
    longestTickMs: rounded(measured.longestMs),
    ...{ bought: measured.bought, candidates, loadMs: Math.round(loadMs), heapMb: Math.round(heapMb) },
    storedMs: spread(stored.storedMs),
    first: { orders: stored.firstMs.length, storedMs: spread(stored.firstMs) },
    atOnce: { orders: stored.burstMs.length, storedMs: spread(stored.burstMs) },
    ...{ orders, refused: stored.refused, tickLateP99Ms: rounded(percentile(stored.lateMs, 0.99)) },
    more,
    machine: describeMachine(loadBefore),
    pass,
  }),
);
process.exitCode = pass || values.quick ? 0 : 1;
