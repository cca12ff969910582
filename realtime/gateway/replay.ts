import type { Logger } from 'pino';
import type { FeedCursor, ResyncReason } from '../../common/live/protocol.ts';
import { rooms, type Topic } from '../../common/live/rooms.ts';
import type { Behind, Client, Io } from '../client.ts';
import type { FeedEntry, FeedLog } from '../feed-log/feed-log.ts';
import { replayEntry } from '../feeds.ts';
import type { GatewayLimits } from '../limits.ts';
import { queuedBytes, queuedPackets } from './engine-io.ts';
import { topicsOf } from './topics.ts';

/** Entries read from the log at once; a longer replay goes on when these have drained. */
const REPLAY_ENTRIES = 256;

const FEED: Topic = rooms.tokens;

interface Deps {
  io: Io;
  feedLog: FeedLog;
  limits: GatewayLimits;
  log: Logger;
  /** The place of the last entry that this gateway has said to its live rooms. */
  position: () => FeedCursor;
}

/**
 * Brings clients up to date (F2, F4, F6): replays what they missed, in order and in portions that their queue can hold, and lets them
 * hear the live rooms in the very moment when nothing is missing between the two.
 */
export function createResume({ io, feedLog, limits, log, position }: Deps) {
  /** Takes the client out of the numbered feed: it has to catch up from `cursor` first, and then hears `topics`. */
  function fallBehind(client: Client, cursor: FeedCursor, topics = topicsOf(client)): Behind {
    const before = client.behind;
    const behind: Behind = {
      cursor,
      topics,
      // Asking for another place does not bring back what has passed it by, nor make it any faster.
      lost: before?.lost ?? false,
      stalledSince: before?.stalledSince ?? null,
      reading: false,
      closing: before?.closing ?? false,
    };
    client.behind = behind;
    void client.socket.leave(FEED);
    return behind;
  }

  /** Takes a client that does not keep up out of everything (F6). */
  function fallSilent(client: Client, now: number): void {
    const behind = client.behind ?? fallBehind(client, position());
    behind.stalledSince = now;
    for (const topic of behind.topics) {
      if (topic !== FEED) behind.lost = true;
      void client.socket.leave(topic);
    }
  }

  function goLive(client: Client, { topics }: Behind): void {
    client.behind = null;
    void client.socket.join([...topics]);
  }

  function startOver(client: Client, behind: Behind, reason: ResyncReason): void {
    client.socket.emit('resync', { reason });
    goLive(client, behind);
  }

  function replay(client: Client, behind: Behind, entries: readonly FeedEntry[]): void {
    for (const entry of entries) {
      // The log may know of entries that this gateway has not said yet: it says them when their turn comes.
      if (entry.seq > position().seq || isFull(client)) break;
      replayEntry(io, client.socket.id, entry);
      behind.cursor = { epoch: behind.cursor.epoch, seq: entry.seq };
    }
    // No await between this look and the join, so that nothing can be said in between.
    if (behind.cursor.seq === position().seq) goLive(client, behind);
  }

  function isFull({ socket }: Client): boolean {
    return queuedPackets(socket.conn) >= limits.queuedPackets || queuedBytes(socket.conn) >= limits.queuedBytes;
  }

  /** Goes on with a client that is behind and whose queue is empty. */
  async function advance(client: Client): Promise<void> {
    const { behind } = client;
    if (!behind || behind.reading || behind.closing) return;
    // The client can't ask again for messages without a number: it has to fetch everything anew.
    if (behind.lost) return startOver(client, behind, 'too-old');
    behind.reading = true;
    try {
      const found = await feedLog.since(behind.cursor, REPLAY_ENTRIES);
      // Meanwhile it may have left, or asked for another place.
      if (client.behind !== behind || !client.socket.connected) return;
      if ('entries' in found) replay(client, behind, found.entries);
      else startOver(client, behind, found.resync);
    } catch (error) {
      // The client stays behind, and the next sweep tries again.
      log.error({ error }, 'the feed log could not be read for a replay');
    } finally {
      behind.reading = false;
    }
  }

  return { fallBehind, fallSilent, advance };
}
export type Resume = ReturnType<typeof createResume>;
