import { createGrowingCache } from '../../platform/growing-cache.ts';
import type { TradeAlert } from './trade-alert.ts';

/** Alerts of one write. */
const BATCH = 100;
/** Alerts that wait. */
const WAITING_MAX = 10_000;
/** Alerts that are remembered as stored, so that the other events of their order cost nothing. */
const DONE_MAX = 20_000;

/** Alerts that wait to be stored, each once. */
export interface Backlog {
  /** Adds an alert, unless it waits or was stored. Beyond the bound it is dropped. */
  offer(alert: TradeAlert): void;
  /** Resolves when there is room again. */
  room(): Promise<void>;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
  /** Returns how many alerts were dropped, or could not be stored, so far. */
  lost(): number;
}

/** `write` stores a batch; a failure loses it, after `onError`. Nothing is written after `signal` has aborted. */
export function createBacklog(deps: {
  write(alerts: readonly TradeAlert[]): Promise<void>;
  onError(error: unknown): void;
  signal: AbortSignal;
}): Backlog {
  const { write, onError, signal } = deps;
  const waiting = new Map<string, TradeAlert>();
  const done = createGrowingCache<true>(DONE_MAX);
  let isWriting = false;
  let writing: Promise<void> = Promise.resolve();
  let lost = 0;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.size > 0 && !signal.aborted) {
      const batch = [...waiting].slice(0, BATCH);
      try {
        await write(batch.map(([, alert]) => alert));
        for (const [key] of batch) done.set(key, true);
      } catch (error) {
        lost += batch.length;
        onError(error);
      }
      for (const [key] of batch) waiting.delete(key);
    }
    isWriting = false;
  }

  return {
    offer(alert) {
      const key = `${alert.userId} ${alert.type} ${alert.ref}`;
      if (signal.aborted || done.has(key) || waiting.has(key)) return;
      if (waiting.size >= WAITING_MAX) {
        lost += 1;
        return;
      }
      waiting.set(key, alert);
      if (!isWriting) writing = writeAll();
    },
    async room() {
      if (waiting.size >= WAITING_MAX / 2) await writing;
    },
    settled: () => writing,
    lost: () => lost,
  };
}
