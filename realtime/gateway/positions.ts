import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import type { GatewayLimits } from '../limits.ts';
import { closeConnection } from './engine-io.ts';
import { isList, topicsOf } from './topics.ts';

/** WebSocket close code and reason for a client that has missed events without a sign of it (F9). */
const BEHIND_CLOSE = { code: 4009, reason: 'behind' } as const;

export type Positions = ReturnType<typeof createPositions>;

/** Compares the positions that live clients report with those that this gateway had some time ago (F9). */
export function createPositions(deps: { position: () => FeedCursor; limits: GatewayLimits; clock: Clock }) {
  const { position, limits, clock } = deps;
  /** Positions of this gateway, oldest first; all but the first are younger than the limit. */
  let marks: { at: number; cursor: FeedCursor }[] = [];

  return {
    /** Remembers the present position. To be called at intervals. */
    mark(): void {
      const at = clock.now();
      marks.push({ at, cursor: position() });
      const last = marks.findLastIndex((mark) => mark.at <= at - limits.behindMs);
      if (last > 0) marks = marks.slice(last);
    },
    /**
     * Closes a live client whose position is older than this gateway's of `behindMs` ago, or of another epoch than that and the
     * present one. It connects again and catches up.
     */
    check(client: Client, reported: FeedCursor): void {
      const [oldest] = marks;
      if (oldest === undefined || oldest.at > clock.now() - limits.behindMs) return;
      // While it catches up, or does not follow the feed, its position is its own affair.
      if (client.behind !== null || !follows(client)) return;
      const { cursor } = oldest;
      const isBehind =
        reported.epoch === cursor.epoch ? reported.seq < cursor.seq : reported.epoch !== position().epoch;
      if (!isBehind) return;
      closeConnection(client.socket.conn, BEHIND_CLOSE.code, BEHIND_CLOSE.reason);
    },
  };
}

/** Returns whether a client gets the feed, or the events of lists, which carry its positions, too. */
function follows(client: Client): boolean {
  return client.isLive || [...topicsOf(client)].some(isList);
}
