import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import type { FeedLog } from '../feed-log/feed-log.ts';
import type { GatewayLimits } from '../limits.ts';
import { closeConnection } from './engine-io.ts';

/** WebSocket close code and reason while this gateway does not follow the feed (F10). */
const AWAY_CLOSE = { code: 4010, reason: 'unavailable' } as const;

/** Closes all sockets, and has new ones refused, while the feed is away: their clients poll instead of showing old data as live (F10). */
export function createAvailability(deps: {
  feedLog: FeedLog;
  clients: ReadonlySet<Client>;
  limits: GatewayLimits;
  clock: Clock;
}) {
  const { feedLog, clients, limits, clock } = deps;
  let followedAt = clock.now();
  let isAway = false;

  return {
    isAvailable: (): boolean => !isAway,
    /** To be called at intervals. */
    check(): void {
      const now = clock.now();
      if (feedLog.isFollowing()) {
        followedAt = now;
        isAway = false;
      } else if (!isAway && now - followedAt > limits.awayMs) {
        isAway = true;
        for (const { socket } of clients) closeConnection(socket.conn, AWAY_CLOSE.code, AWAY_CLOSE.reason);
      }
    },
  };
}
