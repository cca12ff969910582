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
/** Long enough for the kernel and the load to keep up with 1,000 clients. */
const BURST_EVERY_MS = 35;
const SETTLE_MS = 500;
/** Share of the connections that is opened before the measurement, so that it excludes one-time allocations. */
const WARM_SHARE = 0.04;
const STALLED_READERS = 50;
/** Large frames fill the kernel's buffers of a client that does not read within seconds. */
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
  const { port } = await server.call('start', kind);
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
 * Measures the server's CPU time per delivered frame and update. All servers run with all their clients the whole time. In
 * each repetition every server publishes the same number of frames, in a new random order, and ratios compare costs of the
 * same repetition only.
 */
export async function compareCosts(load: LoadProcess, settings: Settings, progress: (line: string) => void) {
  const servers: Running[] = [];
  for (const kind of COMPARED) {
    const running = await startServer(kind);
    await load.call('open', { name: kind, kind: clientKind(kind), port: running.port, count: settings.clients });
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
    await load.call('close', kind);
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
  const before = await server.call('lastSeq');
  await load.call('expectAfter', { name: kind, seq: before, frames: 0 });
  const cpuBefore = await server.call('cpu');
  const last = await server.call('burst', { frames, updatesPerFrame, everyMs: BURST_EVERY_MS });
  const received = await load.call('waitForFrame', { name: kind, seq: last });
  const cpu = (await server.call('cpu')) - cpuBefore;
  return { usPerFrame: cpu / received.frames, lost: received.lost + received.duplicated };
}

/**
 * Measures the feed at the product's pace: updates one by one, published once a tick through publisher, log and gateway to
 * every client. A bare `ws` shows the machine's part of the latency.
 */
export async function measureFeed(kind: 'gateway' | 'bare', load: LoadProcess, settings: Settings) {
  const { server, port } = await startServer(kind);
  const name = `feed-${kind}`;
  await load.call('open', { name, kind: clientKind(kind), port, count: settings.clients });
  const ticks = Math.ceil((settings.seconds * 1000) / settings.tickMs) + 10;
  await load.call('expectAfter', { name, seq: 0, frames: ticks });
  const due = await server.call('feed', {
    perSecond: settings.updatesPerSecond,
    seconds: settings.seconds,
    tickMs: settings.tickMs,
  });
  const received = await load.call('waitForFrame', { name, seq: due.length });
  const latency = await load.call('latency', { name, due });
  await load.call('close', name);
  await server.stop();
  const updates = due.flat().length;
  return {
    ...latency,
    updates,
    deliveredUpdates: latency.count,
    lost: received.lost,
    duplicated: received.duplicated,
    bytesPerUpdate: received.bytes / (updates * settings.clients),
  };
}

/** Measures the resident memory per idle connection after garbage collection: ours and bare `ws`, in turns. */
export async function measureMemory(load: LoadProcess, settings: Settings, progress: (line: string) => void) {
  const bytes = { bare: [] as number[], gateway: [] as number[] };
  for (let round = 0; round < settings.memoryRounds; round += 1) {
    for (const kind of shuffled(['bare', 'gateway'] as const)) {
      const perConnection = await memoryOf(kind, load, settings);
      bytes[kind].push(perConnection);
      progress(`memory ${kind}: ${Math.round(perConnection)} bytes`);
    }
  }
  return { idleBytes: median(bytes.gateway), idleRatio: median(bytes.gateway) / median(bytes.bare) };
}

async function memoryOf(kind: 'bare' | 'gateway', load: LoadProcess, settings: Settings): Promise<number> {
  const { server, port } = await startServer(kind);
  const name = `memory-${kind}`;
  const clients = { name, kind: clientKind(kind), port };
  await load.call('open', { ...clients, count: Math.ceil(settings.memoryConnections * WARM_SHARE) });
  await wait(SETTLE_MS);
  const before = await server.call('memory');
  await load.call('open', { ...clients, count: settings.memoryConnections });
  await wait(SETTLE_MS);
  const after = await server.call('memory');
  await load.call('close', name);
  await server.stop();
  return (after.rss - before.rss) / settings.memoryConnections;
}

/** Measures the cost of clients that stop reading: for the server's heap, and for the other clients. */
export async function measureStalled(load: LoadProcess, settings: Settings, progress: (line: string) => void) {
  const { server, port } = await startServer('gateway-short');
  const name = 'stalled';
  const count = settings.stalledClients;
  await load.call('open', { name, kind: 'gateway', port, count: count + STALLED_READERS });
  const burst = (frames: number) =>
    server.call('burst', { frames, updatesPerFrame: STALLED_UPDATES, everyMs: STALLED_EVERY_MS });
  const framesPerSecond = 1000 / STALLED_EVERY_MS;
  await load.call('expectAfter', { name, seq: 0, frames: 0 });
  // Until the log has its full size.
  let last = await burst(2 * framesPerSecond);
  const before = await server.call('memory');
  await load.call('stall', { name, count });
  let growth = 0;
  let stalled = 0;
  for (let second = 1; second <= settings.stalledSeconds; second += 1) {
    last = await burst(framesPerSecond);
    const { heap } = await server.call('memory');
    const stats = await server.call('stats');
    growth = Math.max(growth, heap - before.heap);
    stalled = Math.max(stalled, stats.stalled);
    progress(`stalled ${second} s: heap ${((heap - before.heap) / 1024).toFixed(0)} kB more, ${JSON.stringify(stats)}`);
  }
  const received = await load.call('waitForFrame', { name, seq: last });
  const { closedSlow } = await server.call('stats');
  await load.call('close', name);
  await server.stop();
  return {
    stalled,
    closedSlow,
    heapPerClient: growth / count,
    othersLost: received.lost,
    othersDuplicated: received.duplicated,
  };
}
