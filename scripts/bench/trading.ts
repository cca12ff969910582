/**
 * `npm run bench:trading`: 20,000 tokens, 1,000 plans of all kinds and 5,000 updates a second through the core of plans: its share
 * of a core, then the time from a decision until its order is stored, on paper over a MongoDB of its own, without the first second of
 * orders. Prints one JSON line, also with the times in that second and when all decisions are made in one moment, the share of
 * 10,000 plans, and of a loop over all conditions, which has to miss the bar. `--quick` is a short run.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { connectDatabase } from '../../api/platform/database.ts';
import { createLog } from '../../api/platform/log.ts';
import { embeddedMongoForTest } from '../testing/embedded-mongo.ts';
import { describeMachine, heapAfterCollection, percentile } from './measure.ts';
import { type BenchLoad, createBenchLoad, naiveUpdateMs, TICK_MS, UPDATES_PER_SECOND } from './trading/load.ts';
import { runStored } from './trading/stored.ts';

/** Share of a core; decision → order stored, ms. */
const BARS = { share: 0.25, storedP99: 50 };
/** Many plans were switched on later, ms before: else a start alone would ask hundreds of millions of pairs. */
const MANY_ACTIVE_MS = 300_000;
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const settings = values.quick
  ? { tokens: 1_000, plans: 150, seconds: 2, manyPlans: 600, manySeconds: 1, naive: 200, burst: 40 }
  : { tokens: 20_000, plans: 1_000, seconds: 30, manyPlans: 10_000, manySeconds: 5, naive: 1_000, burst: 800 };

interface Share {
  /** Processor time for each second of load, s: of the process less that of making the load. */
  share: number;
  longestMs: number;
  bought: number;
}

/** Runs some seconds of load as fast as it goes. */
function shareOf(load: BenchLoad, seconds: number): Share {
  const ticks = (seconds * 1_000) / TICK_MS;
  let [used, longestMs, bought] = [0, 0, 0];
  for (let number = 0; number < ticks; number += 1) {
    const changes = load.tick(load.now() + TICK_MS);
    const cpu = process.cpuUsage();
    const from = performance.now();
    bought += load.step(load.now(), changes);
    longestMs = Math.max(longestMs, performance.now() - from);
    const { user, system } = process.cpuUsage(cpu);
    used += (user + system) / 1e6;
  }
  return { share: used / seconds, longestMs, bought };
}

const loadBefore = os.loadavg();
const heapBefore = heapAfterCollection();
const from = performance.now();
const load = createBenchLoad({ ...settings, now: Date.now() });
const loadMs = performance.now() - from;
const heapMb = (heapAfterCollection() - heapBefore) / 2 ** 20;
const measured = shareOf(load, settings.seconds);
const { tokens, candidates } = load.core.size;

const mongo = await embeddedMongoForTest();
const connection = await connectDatabase(mongo.uri, createLog('silent'));
const stored = await runStored(connection, load, settings);
await connection.close();
await mongo.remove();

const naiveShare = (naiveUpdateMs(load, settings.naive) / 1_000) * UPDATES_PER_SECOND;
const manyLoad = createBenchLoad({ ...settings, plans: settings.manyPlans, now: Date.now(), activeMs: MANY_ACTIVE_MS });
const many = shareOf(manyLoad, settings.manySeconds);

const orders = stored.storedMs.length;
const isNaiveTooSlow = naiveShare > BARS.share;
const pass =
  measured.share <= BARS.share && percentile(stored.storedMs, 0.99) <= BARS.storedP99 && orders > 0 && isNaiveTooSlow;
const rounded = (figure: number) => Number(figure.toFixed(3));
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
    manyPlans: { plans: settings.manyPlans, share: rounded(many.share), longestTickMs: rounded(many.longestMs) },
    naiveShare: rounded(naiveShare),
    machine: describeMachine(loadBefore),
    pass,
  }),
);
process.exitCode = pass || values.quick ? 0 : 1;
