import { setTimeout as wait } from 'node:timers/promises';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { processFigures, serveCalls } from './child.ts';
import { startTarget, type Target, type TargetKind } from './targets.ts';
import { createUpdates } from './updates.ts';

/** The measured server of this process. */
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

  ...processFigures,

  /** Publishes `frames` frames, `everyMs` apart so that the kernel keeps up. Resolves with the number of the last one. */
  async burst({ frames, updatesPerFrame, everyMs }: { frames: number; updatesPerFrame: number; everyMs: number }) {
    const batches = Array.from({ length: frames }, () => updates(updatesPerFrame));
    for (const batch of batches) {
      await running().publish(batch);
      await wait(everyMs);
    }
    return running().lastSeq();
  },

  /**
   * Publishes in each tick the updates that are due. Resolves with the due time of each update of each frame (monotonic ms):
   * latency is measured from there, so that it includes a late event loop.
   */
  async feed({ perSecond, seconds, tickMs }: { perSecond: number; seconds: number; tickMs: number }) {
    const gapMs = 1000 / perSecond;
    const total = perSecond * seconds;
    const due: number[][] = [];
    const start = now();
    let pending: { patch: TokenPatch; due: number }[] = [];
    let created = 0;
    for (let tick = 1; created < total || pending.length > 0; tick += 1) {
      await wait(Math.max(0, start + tick * tickMs - now()));
      while (created < total && start + created * gapMs <= now()) {
        const [patch] = updates(1);
        if (patch) pending.push({ patch, due: start + created * gapMs });
        created += 1;
      }
      const frame = pending;
      pending = [];
      if (frame.length === 0) continue;
      due.push(frame.map((one) => one.due));
      await running().publish(frame.map((one) => one.patch));
    }
    return due;
  },

  lastSeq: () => running().lastSeq(),
  stats: () => running().stats(),
};
export type ServerCalls = typeof calls;

serveCalls(calls);
