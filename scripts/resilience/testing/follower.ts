import { io } from 'socket.io-client';
import { type FeedCursor, PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import type { LiveClient } from '../product.ts';

const feedEvents = ['new-token', 'token-updates', 'runner', 'might-run', 'tokens-removed'] as const;

/** Follows the feed with a connection that is lost and made again by the test. `address`: its own behind a proxy. */
export function createFollower(url: string, cookie: string, address = '127.0.0.1') {
  /** Of each feed event, across its connections. */
  const numbers: number[] = [];
  let resyncs = 0;
  let cursor: FeedCursor | null = null;
  let socket = connect(cookie);

  function connect(cookie: string): LiveClient {
    const opened: LiveClient = io(url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders: { cookie, 'x-forwarded-for': address },
      auth: { protocol: PROTOCOL_VERSION, ...cursor },
    });
    opened.on('hello', ({ epoch, seq }) => {
      cursor ??= { epoch, seq };
    });
    opened.on('resync', () => {
      resyncs += 1;
    });
    for (const event of feedEvents) {
      opened.on(event, ({ seq }: { seq: number }) => {
        numbers.push(seq);
        if (cursor) cursor.seq = seq;
      });
    }
    return opened;
  }

  return {
    numbers,
    resyncs: () => resyncs,
    isConnected: () => cursor !== null && socket.connected,
    cut: () => void socket.close(),
    reconnect(newCookie = cookie) {
      // One that is still connecting would receive each event as well.
      socket.close();
      socket = connect(newCookie);
    },
  };
}
export type Follower = ReturnType<typeof createFollower>;

/** Returns how many of the numbers from the first to the last one are missing, and how many are there more than once. */
export function gapsOf(numbers: readonly number[]) {
  const distinct = new Set(numbers);
  const first = numbers[0] ?? 0;
  const last = numbers.at(-1) ?? first;
  return { missing: last - first + 1 - distinct.size, doubled: numbers.length - distinct.size };
}
