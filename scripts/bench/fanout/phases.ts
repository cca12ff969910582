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

const CLIENTS: Record<TargetKind, ClientKind> = {
  gateway: 'gateway',
  'gateway-named': 'gateway-named',
  'gateway-short': 'gateway',
  'event-per-update': 'socketio',
  bare: 'bare',
  'bare-control': 'bare',
};

/** Opens this number of further clients of a server, in the group of its kind. */
const openClients = (load: LoadProcess, { kind, port }: Running, count: number) =>
  load.call('open', { name: kind, kind: CLIENTS[kind], port, count });

async function stopServer(load: LoadProcess, { server, kind }: Running): Promise<void> {
  await load.call('close', kind);
  await server.stop();
}

/** Runs `work` with a server and its first clients, which end after it. */
async function withServer<Result>(
  load: LoadProcess,
  { kind, clients }: { kind: TargetKind; clients: number },
  work: (running: Running) => Promise<Result>,
): Promise<Result> {
  const running = await startServer(kind);
  await openClients(load, running, clients);
  const result = await work(running);
  await stopServer(load, running);
  return result;
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
    await openClients(load, running, settings.clients);
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
  for (const running of servers) await stopServer(load, running);
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
export function measureFeed(kind: 'gateway' | 'gateway-named' | 'bare', load: LoadProcess, settings: Settings) {
  const { clients, seconds, tickMs, updatesPerSecond: perSecond } = settings;
  return withServer(load, { kind, clients }, async ({ server }) => {
    const ticks = Math.ceil((seconds * 1000) / tickMs) + 10;
    await load.call('expectAfter', { name: kind, seq: 0, frames: ticks });
    const due = await server.call('feed', { perSecond, seconds, tickMs });
    const { lost, duplicated, bytes } = await load.call('waitForFrame', { name: kind, seq: due.length });
    const latency = await load.call('latency', { name: kind, due });
    const updates = due.flat().length;
    const bytesPerUpdate = bytes / (updates * clients);
    return { ...latency, updates, deliveredUpdates: latency.count, lost, duplicated, bytesPerUpdate };
  });
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

function memoryOf(kind: 'bare' | 'gateway', load: LoadProcess, { memoryConnections }: Settings): Promise<number> {
  return withServer(load, { kind, clients: Math.ceil(memoryConnections * WARM_SHARE) }, async (running) => {
    await wait(SETTLE_MS);
    const before = await running.server.call('memory');
    await openClients(load, running, memoryConnections);
    await wait(SETTLE_MS);
    const after = await running.server.call('memory');
    return (after.rss - before.rss) / memoryConnections;
  });
}

/** Measures the cost of clients that stop reading: for the server's heap, and for the other clients. */
export function measureStalled(load: LoadProcess, settings: Settings, progress: (line: string) => void) {
  const clients = settings.stalledClients + STALLED_READERS;
  return withServer(load, { kind: 'gateway-short', clients }, (running) =>
    stalledOf(running, load, settings, progress),
  );
}

async function stalledOf(
  { server, kind: name }: Running,
  load: LoadProcess,
  { stalledClients: count, stalledSeconds }: Settings,
  progress: (line: string) => void,
) {
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
  for (let second = 1; second <= stalledSeconds; second += 1) {
    last = await burst(framesPerSecond);
    const { heap } = await server.call('memory');
    const stats = await server.call('stats');
    growth = Math.max(growth, heap - before.heap);
    stalled = Math.max(stalled, stats.stalled);
    progress(`stalled ${second} s: heap ${((heap - before.heap) / 1024).toFixed(0)} kB more, ${JSON.stringify(stats)}`);
  }
  const received = await load.call('waitForFrame', { name, seq: last });
  const { closedSlow } = await server.call('stats');
  return {
    stalled,
    closedSlow,
    heapPerClient: growth / count,
    othersLost: received.lost,
    othersDuplicated: received.duplicated,
  };
}
