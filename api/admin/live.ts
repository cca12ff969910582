import type { Logger } from 'pino';
import type { AdminStats } from '../../common/admin/model.ts';
import { isAway } from '../../common/errors.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import { isUnavailable } from '../platform/database.ts';
import type { EventLoopMeter } from './event-loop.ts';
import type { AdminStatistics } from './stats.ts';
import type { SystemMonitor } from './system-status.ts';

const SECOND = 1_000;
const TICKS_PER_TURN = 10;
const TICKS_PER_MINUTE = 60;

export interface AdminLiveDeps {
  stats: Pick<AdminStatistics, 'follow'>;
  system: Pick<SystemMonitor, 'status' | 'endMinute'>;
  eventLoop: Pick<EventLoopMeter, 'turn'>;
  publisher: Pick<Publisher, 'send' | 'listens'>;
  log: Logger;
}

/** Tells administrators how things stand, once a second and only while one of them listens; and keeps the minutes. */
export interface AdminLive {
  start(): void;
  stop(): void;
  /** One second. Resolves when what is to be said is said. */
  tick(): Promise<void>;
}

export function createAdminLive({ stats, system, eventLoop, publisher, log }: AdminLiveDeps): AdminLive {
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  let isTicking = false;
  let isMinuteOver = false;
  let told = '';

  async function tell(): Promise<void> {
    if (!publisher.listens('admin')) {
      // Whoever comes next asks first, and hears of changes from then on.
      told = '';
      return;
    }
    publisher.send('system-status', 'admin', await system.status());
    const now = await stats.follow();
    const text = essence(now, ticks);
    if (text === told) return;
    told = text;
    publisher.send('admin-stats', 'admin', now);
  }

  async function tick(): Promise<void> {
    ticks += 1;
    if (ticks % TICKS_PER_TURN === 0) eventLoop.turn();
    if (ticks % TICKS_PER_MINUTE === 0) isMinuteOver = true;
    // A slow database makes the next second be left out, not queued.
    if (isTicking) return;
    isTicking = true;
    try {
      if (isMinuteOver) await system.endMinute();
      isMinuteOver = false;
      await tell();
    } catch (error) {
      // The status itself says that MongoDB is away; the next second tries again.
      if (!isAway(error) && !isUnavailable(error)) log.error({ error }, 'administrators could not be told');
    } finally {
      isTicking = false;
    }
  }

  return {
    tick,
    start() {
      timer ??= setInterval(() => void tick(), SECOND);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** What counts as a change. A market that streams is heard every moment: that alone is told every ten seconds. */
function essence({ users, tokens, scanners }: AdminStats, ticks: number): string {
  const scan = Math.floor(ticks / TICKS_PER_TURN);
  return JSON.stringify([users, tokens, scanners.lastXPostScan, scanners.lastTokenScan !== null ? scan : null]);
}
