import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Remote, startChild } from './child.ts';
import type { LoadCalls } from './load.ts';
import type { ClientKind } from './load-connection.ts';
import type { ServerCalls } from './server.ts';
import { median, shuffled } from './statistics.ts';
import type { TargetKind } from './targets.ts';

export interface Settings {
  clients: number;
  updatesPerSecond: number;
  seconds: number;
  tickMs: number;
  /** Repetitions of the cost comparison, and frames in each. */
  repetitions: number;
  framesPerRepetition: number;
  memoryConnections: number;
  memoryRounds: number;
  stalledClients: number;
  stalledSeconds: number;
}

const SERVER_CPU = 0;
const LOAD_CPU = 1;
/** Apart enough that the kernel and the load keep up with 1,000 clients. */
const BURST_EVERY_MS = 35;
const SETTLE_MS = 500;
/** Of the connections whose memory is measured, this share is opened before, so that what a server allocates once is not counted. */
const WARM_SHARE = 0.04;
const STALLED_READERS = 50;
/** A frame large enough that the kernel's buffers of a client that does not read are full within seconds. */
const STALLED_UPDATES = 300;
const STALLED_EVERY_MS = 50;

type ServerProcess = Remote<ServerCalls>;
type LoadProcess = Remote<LoadCalls>;
interface Running {
  server: ServerProcess;
  port: number;
  kind: TargetKind;
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function startServer(kind: TargetKind): Promise<Running> {
  const server: ServerProcess = startChild(fileOf('server.ts'), SERVER_CPU);
  const { port } = await server.ask('start', kind);
  return { server, port, kind };
}

export function startLoad(): LoadProcess {
  return startChild(fileOf('load.ts'), LOAD_CPU);
}

function clientKind(kind: TargetKind): ClientKind {
  switch (kind) {
    case 'gateway':
    case 'gateway-short':
      return 'gateway';
    case 'event-per-update':
      return 'socketio';
    case 'bare':
    case 'bare-control':
      return 'bare';
  }
}

const COMPARED = ['bare', 'bare-control', 'gateway', 'event-per-update'] as const;
type Compared = (typeof COMPARED)[number];

/**
 * CPU of the server per delivered frame and update. Every server is up with all its clients the whole time; in every repetition each says
 * the same number of frames, in an order shuffled anew, and only costs of the same repetition are divided by one another.
 */
export async function compareCosts(load: LoadProcess, settings: Settings, progress: (line: string) => void) {
  const servers: Running[] = [];
  for (const kind of COMPARED) {
    const running = await startServer(kind);
    await load.ask('open', { name: kind, kind: clientKind(kind), port: running.port, count: settings.clients });
    servers.push(running);
  }
  const repetitions: Record<Compared, number>[] = [];
  let lost = 0;
  // The first round only warms up the compilers.
  for (let round = 0; round <= settings.repetitions; round += 1) {
    const costs: Record<Compared, number> = { bare: 0, 'bare-control': 0, gateway: 0, 'event-per-update': 0 };
    for (const kind of shuffled(COMPARED)) {
      const running = servers.find((one) => one.kind === kind);
      if (!running) throw new Error(`${kind} is not running`);
      const result = await costOf(running, load, settings);
      costs[kind] = result.usPerFrame;
      lost += result.lost;
    }
    if (round > 0) repetitions.push(costs);
    progress(`cost ${round}/${settings.repetitions}: ${JSON.stringify(costs)}`);
  }
  for (const { server, kind } of servers) {
    await load.ask('close', kind);
    await server.stop();
  }
  const ratio = (of: Compared, to: Compared) => median(repetitions.map((costs) => costs[of] / costs[to]));
  const updatesPerFrame = updatesPerTick(settings);
  return {
    control: ratio('bare-control', 'bare'),
    framesRatio: ratio('gateway', 'bare'),
    updatesRatio: ratio('gateway', 'event-per-update') / updatesPerFrame,
    usPerFrame: Object.fromEntries(COMPARED.map((kind) => [kind, median(repetitions.map((costs) => costs[kind]))])),
    lost,
  };
}

function updatesPerTick({ updatesPerSecond, tickMs }: Settings): number {
  return Math.round((updatesPerSecond * tickMs) / 1000);
}

async function costOf({ server, kind }: Running, load: LoadProcess, settings: Settings) {
  const frames = settings.framesPerRepetition;
  const updatesPerFrame = kind === 'event-per-update' ? 1 : updatesPerTick(settings);
  const before = await server.ask('lastSeq');
  await load.ask('expectAfter', { name: kind, seq: before, frames: 0 });
  const cpuBefore = await server.ask('cpu');
  const last = await server.ask('burst', { frames, updatesPerFrame, everyMs: BURST_EVERY_MS });
  const got = await load.ask('arrived', { name: kind, seq: last });
  const cpu = (await server.ask('cpu')) - cpuBefore;
  return { usPerFrame: cpu / got.frames, lost: got.lost + got.doubled };
}

/**
 * The product's own pace: updates one by one, said once a tick, through publisher, log and gateway to every client. The same on a bare
 * `ws` shows what part of the latency is the machine's.
 */
export async function measureFeed(kind: 'gateway' | 'bare', load: LoadProcess, settings: Settings) {
  const { server, port } = await startServer(kind);
  const name = `feed-${kind}`;
  await load.ask('open', { name, kind: clientKind(kind), port, count: settings.clients });
  const ticks = Math.ceil((settings.seconds * 1000) / settings.tickMs) + 10;
  await load.ask('expectAfter', { name, seq: 0, frames: ticks });
  const cpuBefore = await server.ask('cpu');
  const begin = performance.now();
  const due = await server.ask('feed', {
    perSecond: settings.updatesPerSecond,
    seconds: settings.seconds,
    tickMs: settings.tickMs,
  });
  const got = await load.ask('arrived', { name, seq: due.length });
  const cpu = (await server.ask('cpu')) - cpuBefore;
  const wallUs = (performance.now() - begin) * 1000;
  const latency = await load.ask('latency', { name, due });
  await load.ask('close', name);
  await server.stop();
  const updates = due.flat().length;
  return {
    ...latency,
    updates,
    deliveredUpdates: latency.count,
    lost: got.lost,
    doubled: got.doubled,
    bytesPerUpdate: got.bytes / (updates * settings.clients),
    usPerDeliveredUpdate: cpu / (updates * settings.clients),
    cpuPercent: (cpu / wallUs) * 100,
  };
}

/** Resident memory per connection after garbage collection: ours and bare `ws`, in turns. */
export async function measureMemory(load: LoadProcess, settings: Settings, progress: (line: string) => void) {
  const kinds = ['bare', 'gateway'] as const;
  const perConnection: Record<(typeof kinds)[number], { idle: number[]; used: number[] }> = {
    bare: { idle: [], used: [] },
    gateway: { idle: [], used: [] },
  };
  for (let round = 0; round < settings.memoryRounds; round += 1) {
    for (const kind of shuffled(kinds)) {
      const { idle, used } = await memoryOf(kind, load, settings);
      perConnection[kind].idle.push(idle);
      perConnection[kind].used.push(used);
      progress(`memory ${kind}: ${Math.round(idle)} bytes idle, ${Math.round(used)} after use`);
    }
  }
  const { bare, gateway } = perConnection;
  return {
    idleBytes: median(gateway.idle),
    usedBytes: median(gateway.used),
    idleRatio: median(gateway.idle) / median(bare.idle),
    usedRatio: median(gateway.used) / median(bare.used),
  };
}

async function memoryOf(kind: 'bare' | 'gateway', load: LoadProcess, settings: Settings) {
  const { server, port } = await startServer(kind);
  const name = `memory-${kind}`;
  const clients = { name, kind: clientKind(kind), port };
  await load.ask('open', { ...clients, count: Math.ceil(settings.memoryConnections * WARM_SHARE) });
  await wait(SETTLE_MS);
  const before = await server.ask('memory');
  await load.ask('open', { ...clients, count: settings.memoryConnections });
  await wait(SETTLE_MS);
  const opened = await server.ask('memory');
  const last = await server.ask('burst', {
    frames: 30,
    updatesPerFrame: updatesPerTick(settings),
    everyMs: BURST_EVERY_MS,
  });
  await load.ask('arrived', { name, seq: last });
  await wait(SETTLE_MS);
  const used = await server.ask('memory');
  await load.ask('close', name);
  await server.stop();
  const perConnection = (bytes: number) => (bytes - before.rss) / settings.memoryConnections;
  return { idle: perConnection(opened.rss), used: perConnection(used.rss) };
}

/** What clients that stop reading cost the server's heap, and the others. */
export async function measureStalled(load: LoadProcess, settings: Settings, progress: (line: string) => void) {
  const { server, port } = await startServer('gateway-short');
  const name = 'stalled';
  const count = settings.stalledClients;
  await load.ask('open', { name, kind: 'gateway', port, count: count + STALLED_READERS });
  const burst = (frames: number) =>
    server.ask('burst', { frames, updatesPerFrame: STALLED_UPDATES, everyMs: STALLED_EVERY_MS });
  const framesPerSecond = 1000 / STALLED_EVERY_MS;
  await load.ask('expectAfter', { name, seq: 0, frames: 0 });
  // Until the log is as large as it gets.
  let last = await burst(2 * framesPerSecond);
  const before = await server.ask('memory');
  await load.ask('stall', { name, count });
  let growth = 0;
  let stalled = 0;
  for (let second = 1; second <= settings.stalledSeconds; second += 1) {
    last = await burst(framesPerSecond);
    const { heap } = await server.ask('memory');
    const stats = await server.ask('stats');
    growth = Math.max(growth, heap - before.heap);
    stalled = Math.max(stalled, stats.stalled);
    progress(`stalled ${second} s: heap ${((heap - before.heap) / 1024).toFixed(0)} kB more, ${JSON.stringify(stats)}`);
  }
  const got = await load.ask('arrived', { name, seq: last });
  const { closedSlow } = await server.ask('stats');
  await load.ask('close', name);
  await server.stop();
  return { stalled, closedSlow, heapPerClient: growth / count, othersLost: got.lost, othersDoubled: got.doubled };
}
