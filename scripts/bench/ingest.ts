/** `npm run bench:ingest`: observations through merge, score, classify, store and publish. Prints one JSON line. `--quick` is a short run. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createEventBus } from '../../api/events/bus.ts';
import { createMarket } from '../../api/market/market.ts';
import type { SourceContext } from '../../api/market/sources/source.ts';
import { connectDatabase } from '../../api/platform/database.ts';
import { tokenModels } from '../../api/tokens/model.ts';
import type { FeedEvent, Publisher } from '../../realtime/publisher.ts';
import { startEmbeddedMongo } from '../embedded-mongo/launcher.ts';
import { createBenchCoins } from './ingest-market.ts';
import { heapAfterCollection, percentile } from './measure.ts';

/** The required figures. */
const BARS = { updatesPerSecond: 5_000, p99Ms: 300, heapGrowth: 1.15, lost: 0 } as const;
/** Updates a second, a little above the bar so that the pace itself reaches it. */
const PACE = 5_200;
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

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const { quick } = values;
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
/** Returns whether all observations are published, and all published events stored. */
function isSettled(stored: number): boolean {
  return stored === seq && [...pending.values()].every((waiting) => waiting.length === 0);
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
    listens: () => false,
    cursor: () => ({ epoch, seq }),
  };
}

async function run(): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-bench-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const mongo = await startEmbeddedMongo(directory);
  const connection = await connectDatabase(mongo.uri, log);
  let context: SourceContext | undefined;
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
    const result = await load(context, async () => {
      // Losses are counted after the time for storing; late publications appear in the latency.
      for (const until = performance.now() + SETTLE_MS; performance.now() < until; await pause(STEP_MS)) {
        if (isSettled(market.stored().seq)) return;
      }
    });
    await market.stop();
    const { tokens, trades } = tokenModels(connection);
    const [stored] = await tokens.aggregate<{ trades: number; count: number }>(
      [{ $group: { _id: null, trades: { $sum: { $add: ['$buys', '$sells'] } }, count: { $sum: 1 } } }],
      { timeoutMS: 60_000 },
    );
    const unpublished = [...pending.values()].reduce((sum, waiting) => sum + waiting.length, 0);
    const lost = {
      trades: result.sent - (await trades.estimatedDocumentCount()),
      counted: result.sent - (stored?.trades ?? 0),
      tokens: liveTokens - (stored?.count ?? 0),
      unpublished,
    };
    report(result, lost);
  } finally {
    await connection.close();
    await mongo.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

interface Result {
  sent: number;
  updatesPerSecond: number;
  heap: { before: number; after: number };
}

async function load(context: SourceContext, settle: () => Promise<void>): Promise<Result> {
  const coins = createBenchCoins(liveTokens);
  for (let number = 0; number < liveTokens; number += CHUNK) {
    const created = Array.from({ length: CHUNK }, (_, offset) => coins.created(number + offset, Date.now()));
    context.observe(created);
    while (context.backlog() > CHUNK) await pause(STEP_MS);
  }
  let sent = 0;
  let next = 0;
  const send = (until: number) => {
    const batch = [];
    for (; sent < until; sent += 1) {
      // A large step without a common factor visits all coins in a scattered order.
      next = (next + 7_919) % liveTokens;
      const { observation, price } = coins.trade(next, Date.now());
      const waiting = pending.get(observation.address);
      const trade = { price, at: performance.now() };
      if (waiting) waiting.push(trade);
      else pending.set(observation.address, [trade]);
      batch.push(observation);
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
  await keepPace(warmUp);
  await settle();
  const before = heapAfterCollection();
  // The first second after the pause is not representative.
  await keepPace(1);
  measuring = true;
  const updatesPerSecond = await keepPace(measure);
  measuring = false;
  await settle();
  return { sent, updatesPerSecond, heap: { before, after: heapAfterCollection() } };
}

function report(result: Result, lost: Record<string, number>): void {
  const { before, after } = result.heap;
  const figures = {
    updatesPerSecond: Math.round(result.updatesPerSecond),
    p50Ms: Math.round(percentile(latencies, 0.5)),
    p99Ms: Math.round(percentile(latencies, 0.99)),
    maxMs: Math.round(percentile(latencies, 1)),
    heapBeforeMb: Math.round(before / 1e6),
    heapAfterMb: Math.round(after / 1e6),
    heapGrowth: Math.round((after / before) * 1_000) / 1_000,
    lost: Object.values(lost).reduce((sum, count) => sum + Math.abs(count), 0),
  };
  const pass = {
    updatesPerSecond: figures.updatesPerSecond >= BARS.updatesPerSecond,
    p99Ms: figures.p99Ms <= BARS.p99Ms,
    // A quick run ends before the bounded memories are full.
    heapGrowth: quick || figures.heapGrowth <= BARS.heapGrowth,
    lost: figures.lost <= BARS.lost,
  };
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  const all = Object.values(pass).every(Boolean);
  const line = {
    bench: 'ingest',
    quick,
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
