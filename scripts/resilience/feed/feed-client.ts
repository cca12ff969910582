import { setTimeout as pause } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { type FeedCursor, PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import type { LiveClient } from '../product.ts';
import { type Snapshot, snapshotSchema } from './contract.ts';

/** A patch of the feed, as the client needs it. */
interface Update {
  seq: number;
  patches: readonly { address: string; version: number }[];
}

/** Longest delay before another try, ms. */
const RETRY_MS = 300;

/** Resolves with null while the gateway is away. */
async function fetchSnapshot(url: string, signal: AbortSignal): Promise<Snapshot | null> {
  try {
    return snapshotSchema.parse(await (await fetch(url, { signal })).json());
  } catch {
    return null;
  }
}

/** Creates the list of a client: a snapshot, and the events after it. */
function createList() {
  const versions = new Map<string, number>();
  let cursor: FeedCursor | null = null;
  let early: Update[] = [];
  let lastSeq: number | null = null;
  let wrong = 0;
  let received = 0;

  function apply({ seq, patches }: Update, { epoch }: FeedCursor): void {
    for (const { address, version } of patches) {
      if (version > (versions.get(address) ?? 0)) versions.set(address, version);
    }
    cursor = { epoch, seq };
  }

  return {
    versions,
    cursor: () => cursor,
    stats: () => ({ wrong, received }),
    /** Any number may follow: on a new connection, and after a `resync`. */
    restart(): void {
      lastSeq = null;
    },
    /** Forgets its position until the next snapshot. */
    drop(): void {
      cursor = null;
      early = [];
    },
    take({ position, rows }: Snapshot): void {
      versions.clear();
      for (const { _id, version } of rows) versions.set(_id, version);
      cursor = position;
      for (const update of early) if (update.seq > position.seq) apply(update, position);
    },
    /** Returns false when events before this one are missing. */
    receive(update: Update): boolean {
      received += 1;
      // Out of order, or twice, on one connection.
      if (lastSeq !== null && update.seq !== lastSeq + 1) wrong += 1;
      lastSeq = update.seq;
      if (cursor === null) early.push(update);
      else if (update.seq === cursor.seq + 1) apply(update, cursor);
      else if (update.seq > cursor.seq) {
        wrong += 1;
        return false;
      }
      return true;
    },
  };
}

/** A client by the rules of `realtime/README.md`, which connects again to the other gateway whenever its own is gone. */
export function createFeedClient(urls: readonly string[], user: number) {
  const list = createList();
  let resyncs = 0;
  /** Epoch of the connection, by its last `hello`. */
  let epoch = '';
  let url = urls[user % urls.length] ?? '';
  let fetching: AbortController | null = null;
  let isClosed = false;
  let socket = connect();

  /** Fetches the list until it is one of this epoch, and continues from its position. */
  async function fetchList(): Promise<void> {
    fetching?.abort();
    const own = new AbortController();
    fetching = own;
    list.drop();
    while (!own.signal.aborted && !isClosed) {
      const snapshot = await fetchSnapshot(url, own.signal);
      if (own.signal.aborted) return;
      if (snapshot?.position.epoch === epoch) {
        list.take(snapshot);
        return;
      }
      await pause(Math.random() * RETRY_MS);
    }
  }

  async function reconnect(closed: LiveClient): Promise<void> {
    await pause(Math.random() * RETRY_MS);
    if (isClosed || socket !== closed) return;
    url = urls.find((other) => other !== url) ?? url;
    socket = connect();
  }

  function connect(): LiveClient {
    const named = list.cursor();
    const opened: LiveClient = io(url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders: { cookie: `user=${user}` },
      auth: { protocol: PROTOCOL_VERSION, ...named },
    });
    list.restart();
    opened.on('hello', (hello) => {
      epoch = hello.epoch;
      list.restart();
      // With no position named, the gateway replays nothing, whatever a late response has brought since.
      if (named === null || list.cursor()?.epoch !== epoch) void fetchList();
    });
    opened.on('resync', () => {
      resyncs += 1;
      list.restart();
      void fetchList();
    });
    opened.on('token-updates', (update) => {
      if (!list.receive(update)) void fetchList();
    });
    opened.on('disconnect', () => void reconnect(opened));
    opened.on('connect_error', () => void reconnect(opened));
    return opened;
  }

  return {
    /** Whether it has the list and follows it. */
    isLive: () => list.cursor() !== null && socket.connected,
    versions: list.versions,
    stats: () => ({ ...list.stats(), resyncs }),
    close() {
      isClosed = true;
      fetching?.abort();
      socket.close();
    },
  };
}
