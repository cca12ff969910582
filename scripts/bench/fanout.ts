import os from 'node:os';
import { parseArgs } from 'node:util';
import { canPin } from './fanout/child.ts';
import { compareCosts, measureFeed, measureMemory, measureStalled, type Settings, startLoad } from './fanout/phases.ts';
import { rounded } from './fanout/statistics.ts';
import { describeMachine } from './measure.ts';

/**
 * `npm run bench:fanout`: the cost of publishing 200 token updates a second to 1,000 clients. Prints one JSON line; progress
 * goes to stderr. `--quick` is a short run with few clients, which tests the benchmark and measures nothing.
 */
const FULL: Settings = {
  clients: 1_000,
  updatesPerSecond: 200,
  seconds: 30,
  tickMs: 100,
  repetitions: 11,
  framesPerRepetition: 25,
  // More than the other clients: with few connections, V8's reserve hides the memory of a connection.
  memoryConnections: 5_000,
  memoryRounds: 3,
  stalledClients: 10,
  stalledSeconds: 45,
};
const QUICK: Settings = {
  ...FULL,
  clients: 20,
  seconds: 1,
  repetitions: 1,
  framesPerRepetition: 5,
  memoryConnections: 20,
  memoryRounds: 1,
  stalledClients: 2,
  stalledSeconds: 1,
};

/** Bounds of a server's ratio to itself; a comparison outside them is void. */
const CONTROL = { min: 0.9, max: 1.1 };
const ATTEMPTS = 4;
/** Mean size of an update as an array, on the wire without compression. */
const MAX_BYTES = 60;
const MIB = 1024 * 1024;

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const isQuick = values.quick;
const settings = isQuick ? QUICK : FULL;
const progress = (line: string) => process.stderr.write(`${line}\n`);

interface Figure {
  value: number;
  bar: string;
  pass: boolean;
}

const atMost = (value: number, bar: number, unit = ''): Figure => ({
  value: rounded(value, 4),
  bar: `<= ${bar}${unit && ` ${unit}`}`,
  pass: value <= bar,
});

function isVoid(control: number): boolean {
  return !(control >= CONTROL.min && control <= CONTROL.max);
}

async function costs() {
  for (let attempt = 1; ; attempt += 1) {
    const load = startLoad();
    const result = await compareCosts(load, settings, progress);
    await load.stop();
    if (!isVoid(result.control) || isQuick || attempt === ATTEMPTS) return { ...result, attempt };
    progress(`void: the A/A control is ${result.control.toFixed(3)}; repeating`);
  }
}

async function main(): Promise<void> {
  const loadAverageBefore = os.loadavg();
  const cost = await costs();
  const load = startLoad();
  const feed = await measureFeed('gateway', load, settings);
  progress(`feed: ${JSON.stringify(feed)}`);
  const bareFeed = await measureFeed('bare', load, settings);
  progress(`feed over bare ws: ${JSON.stringify(bareFeed)}`);
  // Named fields have to miss the bar of arrays: otherwise it would measure nothing.
  const namedFeed = await measureFeed('gateway-named', load, { ...settings, seconds: Math.min(settings.seconds, 5) });
  progress(`feed of named fields: ${JSON.stringify(namedFeed)}`);
  const memory = await measureMemory(load, settings, progress);
  const stalled = await measureStalled(load, settings, progress);
  await load.stop();

  const figures = {
    cpuPerFrameToBareWs: atMost(cost.framesRatio, 1.176),
    cpuPerUpdateToEventPerUpdate: atMost(cost.updatesRatio, 0.1),
    p99Ms: atMost(feed.p99, settings.tickMs + 40, 'ms'),
    lost: atMost(feed.lost + cost.lost, 0),
    doubled: atMost(feed.duplicated, 0),
    bytesPerUpdate: atMost(feed.bytesPerUpdate, MAX_BYTES, 'bytes'),
    bytesPerUpdateNamed: {
      value: rounded(namedFeed.bytesPerUpdate, 4),
      bar: `> ${MAX_BYTES} bytes`,
      pass: namedFeed.bytesPerUpdate > MAX_BYTES,
    },
    memoryPerConnectionToBareWs: atMost(memory.idleRatio, 1.9),
    heapPerStalledClientMiB: atMost(stalled.heapPerClient / MIB, 1, 'MiB'),
    lostByOthersWhileStalled: atMost(stalled.othersLost + stalled.othersDuplicated, 0),
  } satisfies Record<string, Figure>;
  const control = {
    value: rounded(cost.control, 4),
    bar: '0.9–1.1',
    void: isVoid(cost.control),
    attempts: cost.attempt,
  };

  const report = {
    bench: 'fanout',
    quick: isQuick,
    pass: !control.void && Object.values(figures).every(({ pass }) => pass),
    control,
    figures,
    details: { usPerFrame: cost.usPerFrame, feed, bareFeed, namedFeed, memory, stalled },
    settings,
    machine: { ...describeMachine(loadAverageBefore), pinned: canPin },
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  // A missed bar is a result; a void run is not.
  if (control.void && !isQuick) process.exitCode = 1;
}

await main();
