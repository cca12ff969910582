import { setTimeout as wait } from 'node:timers/promises';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { answer } from './child.ts';
import { startTarget, type Target, type TargetKind } from './targets.ts';
import { createUpdates } from './updates.ts';

/** One server under measurement, in a process of its own. */
const updates = createUpdates();
let target: Target | null = null;

function running(): Target {
  if (!target) throw new Error('no server was started');
  return target;
}

const now = () => Number(process.hrtime.bigint()) / 1e6;

const calls = {
  async start(kind: TargetKind) {
    target = await startTarget(kind);
    return { port: target.port };
  },

  /** User and system CPU time of this process so far, µs. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },

  /** Says `frames` frames, `everyMs` apart so that the kernel keeps up. Returns the number of the last one. */
  async burst({ frames, updatesPerFrame, everyMs }: { frames: number; updatesPerFrame: number; everyMs: number }) {
    const batches = Array.from({ length: frames }, () => updates(updatesPerFrame));
    for (const batch of batches) {
      await running().say(batch);
      await wait(everyMs);
    }
    return running().lastSeq();
  },

  /**
   * Updates are due one by one; every tick says those that are due. Returns when each update of each frame was due (monotonic ms):
   * latency counts from there, so that a late event loop is charged.
   */
  async feed({ perSecond, seconds, tickMs }: { perSecond: number; seconds: number; tickMs: number }) {
    const gapMs = 1000 / perSecond;
    const total = perSecond * seconds;
    const due: number[][] = [];
    const start = now();
    let waiting: { patch: TokenPatch; due: number }[] = [];
    let made = 0;
    for (let tick = 1; made < total || waiting.length > 0; tick += 1) {
      await wait(Math.max(0, start + tick * tickMs - now()));
      while (made < total && start + made * gapMs <= now()) {
        const [patch] = updates(1);
        if (patch) waiting.push({ patch, due: start + made * gapMs });
        made += 1;
      }
      const said = waiting;
      waiting = [];
      if (said.length === 0) continue;
      due.push(said.map((one) => one.due));
      await running().say(said.map((one) => one.patch));
    }
    return due;
  },

  lastSeq: () => running().lastSeq(),
  stats: () => running().stats(),

  /** Memory after garbage collection, bytes. `heap` counts buffers outside the JavaScript heap as well. */
  async memory() {
    // Twice, with a pause: finalizers of the first round free what only the second can collect.
    for (let round = 0; round < 2; round += 1) {
      globalThis.gc?.();
      await wait(50);
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heap: heapUsed + external };
  },
};
export type ServerCalls = typeof calls;

answer(calls);
