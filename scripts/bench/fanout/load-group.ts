import type WebSocket from 'ws';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { type ClientKind, openConnection } from './load-connection.ts';

/** Connections being opened at the same time. */
const IN_FLIGHT = 64;

interface Client {
  socket: WebSocket;
  lastSeq: number;
  isReading: boolean;
}

export type Group = ReturnType<typeof openGroup>;

/** Opens clients of one server with little overhead: they parse only the number of each frame. */
export function openGroup(kind: ClientKind, port: number) {
  const clients: Client[] = [];
  let base = 0;
  let arrivals = new Float64Array(0);
  let recordedFrames = 0;
  let frames = 0;
  let bytes = 0;
  let lost = 0;
  let duplicated = 0;

  function onNumbered(client: Client, index: number, seq: number, time: number, length: number): void {
    frames += 1;
    bytes += length;
    if (seq <= client.lastSeq) {
      duplicated += 1;
      return;
    }
    lost += seq - client.lastSeq - 1;
    client.lastSeq = seq;
    const frame = seq - base - 1;
    if (frame >= 0 && frame < recordedFrames) arrivals[frame * clients.length + index] = time;
  }

  function openOne(cursor: FeedCursor | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = openConnection(
        { kind, port, cursor },
        {
          onWelcome: resolve,
          onNumbered: (seq, length, readAt) => onNumbered(client, index, seq, readAt, length),
        },
      );
      const client: Client = { socket, lastSeq: cursor?.seq ?? base, isReading: true };
      const index = clients.push(client) - 1;
      socket.on('error', reject);
    });
  }

  return {
    /** `cursor`: the position that the clients continue at; null: they have none. */
    async open(count: number, cursor: FeedCursor | null): Promise<void> {
      let left = count;
      const worker = async () => {
        while (left > 0) {
          left -= 1;
          await openOne(cursor);
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    },
    expectAfter(seq: number, recorded: number): void {
      base = seq;
      recordedFrames = recorded;
      arrivals = new Float64Array(recorded * clients.length);
      frames = 0;
      bytes = 0;
      lost = 0;
      duplicated = 0;
      for (const client of clients) client.lastSeq = seq;
    },
    haveAll: (seq: number) => clients.every((client) => !client.isReading || client.lastSeq >= seq),
    /** Returns the totals of the reading clients; `seq` is the last published frame. */
    totals(seq: number) {
      const missing = clients.reduce((sum, client) => sum + (client.isReading ? seq - client.lastSeq : 0), 0);
      return { frames, bytes, lost: lost + missing, duplicated };
    },
    /** Returns the arrival times of a frame at the reading clients, monotonic ms. */
    arrivals: (frame: number) =>
      arrivals.subarray(frame * clients.length, (frame + 1) * clients.length).filter((time) => time > 0),
    stall(count: number): void {
      for (const client of clients.slice(0, count)) {
        client.isReading = false;
        client.socket.pause();
      }
    },
    close(): void {
      for (const { socket } of clients) socket.terminate();
    },
  };
}
