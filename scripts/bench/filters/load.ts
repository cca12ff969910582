import { createHistogram } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import WebSocket from 'ws';
import { PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import { rooms } from '../../../common/live/rooms.ts';
import { serveCalls } from '../fanout/child.ts';
import { listOf, type Mode } from './tokens.ts';

const FRAME = Buffer.from('42["list-updates",');
/** The last field of a frame. */
const TO = '"to":';
const OPEN = '0'.charCodeAt(0);
const PING = '2'.charCodeAt(0);
const OPENED_AT_ONCE = 32;
/** Time in which a tick's frames arrive, ms. */
const SETTLE_MS = 1_000;

interface Arrivals {
  bytes: number;
  frames: [seq: number, at: number][];
}
const groups = new Map<Mode, { sockets: WebSocket[]; arrivals: Arrivals }>();

/** Opens a client that leaves the feed and follows one list. Resolves when both are acknowledged. */
function follow(port: number, list: string, arrivals: () => Arrivals): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
    origin: `http://127.0.0.1:${port}`,
    headers: { Cookie: 'mintwatch.sid=load' },
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      if (!Buffer.isBuffer(data)) return;
      if (data.subarray(0, FRAME.length).equals(FRAME)) count(data, arrivals());
      else if (data[0] === OPEN) socket.send(`40${JSON.stringify({ protocol: PROTOCOL_VERSION, encoding: 'arrays' })}`);
      else if (data[0] === PING && data.length === 1) socket.send('3');
      else if (joined(socket, String(data), list)) resolve(socket);
    });
  });
}

function count(data: Buffer, arrivals: Arrivals): void {
  const seq = Number.parseInt(data.toString('latin1', data.lastIndexOf(TO) + TO.length), 10);
  arrivals.frames.push([seq, Number(process.hrtime.bigint()) / 1e6]);
  arrivals.bytes += data.length;
}

/** Takes the next step to the list after a message. Returns whether it is the last one. */
function joined(socket: WebSocket, text: string, list: string): boolean {
  const emit = (id: number, name: string, topic: string) => socket.send(`42${id}${JSON.stringify([name, { topic }])}`);
  if (text.startsWith('42["hello"')) emit(1, 'unsubscribe', rooms.tokens);
  else if (text.startsWith('431')) emit(2, 'subscribe', rooms.list(list));
  else if (text.startsWith('432') && !text.includes('"ok":true')) throw new Error(text);
  return text.startsWith('432');
}

const calls = {
  async open({ mode, port, clients, filters }: { mode: Mode; port: number; clients: number; filters: number }) {
    const group = { sockets: [] as WebSocket[], arrivals: { bytes: 0, frames: [] } as Arrivals };
    groups.set(mode, group);
    for (let from = 0; from < clients; from += OPENED_AT_ONCE) {
      const count = Math.min(OPENED_AT_ONCE, clients - from);
      const opening = Array.from({ length: count }, (_, at) =>
        follow(port, listOf(mode, from + at, filters), () => group.arrivals),
      );
      group.sockets.push(...(await Promise.all(opening)));
    }
  },
  begin(mode: Mode) {
    const group = groups.get(mode);
    if (group) group.arrivals = { bytes: 0, frames: [] };
  },
  /** Resolves with the delivered bytes and the latency of all frames, ms. `due`: by number of the feed. */
  async end({ mode, due }: { mode: Mode; due: [seq: number, at: number][] }) {
    await wait(SETTLE_MS);
    const times = new Map(due);
    const { bytes, frames } = groups.get(mode)?.arrivals ?? { bytes: 0, frames: [] };
    const microseconds = createHistogram();
    for (const [seq, at] of frames) {
      const from = times.get(seq);
      if (from !== undefined) microseconds.record(Math.max(1, Math.round((at - from) * 1_000)));
    }
    return {
      bytes,
      frames: frames.length,
      p50: microseconds.percentile(50) / 1_000,
      p99: microseconds.percentile(99) / 1_000,
    };
  },
};
export type LoadCalls = typeof calls;

serveCalls(calls);
