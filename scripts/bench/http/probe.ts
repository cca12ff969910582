import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { z } from 'zod';
import { PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import { serveCalls } from '../fanout/child.ts';
import { percentile } from '../measure.ts';

/** An ordinary user in a process of their own: reads a page's data now and then, and follows the live feed. */
const READ_EVERY_MS = 50;
const PATH = '/api/settings';

const frame = z.object({ at: z.number() });
let socket: Socket | null = null;
let latencies: number[] = [];

/** Reads one address on a connection of its own. Resolves with the status once the whole body is there. */
function readStatus(url: string, cookie: string): Promise<string> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, headers: { Cookie: cookie } }, (response) => {
      response.resume().on('close', () => resolve(response.complete ? String(response.statusCode) : 'failed'));
    });
    request.on('error', () => resolve('failed'));
  });
}

const calls = {
  /** Opens the live connection. */
  async open({ url, cookie }: { url: string; cookie: string }) {
    const opened = io(url, {
      transports: ['websocket'],
      extraHeaders: { cookie },
      auth: { protocol: PROTOCOL_VERSION },
    });
    socket = opened;
    opened.on('token-updates', (update: unknown) => {
      // The tick's time: both processes read the same clock.
      latencies.push(Date.now() - frame.parse(update).at);
    });
    await new Promise<void>((resolve) => opened.once('hello', () => resolve()));
  },

  /** Reads for `seconds` at a steady pace, also while responses are slow. Times in ms. */
  async watch({ url, cookie, seconds }: { url: string; cookie: string; seconds: number }) {
    latencies = [];
    const times: number[] = [];
    const statuses: Record<string, number> = {};
    const pending: Promise<void>[] = [];
    const begin = performance.now();
    for (let due = begin; due < begin + seconds * 1_000; due += READ_EVERY_MS) {
      await wait(Math.max(0, due - performance.now()));
      pending.push(read(due));
    }
    await Promise.all(pending);

    async function read(due: number): Promise<void> {
      const status = await readStatus(url + PATH, cookie);
      times.push(performance.now() - due);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }

    return {
      reads: times.length,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      statuses,
      feedFrames: latencies.length,
      feedP50: percentile(latencies, 0.5),
      feedP99: percentile(latencies, 0.99),
    };
  },

  close(_input: null) {
    socket?.close();
  },
};
export type ProbeCalls = typeof calls;

serveCalls(calls);
