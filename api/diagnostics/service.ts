import type { Logger } from 'pino';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { type Clock, SECOND } from '../../common/time.ts';
import type { EventBus } from '../events/bus.ts';
import type { CachedValue } from '../platform/cached-value.ts';
import type { Coverage } from './coverage.ts';
import type { TokenCounts } from './token-counts.ts';

/** Unchanged statistics are emitted this often, in seconds: ages change without an event. */
const SECONDS_UNCHANGED = 10;

/** Completeness and latency of the detection. */
export type Diagnostics = ReturnType<typeof createDiagnostics>;

export function createDiagnostics(deps: {
  counts: CachedValue<TokenCounts>;
  coverage: Pick<Coverage, 'tick' | 'figures'>;
  bus: Pick<EventBus, 'on' | 'emit'>;
  /** Returns false when no client watches the statistics. */
  isWatched(): boolean;
  clock: Clock;
  log: Logger;
}) {
  const { counts, coverage, bus, isWatched, clock, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};
  let isEmitting = false;
  let emitted = { at: Number.NEGATIVE_INFINITY, text: '' };

  /** Rejects when MongoDB is away. */
  async function stats(): Promise<DetectionStats> {
    const tokens = await counts.read();
    return { at: new Date(clock.now()).toISOString(), ...tokens, coverage: coverage.figures() };
  }

  async function emitStats(): Promise<void> {
    const current = await stats();
    const now = clock.now();
    const text = JSON.stringify({ ...current, at: '' });
    if (text === emitted.text && now - emitted.at < SECONDS_UNCHANGED * SECOND) return;
    emitted = { at: now, text };
    bus.emit('detection-stats-changed', current);
  }

  async function tick(): Promise<void> {
    coverage.tick();
    // A slow database skips seconds instead of queueing them.
    if (isEmitting || !isWatched()) return;
    isEmitting = true;
    try {
      await emitStats();
    } catch (error) {
      // The next second retries; the database module logs that MongoDB is away.
      log.debug({ error }, 'detection statistics not counted');
    } finally {
      isEmitting = false;
    }
  }

  return {
    stats,
    start(): void {
      unsubscribe = bus.on('token-removed', () => counts.clear());
      timer = setInterval(() => void tick(), SECOND);
      timer.unref();
    },
    stop(): void {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
