/**
 * `npm run bench:ingest`: observations through merge, score, classify, store and publish. Prints one JSON line. `--quick` is a short run.
 * `--trading on` adds a simulated market with coins on the local chain, and open positions that follow prices; `--trading off` the
 * same market without them, to compare with. `--control` adds a fact to each trade, so that each token is written before its
 * publication, as all were without a journal: a run that fails unless it misses the rate or a latency. `--engine plans` adds 1,000 rules and strategies, `tape` the recording of hours, and
 * `both` both; `off`, the default, neither.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { z } from 'zod';
import { createEventBus } from '../../api/events/bus.ts';
import { createMarket } from '../../api/market/market.ts';
import type { Observation } from '../../api/market/sources/observation.ts';
import type { SourceContext } from '../../api/market/sources/source.ts';
import { connectDatabase } from '../../api/platform/database.ts';
import { tokenModels } from '../../api/tokens/model.ts';
import type { FeedEvent, Publisher } from '../../realtime/publisher.ts';
import { startEmbeddedMongo } from '../embedded-mongo/launcher.ts';
import { type BenchEngine, engineModes, openBenchEngine } from './ingest/engine.ts';
import { createBenchCoins, FIRST_TRADE_SLOT, LAST_TRADE_SLOT } from './ingest/market.ts';
import { openBenchTrading } from './ingest/trading.ts';
import { heapAfterCollection, percentile } from './measure.ts';

/** The required figures. */
const BARS = { updatesPerSecond: 10_000, p50Ms: 60, p99Ms: 200, heapGrowth: 1.15, lost: 0 } as const;
/** Updates a second, a little above the bar so that the pace itself reaches it. */
const PACE = 10_400;
const STEP_MS = 10;
const LIVE_TOKENS = 20_000;
/** Long enough for every bounded memory (recent events, wallets) to reach its limit. */
const WARM_UP_S = 25;
const MEASURE_S = 30;
const QUICK = { liveTokens: 2_000, warmUp: 2, measure: 5 } as const;
/** Longest wait for everything to be stored. */
const SETTLE_MS = 60_000;
/** Observations in one batch while the coins are created. */
const CHUNK = 500;

/** Share of the coins with an open position with `--trading on`: 1,000 of 20,000. */
const HELD_SHARE = 0.05;
/** Observations handed over as fast as they are merged, at the end of a run with `--trading` or `--engine`. */
const BURST = 150_000;
const BURST_BACKLOG = 20_000;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
    trading: { type: 'string' },
    engine: { type: 'string' },
  },
});
const { quick, control } = values;
const tradingMode = z
  .enum(['on', 'off'])
  .nullable()
  .parse(values.trading ?? null);
const engineMode = z.enum(engineModes).parse(values.engine ?? 'off');
const liveTokens = quick ? QUICK.liveTokens : LIVE_TOKENS;
const warmUp = quick ? QUICK.warmUp : WARM_UP_S;
const measure = quick ? QUICK.measure : MEASURE_S;

/** Trades that are not published yet, by coin, oldest first. */
const pending = new Map<string, { price: number; at: number }[]>();
const latencies: number[] = [];
let measuring = false;

/** Handles a published event: a patch with the price of a trade includes that trade and all earlier ones. */
function onPublished(event: FeedEvent): void {
  if (event.event === 'new-token') arrived(event.payload.token.address, event.payload.token.price);
  else if (event.event === 'token-updates') {
    for (const patch of event.payload.patches) if (patch.price !== undefined) arrived(patch.address, patch.price);
  }
}

function arrived(address: string, price: number | null): void {
  const waiting = pending.get(address);
  const newest = waiting?.findLastIndex((trade) => trade.price === price) ?? -1;
  if (waiting === undefined || newest < 0) return;
  const now = performance.now();
  for (const { at } of waiting.splice(0, newest + 1)) if (measuring) latencies.push(now - at);
}

let seq = 0;

/** Resolves when all observations are published and stored, or after the time for it. */
async function settle(backlog: () => number): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  const waitFor = async (isDone: () => boolean) => {
    while (performance.now() < until && !isDone()) await pause(STEP_MS);
  };
  await waitFor(() => [...pending.values()].every((waiting) => waiting.length === 0));
  await waitFor(() => backlog() === 0);
}

function benchPublisher(): Publisher {
  const epoch = 'bench';
  return {
    publish(events) {
      for (const event of events) onPublished(event);
      seq += events.length;
      return Promise.resolve({ epoch, seq });
    },
    send() {},
    hasMembers: () => false,
    cursor: () => ({ epoch, seq }),
  };
}

async function run(): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-bench-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const mongo = await startEmbeddedMongo(directory);
  const connection = await connectDatabase(mongo.uri, log);
  let context: SourceContext | undefined;
  const trading = tradingMode && (await openBenchTrading(tradingMode === 'on', path.join(directory, 'chain'), log));
  let engine: BenchEngine | null = null;
  const market = createMarket({
    sources: [
      {
        name: 'solana',
        start: (given) => {
          context = given;
          return Promise.resolve();
        },
        stop: () => Promise.resolve(),
        status: () => ({ state: 'live', lastEventAt: null }),
      },
      ...(trading ? [trading.source] : []),
    ],
    connection,
    publisher: benchPublisher(),
    bus: createEventBus((error) => log.error({ error }, 'event handler failed')),
    clock: { now: Date.now },
    random: Math.random,
    log,
    solUsd: 150,
  });
  try {
    await market.start();
    if (context === undefined) throw new Error('the market did not start its source');
    engine = engineMode === 'off' ? null : await openBenchEngine({ market, directory, log }, engineMode);
    // Losses are counted after the time for storing; late publications appear in the latency.
    const result = await load(
      context,
      () => settle(market.backlog),
      async (addresses) => trading?.begin(market, addresses),
    );
    await market.stop();
    const { tokens, trades } = tokenModels(connection);
    const [stored] = await tokens.aggregate<{ trades: number; count: number }>(
      [
        { $match: { detectedBy: 'solana' } },
        { $group: { _id: null, trades: { $sum: { $add: ['$buys', '$sells'] } }, count: { $sum: 1 } } },
      ],
      { timeoutMS: 60_000 },
    );
    const unpublished = [...pending.values()].reduce((sum, waiting) => sum + waiting.length, 0);
    const lost = {
      trades: result.sent - (await trades.countDocuments({ slot: { $gte: FIRST_TRADE_SLOT, $lt: LAST_TRADE_SLOT } })),
      counted: result.sent - (stored?.trades ?? 0),
      tokens: liveTokens - (stored?.count ?? 0),
      unpublished,
    };
    report(result, lost, { ...trading?.figures(), ...engine?.figures() });
  } finally {
    await engine?.stop();
    await trading?.stop();
    await connection.close();
    await mongo.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

interface Result {
  sent: number;
  updatesPerSecond: number;
  heap: { before: number; after: number };
  /** Processor time of this process in a second of the measurement, ms. */
  cpuMsPerSecond: number;
  /** Observations a second at full speed; null without `--trading` and `--engine`. */
  burstPerSecond: number | null;
}

async function load(
  context: SourceContext,
  settled: () => Promise<void>,
  begin: (addresses: readonly string[]) => Promise<void>,
): Promise<Result> {
  const coins = createBenchCoins(liveTokens);
  for (let number = 0; number < liveTokens; number += CHUNK) {
    const created = Array.from({ length: CHUNK }, (_, offset) => coins.created(number + offset, Date.now()));
    context.observe(created);
    while (context.backlog() > CHUNK) await pause(STEP_MS);
  }
  let sent = 0;
  let next = 0;
  const send = (until: number) => {
    const batch: Observation[] = [];
    for (; sent < until; sent += 1) {
      // A large step without a common factor visits all coins in a scattered order.
      next = (next + 7_919) % liveTokens;
      const { observation, price } = coins.trade(next, Date.now());
      const waiting = pending.get(observation.address);
      const trade = { price, at: performance.now() };
      if (waiting) waiting.push(trade);
      else pending.set(observation.address, [trade]);
      batch.push(observation, ...(control ? [coins.feeWalletChanged(observation)] : []));
    }
    context.observe(batch);
  };
  const keepPace = async (seconds: number) => {
    const [startedAt, sentBefore] = [performance.now(), sent];
    for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - startedAt) / 1_000) {
      send(sentBefore + Math.floor(elapsed * PACE));
      await pause(STEP_MS);
    }
    return (sent - sentBefore) / ((performance.now() - startedAt) / 1_000);
  };
  await begin(Array.from({ length: liveTokens * HELD_SHARE }, (_, number) => coins.created(number, 0).address));
  await keepPace(warmUp);
  await settled();
  const before = heapAfterCollection();
  // The first second after the pause is not representative.
  await keepPace(1);
  measuring = true;
  const cpu = process.cpuUsage();
  const updatesPerSecond = await keepPace(measure);
  const { user, system } = process.cpuUsage(cpu);
  measuring = false;
  await settled();
  const after = heapAfterCollection();
  const burstPerSecond = tradingMode || values.engine ? await burst() : null;
  const cpuMsPerSecond = (user + system) / 1_000 / measure;
  return { sent, updatesPerSecond, heap: { before, after }, cpuMsPerSecond, burstPerSecond };

  /** Hands over observations as fast as they are merged, and returns how many a second are published and stored. */
  async function burst(): Promise<number> {
    const startedAt = performance.now();
    for (const until = sent + BURST; sent < until; await pause(1)) {
      if (context.backlog() < BURST_BACKLOG) send(Math.min(until, sent + CHUNK * 10));
    }
    await settled();
    return (1_000 * BURST) / (performance.now() - startedAt);
  }
}

function report(result: Result, lost: Record<string, number>, trading: Record<string, number>): void {
  const { before, after } = result.heap;
  const figures = {
    updatesPerSecond: Math.round(result.updatesPerSecond),
    p50Ms: Math.round(percentile(latencies, 0.5)),
    p99Ms: Math.round(percentile(latencies, 0.99)),
    maxMs: Math.round(percentile(latencies, 1)),
    cpuMsPerSecond: Math.round(result.cpuMsPerSecond),
    burstPerSecond: result.burstPerSecond && Math.round(result.burstPerSecond),
    heapBeforeMb: Math.round(before / 1e6),
    heapAfterMb: Math.round(after / 1e6),
    heapGrowth: Math.round((after / before) * 1_000) / 1_000,
    lost: Object.values(lost).reduce((sum, count) => sum + Math.abs(count), 0),
  };
  const pass = {
    updatesPerSecond: figures.updatesPerSecond >= BARS.updatesPerSecond,
    p50Ms: figures.p50Ms <= BARS.p50Ms,
    p99Ms: figures.p99Ms <= BARS.p99Ms,
    // A quick run ends before the bounded memories are full.
    heapGrowth: quick || figures.heapGrowth <= BARS.heapGrowth,
    lost: figures.lost <= BARS.lost,
  };
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  const isFast = pass.updatesPerSecond && pass.p50Ms && pass.p99Ms;
  const all = control ? !isFast : Object.values(pass).every(Boolean);
  const line = {
    bench: 'ingest',
    quick,
    ...(control ? { control } : {}),
    ...(tradingMode ? { trading: tradingMode } : {}),
    ...(engineMode === 'off' ? {} : { engine: engineMode }),
    ...trading,
    machine,
    liveTokens,
    seconds: measure,
    ...figures,
    lostBy: lost,
    bars: BARS,
    pass,
    ok: all,
  };
  console.log(JSON.stringify(line));
  if (!all) process.exitCode = 1;
}

await run();
