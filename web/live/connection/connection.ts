import { io, type Socket } from 'socket.io-client';
import type { Ack, ClientToServerEvents, ServerPayloads, ServerToClientEvents } from '../../../common/live/events.ts';
import {
  type ConnectErrorCode,
  connectErrorCodes,
  type FeedCursor,
  type Handshake,
  PROTOCOL_VERSION,
} from '../../../common/live/protocol.ts';
import type { Topic } from '../../../common/live/rooms.ts';
import { decoded, type FeedEntry, isFeedEntry, isRoomEntry, type RoomEntry } from '../model/events.ts';

type FeedSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

/** First and longest backoff before another attempt, ms; Socket.IO doubles it and adds jitter, so that clients do not return all at once. */
const RECONNECT_MS = 500;
const RECONNECT_MAX_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Delay of the own retry, ms: Socket.IO does not retry after the server refused or ended a connection. */
export const REFUSED_RETRY_MS = 3_000;
/** Delay of the session check after the server ended a connection, ms: a login in another tab has its new cookie by then. */
export const SESSION_CHECK_MS = 1_000;
/** Interval of the round-trip measurement, and the time after which a connection without a response counts as dead. */
const ECHO_EVERY_MS = 5_000;
export const ACK_TIMEOUT_MS = 5_000;

interface ConnectionDeps {
  /** Address of the server; by default the origin of the page. */
  url?: string | undefined;
  /** Last position of this client, sent with every attempt, so that a reconnect resumes from it (F2). */
  cursor: () => FeedCursor | null;
  topics: () => Topic[];
  now: () => number;
  on: {
    /** `resumed`: the handshake named a position in this epoch, so the server replays from it without a request (F2). */
    hello(hello: ServerPayloads['hello'], resumed: boolean): void;
    /** The server has taken the subscriptions: from now on no event of a room is missed. After each hello. */
    joined(): void;
    /** The server cannot replay the missing events, or refused to: lists must be fetched again. */
    resync(): void;
    feedEvent(entry: FeedEntry): void;
    roomEvent(entry: RoomEntry): void;
    /** The connection is lost, or an attempt failed. */
    down(): void;
    roundTrip(ms: number): void;
    /** The server ended the connection: finds out who is signed in before another attempt. Never rejects. */
    ended(): Promise<void>;
    /** The session is over (L1). */
    unauthenticated(): void;
    /** The server speaks another version of the protocol (L2): only a reload of the page helps. */
    wrongVersion(): void;
  };
}

export interface Connection {
  send(event: 'subscribe' | 'unsubscribe', topic: Topic): void;
  replay(position: FeedCursor): void;
  /** Connects at once, e.g. when the browser is online again. */
  retry(): void;
  stop(): void;
}

/** Connects, and reconnects until stopped. */
export function connect({ url, cursor, topics, now, on }: ConnectionDeps): Connection {
  let named: FeedCursor | null = null;
  const socket = openSocket(url, () => {
    named = cursor();
    return { protocol: PROTOCOL_VERSION, encoding: 'arrays', ...(named ?? {}) };
  });
  const echo = createEcho(socket, { now, cursor, onRoundTrip: on.roundTrip });
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  async function subscribeAll(): Promise<void> {
    await Promise.all(topics().map((topic) => send(socket, 'subscribe', topic)));
    if (!stopped && socket.connected) on.joined();
  }

  function stopTimers(): void {
    echo.stop();
    clearTimeout(retryTimer);
  }

  function down(): void {
    stopTimers();
    on.down();
  }

  function reconnectAfterSessionCheck(): void {
    const checked = on.ended();
    const reconnect = () => {
      if (!stopped && !socket.active) socket.connect();
    };
    retryTimer = setTimeout(() => void checked.then(reconnect), REFUSED_RETRY_MS - SESSION_CHECK_MS);
  }

  socket.on('hello', (hello) => {
    stopTimers();
    on.hello(hello, named?.epoch === hello.epoch);
    void subscribeAll();
    echo.start();
  });
  socket.on('resync', () => on.resync());
  socket.onAny((event: string, payload: unknown) => {
    const entry = decoded({ event, payload });
    if (isFeedEntry(entry)) on.feedEvent(entry);
    else if (isRoomEntry(entry)) on.roomEvent(entry);
  });
  socket.on('disconnect', () => {
    if (stopped) return;
    down();
    // The server ended it (logout, slow client). Another user may have signed in from another tab, so the page checks
    // its session before it connects again.
    if (!socket.active) retryTimer = setTimeout(reconnectAfterSessionCheck, SESSION_CHECK_MS);
  });
  socket.on('connect_error', (error) => {
    if (stopped) return;
    down();
    const code = refusal(error);
    if (code === 'unauthenticated') on.unauthenticated();
    else if (code === 'protocol') on.wrongVersion();
    else if (!socket.active) retryTimer = setTimeout(() => socket.connect(), REFUSED_RETRY_MS);
  });
  socket.connect();

  return {
    send: (event, topic) => void send(socket, event, topic),
    replay: (position) => requestReplay(socket, position, on.resync),
    retry() {
      // Ends a running backoff, which may be at its longest.
      if (!socket.connected && !stopped) socket.disconnect().connect();
    },
    stop() {
      stopped = true;
      stopTimers();
      socket.offAny();
      socket.removeAllListeners();
      socket.disconnect();
    },
  };
}

/** Creates the socket: WebSocket first, then long polling where a proxy blocks it. */
function openSocket(url: string | undefined, auth: () => Handshake): FeedSocket {
  return io(url ?? window.location.origin, {
    autoConnect: false,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: RECONNECT_MS,
    reconnectionDelayMax: RECONNECT_MAX_MS,
    timeout: CONNECT_TIMEOUT_MS,
    auth: (give) => give(auth()),
  });
}

/** Resolves once the server has responded, or will not: a refused or lost subscription leaves the page with REST data. */
function send(socket: FeedSocket, event: 'subscribe' | 'unsubscribe', topic: Topic): Promise<void> {
  // While disconnected `topics` keeps the subscription, which is sent after the next hello.
  if (!socket.connected) return Promise.resolve();
  return new Promise((resolve) => {
    socket.timeout(ACK_TIMEOUT_MS).emit(event, { topic }, () => resolve());
  });
}

/** Measures the round trip at intervals, and reports the position. Closes the transport when a response is missing, which starts a reconnect. */
function createEcho(
  socket: FeedSocket,
  { now, cursor, onRoundTrip }: Pick<ConnectionDeps, 'now' | 'cursor'> & { onRoundTrip: (ms: number) => void },
) {
  let timer: ReturnType<typeof setInterval> | undefined;

  function measure(): void {
    const sentAt = now();
    socket.timeout(ACK_TIMEOUT_MS).emit('echo', { position: cursor() ?? undefined }, (lost: Error | null) => {
      if (!socket.connected) return;
      // Browsers do not report that a network is gone: the missing response is the only sign.
      if (lost) socket.io.engine.close();
      else onRoundTrip(now() - sentAt);
    });
  }

  return {
    start() {
      measure();
      timer = setInterval(measure, ECHO_EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}

function requestReplay(socket: FeedSocket, position: FeedCursor, onRefused: () => void): void {
  if (!socket.connected) return;
  socket.timeout(ACK_TIMEOUT_MS).emit('replay', position, (lost: Error | null, response?: Ack) => {
    // A lost response needs no handling: the gap closer repeats a request that brought no events.
    if (!lost && response && 'error' in response) onRefused();
  });
}

/** Returns why the server refused the handshake; null when the server was not reached. */
function refusal(error: Error): ConnectErrorCode | null {
  const data: unknown = 'data' in error ? error.data : null;
  if (typeof data !== 'object' || data === null || !('code' in data)) return null;
  return connectErrorCodes.find((code) => code === data.code) ?? null;
}
