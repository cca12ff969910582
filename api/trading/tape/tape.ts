import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MINUTE, SECOND } from '../../../common/time.ts';
import type { TapeState } from '../../../common/trading/status.ts';
import type { Change, TapeSink } from '../plans/core/model.ts';
import { createTapeDisk, type TapeItem, type TapeLimits } from './disk.ts';
import { makeFolder } from './files.ts';
import { hourEnd, hourOf, recordedOf } from './format.ts';

/** The tape while the server runs: it is written beside the work of the server, and gives way to it. */
export interface Tape extends TapeSink {
  start(): Promise<void>;
  /** Resolves once everything recorded so far can be read. */
  flush(): Promise<void>;
  /** Resolves once the file is closed. */
  stop(): Promise<void>;
  /** Returns how many steps were left out since the start. */
  leftOut(): number;
  /** Returns whether steps are recorded, or why not, and the time of the last one written (epoch ms; null before the first one). */
  state(): { state: TapeState; lastAt: number | null };
}

export interface TapeDeps {
  dir: string;
  limits: TapeLimits;
  /** Returns changes that build the present state of the core. Called within `record`, at the begin of an hour and after a gap. */
  snapshot(): readonly Change[];
  log: Logger;
  /** Changes that may wait to be written; beyond it steps are left out. Default: 200,000. */
  waitingMax?: number;
}

/** About 20 s of a very busy market. */
const WAITING_MAX = 200_000;
const FLUSH_MS = 2 * SECOND;
/** Pause after an error of the disk, ms. */
const DISK_PAUSE = MINUTE;

export function createTape(deps: TapeDeps): Tape {
  const { dir, limits, snapshot, log, waitingMax = WAITING_MAX } = deps;
  const disk = createTapeDisk(dir, limits);
  /** Hour whose begin was recorded; null before the first one. */
  let begun: string | null = null;
  /** Whether steps were left out since the last one that was recorded. */
  let hasGap = false;
  /** Epoch ms before which nothing is recorded, and why. */
  let notBefore = 0;
  let paused: 'disk' | 'full' = 'disk';
  let latest = 0;
  let leftOut = 0;
  let timer: NodeJS.Timeout | undefined;
  const queue = createQueue({
    write: disk.write,
    async failed(error) {
      log.warn({ error }, 'tape not written, pausing');
      hasGap = true;
      notBefore = latest + DISK_PAUSE;
      paused = 'disk';
      await disk.close().catch(() => {});
    },
  });

  /** Does the regular work: hands written entries to the system, and removes old hours. */
  async function round(): Promise<void> {
    await queue.run(async () => {
      await disk.flush();
      if (begun === null || (await disk.prune(latest)) || notBefore > latest) return;
      hasGap = true;
      notBefore = hourEnd(hourOf(latest));
      paused = 'full';
      log.warn({ limit: limits.bytes }, 'tape full, pausing until the next hour');
    });
  }

  return {
    record(now, changes) {
      if (timer === undefined) return;
      latest = now;
      const isFull = now < notBefore || queue.waiting() > (hasGap ? 0 : waitingMax);
      if (isFull) {
        hasGap = true;
        leftOut += 1;
        return;
      }
      const hour = hourOf(now);
      if (hour !== begun || hasGap) {
        queue.push({ type: 'begin', at: now, changes: recorded(snapshot()) });
        begun = hour;
        hasGap = false;
      }
      queue.push({ type: 'tick', now, changes: recorded(changes) });
    },
    async start() {
      await makeFolder(dir);
      // A new file, before which the reader marks the gap.
      begun = null;
      timer ??= setInterval(() => void round(), FLUSH_MS);
      timer.unref();
    },
    flush: () => queue.run(disk.flush),
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await queue.run(disk.close);
    },
    leftOut: () => leftOut,
    state() {
      const lastAt = disk.writtenAt();
      if (!hasGap) return { state: begun === null ? 'waiting' : 'recording', lastAt };
      return { state: latest < notBefore ? paused : 'behind', lastAt };
    },
  };
}

function recorded(changes: readonly Change[]): Change[] {
  return changes.flatMap((change) => recordedOf(change) ?? []);
}

interface Queue {
  push(item: TapeItem): void;
  /** Returns the number of changes that are not written yet. */
  waiting(): number;
  /** Runs something after everything that waits. A failure is handled as one of a write. */
  run(work: () => Promise<void>): Promise<void>;
}

/** Writes items one after the other, after the turn in which they were pushed. After a failure the rest of what waits is lost. */
function createQueue(deps: { write(item: TapeItem): Promise<void>; failed(error: unknown): Promise<void> }): Queue {
  let items: TapeItem[] = [];
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  async function drain(): Promise<void> {
    await nextTurn();
    const batch = items;
    items = [];
    try {
      for (const item of batch) {
        await deps.write(item);
        waiting -= sizeOf(item);
      }
    } catch (error) {
      await fail(error);
    }
  }

  function fail(error: unknown): Promise<void> {
    items = [];
    waiting = 0;
    return deps.failed(error);
  }

  return {
    push(item) {
      items.push(item);
      waiting += sizeOf(item);
      // Those pushed in the meantime go with it.
      if (items.length === 1) last = last.then(drain);
    },
    waiting: () => waiting,
    run(work) {
      last = last.then(work).catch(fail);
      return last;
    },
  };
}

const sizeOf = ({ changes }: TapeItem): number => changes.length + 1;
