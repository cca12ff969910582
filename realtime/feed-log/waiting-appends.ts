import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Batch, StreamPosition } from './batch.ts';
import { entryJson, payloadJson } from './entry-text.ts';
import type { FeedEvent } from './feed-log.ts';

/** A batch takes no further append beyond this size, in characters. */
const BATCH_CHARACTERS = 1_000_000;
/** Characters that wait while Redis is away; beyond it they are dropped for a new epoch. */
const WAITING_CHARACTERS = 16 * 1024 * 1024;

/** Events of one `append`, with the JSON of their payloads. */
interface Append {
  resolve(cursor: FeedCursor): void;
  reject(error: Error): void;
  events: readonly { name: FeedEvent['event']; payload: string }[];
  characters: number;
}

/** A batch on its way, with its appends. */
export interface SentBatch {
  batch: Batch;
  appends: readonly Append[];
}

/** Creates the queue of appends that Redis has not acknowledged. */
export function createWaitingAppends() {
  let waiting: Append[] = [];
  let characters = 0;

  function takeAll(sent: SentBatch | null): Append[] {
    const all = [...(sent?.appends ?? []), ...waiting];
    waiting = [];
    characters = 0;
    return all;
  }

  return {
    isEmpty: (): boolean => waiting.length === 0,
    /** Returns true when more waits than may be kept. */
    isFull: (): boolean => characters > WAITING_CHARACTERS,

    /** Adds events. Resolves with the position of the last one. */
    add(events: readonly FeedEvent[]): Promise<FeedCursor> {
      const texts = events.map((event) => ({ name: event.event, payload: payloadJson(event) }));
      const size = texts.reduce((sum, { payload }) => sum + payload.length, 0);
      characters += size;
      return new Promise((resolve, reject) => {
        waiting.push({ events: texts, characters: size, resolve, reject });
      });
    },

    /** Takes the oldest appends and numbers their events from `after` on. `at`: epoch ms. */
    take(after: StreamPosition, at: number): SentBatch {
      const appends: Append[] = [];
      const lines: string[] = [];
      let { seq } = after;
      let size = 0;
      for (const append of waiting) {
        if (size >= BATCH_CHARACTERS) break;
        appends.push(append);
        size += append.characters;
        for (const { name, payload } of append.events) lines.push(entryJson(name, payload, ++seq));
      }
      waiting = waiting.slice(appends.length);
      characters -= size;
      return { batch: { id: { epoch: after.epoch, seq }, first: after.seq + 1, at, lines }, appends };
    },

    /** Drops the events of all appends, and of the batch on its way, and resolves them with `cursor`. */
    drop(sent: SentBatch | null, cursor: FeedCursor): void {
      for (const { resolve } of takeAll(sent)) resolve(cursor);
    },

    /** Rejects all of them. */
    fail(sent: SentBatch | null, error: Error): void {
      for (const { reject } of takeAll(sent)) reject(error);
    },
  };
}
