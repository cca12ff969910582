import type { Socket } from 'node:net';
import { type ClientKind, Connection } from './load-connection.ts';

/** Connections being opened at the same time. */
const IN_FLIGHT = 64;
const READ_BUFFER_BYTES = 256 * 1024;
interface Client {
  socket: Socket;
  lastSeq: number;
  isReading: boolean;
}

export type Group = ReturnType<typeof openGroup>;

/** Clients of one server, as cheap as Node makes them: one read buffer for all, and of every frame only its number is looked at. */
export function openGroup(kind: ClientKind, port: number) {
  const clients: Client[] = [];
  /** All reads of a process come one after another, so one buffer serves them all. */
  const readBuffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
  let base = 0;
  let arrivals = new Float64Array(0);
  let keptFrames = 0;
  let frames = 0;
  let bytes = 0;
  let lost = 0;
  let doubled = 0;
  let closed = 0;

  function onNumbered(client: Client, index: number, seq: number, time: number, length: number): void {
    frames += 1;
    bytes += length;
    if (seq <= client.lastSeq) {
      doubled += 1;
      return;
    }
    lost += seq - client.lastSeq - 1;
    client.lastSeq = seq;
    const frame = seq - base - 1;
    if (frame >= 0 && frame < keptFrames) arrivals[frame * clients.length + index] = time;
  }

  function openOne(): Promise<void> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(kind, port, readBuffer);
      const client: Client = { socket: connection.socket, lastSeq: base, isReading: true };
      const index = clients.push(client) - 1;
      connection.onWelcome = resolve;
      connection.onNumbered = (seq, length) => onNumbered(client, index, seq, connection.readAt, length);
      connection.socket.on('error', reject);
      connection.socket.on('close', () => {
        closed += 1;
      });
    });
  }

  return {
    async open(count: number): Promise<void> {
      let left = count;
      const worker = async () => {
        while (left > 0) {
          left -= 1;
          await openOne();
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    },
    expectAfter(seq: number, keep: number): void {
      base = seq;
      keptFrames = keep;
      arrivals = new Float64Array(keep * clients.length);
      frames = 0;
      bytes = 0;
      lost = 0;
      doubled = 0;
      for (const client of clients) client.lastSeq = seq;
    },
    haveAll: (seq: number) => clients.every((client) => !client.isReading || client.lastSeq >= seq),
    /** What reading clients got so far, when `seq` is the last frame that was said. */
    totals(seq: number) {
      const missing = clients.reduce((sum, client) => sum + (client.isReading ? seq - client.lastSeq : 0), 0);
      return { frames, bytes, lost: lost + missing, doubled, closed, clients: clients.length };
    },
    /** When a frame arrived at each client that reads, monotonic ms. */
    arrivals: (frame: number) =>
      arrivals.subarray(frame * clients.length, (frame + 1) * clients.length).filter((time) => time > 0),
    stall(count: number): void {
      for (const client of clients.slice(0, count)) {
        client.isReading = false;
        client.socket.pause();
      }
    },
    close(): void {
      for (const { socket } of clients) socket.destroy();
    },
  };
}
