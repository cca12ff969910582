import type { Logger } from 'pino';
import type { AdminStats } from '../../common/admin/model.ts';
import { isAway } from '../../common/errors.ts';
import { SECOND } from '../../common/time.ts';
import type { EventSink } from '../events/bus.ts';
import { isUnavailable } from '../platform/database.ts';
import type { EventLoopMeter, FeedMeter } from './meters.ts';
import type { AdminStatistics } from './stats.ts';
import type { SystemMonitor } from './system-status.ts';

const TICKS_PER_SLOT = 10;
const TICKS_PER_MINUTE = 60;

/** Emits status and statistics once a second while an administrator watches, and keeps the history of minutes. */
export function createAdminLive(deps: {
  stats: Pick<AdminStatistics, 'read'>;
  system: Pick<SystemMonitor, 'status' | 'endMinute'>;
  eventLoop: Pick<EventLoopMeter, 'rotate'>;
  feedMeter: Pick<FeedMeter, 'sample'>;
  bus: EventSink;
  /** Returns false when no administrator watches. */
  isWatched(): boolean;
  log: Logger;
}) {
  const { stats, system, eventLoop, feedMeter, bus, isWatched, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  let isTicking = false;
  let isMinuteOver = false;
  let emitted = '';

  async function emit(): Promise<void> {
    if (!isWatched()) {
      // The next page requests the statistics first, and then receives the changes.
      emitted = '';
      return;
    }
    bus.emit('system-status-changed', await system.status());
    const current = await stats.read();
    const changes = relevantChanges(current, ticks);
    if (changes === emitted) return;
    emitted = changes;
    bus.emit('admin-stats-changed', current);
  }

  /** Runs one second; resolves after its events. */
  async function tick(): Promise<void> {
    ticks += 1;
    feedMeter.sample();
    if (ticks % TICKS_PER_SLOT === 0) eventLoop.rotate();
    if (ticks % TICKS_PER_MINUTE === 0) isMinuteOver = true;
    // A slow database skips seconds instead of queueing them.
    if (isTicking) return;
    isTicking = true;
    try {
      if (isMinuteOver) await system.endMinute();
      isMinuteOver = false;
      await emit();
    } catch (error) {
      // The status shows that MongoDB is away; the next second retries.
      if (!isAway(error) && !isUnavailable(error)) log.error({ error }, 'admin statistics not emitted');
    } finally {
      isTicking = false;
    }
  }

  return {
    tick,
    start(): void {
      timer ??= setInterval(() => void tick(), SECOND);
      timer.unref();
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}

/** Returns a text that changes with the statistics. The time of a token scan changes all the time: it counts every ten seconds. */
function relevantChanges({ users, tokens, scanners }: AdminStats, ticks: number): string {
  const scan = Math.floor(ticks / TICKS_PER_SLOT);
  return JSON.stringify([users, tokens, scanners.lastXPostScan, scanners.lastTokenScan !== null ? scan : null]);
}
