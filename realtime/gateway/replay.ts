import type { Logger } from 'pino';
import type { FeedCursor, ResyncReason } from '../../common/live/protocol.ts';
import { rooms, type Topic } from '../../common/live/rooms.ts';
import type { Behind, Client } from '../client.ts';
import type { FeedEntry, FeedLog } from '../feed-log/feed-log.ts';
import type { GatewayLimits } from '../limits.ts';
import { emitTo } from './encoding.ts';
import { queuedBytes, queuedPackets } from './engine-io.ts';
import { joinRoom, leaveRoom } from './membership.ts';
import { topicsOf } from './topics.ts';

/** Entries read from the log at once; a longer replay continues when these have drained. */
const REPLAY_ENTRIES = 256;

const FEED: Topic = rooms.tokens;

interface Deps {
  feedLog: FeedLog;
  limits: GatewayLimits;
  log: Logger;
  /** Returns the position of the last entry that this gateway has emitted to its rooms. */
  position: () => FeedCursor;
}

/**
 * Brings clients up to date (F2, F4, F6): replays the entries they missed, in order and in portions that fit their queue, and
 * joins them to the rooms at the very moment when nothing is missing in between.
 */
export function createReplay({ feedLog, limits, log, position }: Deps) {
  /** Takes the client out of the numbered feed: it catches up from `cursor` first, and then joins `topics`. */
  function fallBehind(client: Client, cursor: FeedCursor, topics = topicsOf(client)): Behind {
    const before = client.behind;
    const behind: Behind = {
      cursor,
      topics,
      // Another position neither restores missed messages nor makes the client faster.
      lost: before?.lost ?? false,
      stalledSince: before?.stalledSince ?? null,
      reading: false,
      closing: before?.closing ?? false,
    };
    client.behind = behind;
    leaveRoom(client, FEED);
    return behind;
  }

  /** Takes a slow client out of all rooms (F6). */
  function suspend(client: Client, now: number): void {
    const behind = client.behind ?? fallBehind(client, position());
    behind.stalledSince = now;
    for (const topic of behind.topics) {
      if (topic !== FEED) behind.lost = true;
      leaveRoom(client, topic);
    }
  }

  function goLive(client: Client, { topics }: Behind): void {
    client.behind = null;
    for (const topic of topics) joinRoom(client, topic);
  }

  function resync(client: Client, behind: Behind, reason: ResyncReason): void {
    client.socket.emit('resync', { reason });
    goLive(client, behind);
  }

  function emitMissed(client: Client, behind: Behind, entries: readonly FeedEntry[]): void {
    for (const entry of entries) {
      // The log may contain entries that this gateway has not emitted yet: they follow with the live feed.
      if (entry.seq > position().seq || isFull(client)) break;
      emitTo(client, entry);
      behind.cursor = { epoch: behind.cursor.epoch, seq: entry.seq };
    }
    // No await between this check and the join, so that nothing is emitted in between.
    if (behind.cursor.seq === position().seq) goLive(client, behind);
  }

  function isFull({ socket }: Client): boolean {
    return queuedPackets(socket.conn) >= limits.queuedPackets || queuedBytes(socket.conn) >= limits.queuedBytes;
  }

  /** Continues the replay of a client whose queue is empty. */
  async function advance(client: Client): Promise<void> {
    const { behind } = client;
    if (!behind || behind.reading || behind.closing) return;
    // Messages without a number cannot be replayed: the client must fetch its lists again.
    if (behind.lost) return resync(client, behind, 'too-old');
    behind.reading = true;
    try {
      const found = await feedLog.since(behind.cursor, REPLAY_ENTRIES);
      // The client may have left meanwhile, or requested another position.
      if (client.behind !== behind || !client.socket.connected) return;
      if ('resync' in found) resync(client, behind, found.resync);
      else if (behind.lost) resync(client, behind, 'too-old');
      else emitMissed(client, behind, found.entries);
    } catch (error) {
      // The client stays behind, and the next sweep retries.
      log.error({ error }, 'feed log read failed, replay waits');
    } finally {
      behind.reading = false;
    }
  }

  return { fallBehind, suspend, advance };
}

/** Makes a client fetch its lists again: one that catches up does so once its queue is empty. */
export function interrupt(client: Client, reason: ResyncReason): void {
  if (client.behind) client.behind.lost = true;
  else client.socket.emit('resync', { reason });
}

export type Replay = ReturnType<typeof createReplay>;
