import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '@redis/client';
import type { FeedCursor } from '../../common/live/protocol.ts';
import { startRedis } from '../../realtime/testing/redis.ts';
import { canPin, type Remote, startChild } from './fanout/child.ts';
import { startLoad } from './fanout/phases.ts';
import { rounded } from './fanout/statistics.ts';
import { describeMachine } from './measure.ts';
import type { MemberCalls } from './scale/member.ts';

/**
 * `npm run bench:scale`: one process writes the feed to Redis, two gateways send it to their clients. Prints one JSON line: CPU and
 * memory a client, an update and a delivered frame cost each of them, and a mass reconnect. `performance.md` computes larger
 * installations from it. `--quick` is a short run, which tests the benchmark and measures nothing. `--without-position` has the
 * clients reconnect as new ones: they miss the frames that are published meanwhile, and the run must fail.
 */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, 'without-position': { type: 'boolean', default: false } },
});
const settings = values.quick
  ? { clients: 20, frames: 20, updatesPerFrame: 20, everyMs: 20, idleSeconds: 1 }
  : { clients: 1_000, frames: 300, updatesPerFrame: 20, everyMs: 100, idleSeconds: 20 };
/** Clients that reconnect at once, of both gateways. */
const RECONNECTS = 2 * settings.clients;
const RECONNECT_BAR_MS = 10_000;
/** Frames that are published while the clients are away; the gateways replay them. */
const MISSED_FRAMES = 20;
const GATEWAYS = ['gateway 1', 'gateway 2'];

type Member = Remote<MemberCalls>;
const startMember = (): Member => startChild(fileURLToPath(new URL('scale/member.ts', import.meta.url)), null);

const loadAverageBefore = os.loadavg();
const redis = await startRedis();
if (redis === null) {
  process.stderr.write('bench:scale needs redis-server: install the package redis-server.\n');
  process.exit(1);
}
const info = createClient({ url: redis.url });
await info.connect();

/** Returns the CPU time that Redis has used, µs. */
async function redisCpu(): Promise<number> {
  const text = await info.info('cpu');
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6;
}

/** Returns the memory that Redis uses for its data, bytes. */
async function redisBytes(): Promise<number> {
  return Number(/^used_memory_dataset:(\d+)/m.exec(await info.info('memory'))?.[1] ?? Number.NaN);
}

const writer = startMember();
await writer.call('startWriter', redis.url);
const load = startLoad();
const gateways: { name: string; member: Member; port: number }[] = [];
for (const name of GATEWAYS) {
  const member = startMember();
  gateways.push({ name, member, port: await member.call('startGateway', redis.url) });
}

/** Returns the CPU time of each part, µs. */
async function cpuOfAll() {
  const ofGateways = await Promise.all(gateways.map(({ member }) => member.call('cpu')));
  return { writer: await writer.call('cpu'), redis: await redisCpu(), gateways: sum(ofGateways) };
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

async function cpuDuring(work: () => Promise<unknown>) {
  const before = await cpuOfAll();
  await work();
  const after = await cpuOfAll();
  return {
    writer: after.writer - before.writer,
    redis: after.redis - before.redis,
    gateways: after.gateways - before.gateways,
  };
}

const openAll = (count: number, cursor?: FeedCursor) =>
  Promise.all(
    gateways.map(({ name, port }) =>
      load.call('open', { name, kind: 'gateway', port, count, ...(cursor && { cursor }) }),
    ),
  );

/** Resolves with the frames that all clients have got up to a number, and with those that were lost or doubled. */
async function totalsAt(seq: number) {
  const totals = await Promise.all(gateways.map(({ name }) => load.call('waitForFrame', { name, seq })));
  return {
    delivered: sum(totals.map(({ frames }) => frames)),
    wrong: sum(totals.map(({ lost, duplicated }) => lost + duplicated)),
  };
}

/** Closes all clients, publishes frames, and has as many clients continue at their position. */
async function reconnectAll() {
  const cursor = await writer.call('head');
  for (const { name } of gateways) await load.call('close', name);
  await wait(1_000);
  const { updatesPerFrame } = settings;
  const last = await writer.call('publish', { frames: MISSED_FRAMES, updatesPerFrame, everyMs: 0 });
  const sessionsBefore = await sessionLookups();
  let totals = { delivered: 0, wrong: 0 };
  const startedAt = performance.now();
  const { gateways: cpu } = await cpuDuring(async () => {
    await openAll(settings.clients, values['without-position'] ? undefined : cursor);
    totals = await totalsAt(last);
  });
  return { ...totals, cpu, ms: performance.now() - startedAt, sessions: (await sessionLookups()) - sessionsBefore };
}

const sessionLookups = async () => sum(await Promise.all(gateways.map(({ member }) => member.call('authenticated'))));

async function memoryOfGateways(): Promise<number> {
  const all = await Promise.all(gateways.map(({ member }) => member.call('memory')));
  return sum(all.map(({ rss }) => rss));
}

async function main(): Promise<boolean> {
  // Allocations of the first clients are no part of a client's memory.
  await openAll(Math.ceil(settings.clients / 20));
  const memoryBefore = await memoryOfGateways();
  await openAll(settings.clients);
  const memoryAfter = await memoryOfGateways();
  const clients = GATEWAYS.length * (settings.clients + Math.ceil(settings.clients / 20));
  const idle = await cpuDuring(() => wait(settings.idleSeconds * 1_000));

  const { frames, updatesPerFrame, everyMs } = settings;
  const { seq } = await writer.call('head');
  for (const { name } of gateways) await load.call('expectAfter', { name, seq, frames: 0 });
  const bytesBefore = await redisBytes();
  let totals = { delivered: 0, wrong: 0 };
  const busy = await cpuDuring(async () => {
    totals = await totalsAt(await writer.call('publish', { frames, updatesPerFrame, everyMs }));
  });
  const storedBytes = (await redisBytes()) - bytesBefore;

  const reconnect = await reconnectAll();
  const updates = frames * updatesPerFrame;
  const perClientSecond = idle.gateways / clients / settings.idleSeconds;
  const figures = {
    gatewayUsPerIdleClientSecond: rounded(perClientSecond, 4),
    gatewayKbPerClient: rounded((memoryAfter - memoryBefore) / (GATEWAYS.length * settings.clients) / 1_024, 4),
    gatewayUsPerDeliveredFrame: rounded(busy.gateways / totals.delivered, 4),
    writerUsPerUpdate: rounded(busy.writer / updates, 4),
    redisUsPerUpdate: rounded(busy.redis / updates, 4),
    redisBytesPerUpdate: rounded(storedBytes / updates, 4),
    gatewayUsPerReconnect: rounded(reconnect.cpu / RECONNECTS, 4),
    reconnects: RECONNECTS,
    /** Until each client has the frames that it missed. */
    reconnectMs: Math.round(reconnect.ms),
    replayedFrames: reconnect.delivered,
    /** One for each connection. A gateway has no other use of MongoDB: missed events come from its memory. */
    sessionLookups: reconnect.sessions,
    lostOrDoubled: totals.wrong + reconnect.wrong,
  };
  const isWhole = totals.delivered === frames * clients && reconnect.delivered === MISSED_FRAMES * RECONNECTS;
  const pass = figures.lostOrDoubled === 0 && isWhole && reconnect.ms <= RECONNECT_BAR_MS;
  const machine = { ...describeMachine(loadAverageBefore), pinned: canPin };
  process.stdout.write(
    `${JSON.stringify({ bench: 'scale', quick: values.quick, pass, figures, settings, machine })}\n`,
  );
  return pass;
}

const hasPassed = await main();
await load.stop();
await writer.stop();
for (const { member } of gateways) await member.stop();
info.destroy();
await redis.remove();
process.exitCode = hasPassed || values.quick ? 0 : 1;
