import { io, type Socket } from 'socket.io-client';
import type {
  Ack,
  ClientToServerEvents,
  RoomPayload,
  ServerPayloads,
  ServerToClientEvents,
} from '../../../common/live/events.ts';
import {
  type ConnectErrorCode,
  type FeedCursor,
  type Handshake,
  PROTOCOL_VERSION,
} from '../../../common/live/protocol.ts';
import type { Topic } from '../../../common/live/rooms.ts';
import { entryOf, type FeedEntry } from '../model/events.ts';

type FeedSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

/** First and longest wait before another attempt, ms; Socket.IO doubles it and adds chance, so that clients don't return all at once. */
const RECONNECT_MS = 500;
const RECONNECT_MAX_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Socket.IO does not try again by itself after the server refused or ended a connection. */
export const REFUSED_RETRY_MS = 3_000;
/** After the server ended a connection: a login in another tab has its new cookie by then, and a change of rights shows soon. */
export const ASK_WHO_MS = 1_000;
/** How often the round trip is measured, and how long an answer may take before the connection counts as dead. */
const ECHO_EVERY_MS = 5_000;
export const ACK_TIMEOUT_MS = 5_000;

export interface ConnectionDeps {
  /** Where the server is; the origin of the page unless a test says otherwise. */
  url?: string | undefined;
  /** Where the client was: sent with every attempt, so that a reconnect resumes there (F2). */
  cursor: () => FeedCursor | null;
  topics: () => Topic[];
  now: () => number;
  on: {
    /** `resumed`: the handshake named a place in this epoch, so the server replays from there by itself (F2). */
    hello(hello: ServerPayloads['hello'], resumed: boolean): void;
    resync(): void;
    event(entry: FeedEntry): void;
    trades(payload: RoomPayload<'token-trades'>): void;
    risk(payload: RoomPayload<'token-risk'>): void;
    userData(change: RoomPayload<'user-data'>): void;
    transaction(transaction: RoomPayload<'transaction'>): void;
    alert(payload: RoomPayload<'alert'>): void;
    botStatus(payload: RoomPayload<'bot-status'>): void;
    adminStats(payload: RoomPayload<'admin-stats'>): void;
    systemStatus(payload: RoomPayload<'system-status'>): void;
    maintenance(payload: RoomPayload<'maintenance'>): void;
    detectionStats(payload: RoomPayload<'detection-stats'>): void;
    /** The connection is lost, or an attempt failed. */
    down(): void;
    roundTrip(ms: number): void;
    /** The server ended the connection: asks who is signed in now, before another attempt. It never rejects. */
    ended(): Promise<void>;
    /** The session is over (L1). */
    unauthenticated(): void;
    /** The server speaks another version of the protocol (L2): only a reload of the page helps. */
    outdated(): void;
    /** A replay was refused: lists must be fetched again. */
    replayRefused(): void;
  };
}

export interface Connection {
  say(event: 'subscribe' | 'unsubscribe', topic: Topic): void;
  replay(place: FeedCursor): void;
  /** Tries at once, e.g. when the browser has a network again. */
  retry(): void;
  stop(): void;
}

/** Opens the live feed. WebSocket first; where something between blocks it, long polling by the same socket. */
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

/** Connects, and keeps connecting until stopped. */
export function connect({ url, cursor, topics, now, on }: ConnectionDeps): Connection {
  let named: FeedCursor | null = null;
  const socket = openSocket(url, () => {
    named = cursor();
    return { protocol: PROTOCOL_VERSION, ...(named ?? {}) };
  });
  let echo: ReturnType<typeof setInterval> | null = null;
  let again: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;

  function say(event: 'subscribe' | 'unsubscribe', topic: Topic): void {
    // While disconnected the wish is kept in `topics` and said after the next hello.
    if (!socket.connected) return;
    // A refused or lost subscription leaves the page with what REST says; it is said again after the next hello.
    socket.timeout(ACK_TIMEOUT_MS).emit(event, { topic }, () => {});
  }

  function measure(): void {
    const sentAt = now();
    socket.timeout(ACK_TIMEOUT_MS).emit('echo', {}, (lost: Error | null) => {
      if (!socket.connected) return;
      // Browsers don't tell that a network is gone: no answer is the sign. Closing the transport starts a reconnect.
      if (lost) socket.io.engine.close();
      else on.roundTrip(now() - sentAt);
    });
  }

  function quiet(): void {
    if (echo) clearInterval(echo);
    if (again) clearTimeout(again);
    echo = null;
    again = null;
  }

  function down(): void {
    quiet();
    on.down();
  }

  function reconnect(): void {
    if (!stopped && !socket.active) socket.connect();
  }

  function askWho(): void {
    const answered = on.ended();
    again = setTimeout(() => void answered.then(reconnect), REFUSED_RETRY_MS - ASK_WHO_MS);
  }

  socket.on('hello', (hello) => {
    quiet();
    on.hello(hello, named?.epoch === hello.epoch);
    for (const topic of topics()) say('subscribe', topic);
    measure();
    echo = setInterval(measure, ECHO_EVERY_MS);
  });
  socket.on('resync', () => on.resync());
  socket.on('new-token', (payload) => on.event(entryOf['new-token'](payload)));
  socket.on('token-updates', (payload) => on.event(entryOf['token-updates'](payload)));
  socket.on('runner', (payload) => on.event(entryOf.runner(payload)));
  socket.on('might-run', (payload) => on.event(entryOf['might-run'](payload)));
  socket.on('tokens-removed', (payload) => on.event(entryOf['tokens-removed'](payload)));
  socket.on('token-trades', (payload) => on.trades(payload));
  socket.on('token-risk', (payload) => on.risk(payload));
  socket.on('user-data', (change) => on.userData(change));
  socket.on('transaction', (transaction) => on.transaction(transaction));
  socket.on('alert', (payload) => on.alert(payload));
  socket.on('bot-status', (payload) => on.botStatus(payload));
  socket.on('admin-stats', (payload) => on.adminStats(payload));
  socket.on('system-status', (payload) => on.systemStatus(payload));
  socket.on('maintenance', (payload) => on.maintenance(payload));
  socket.on('detection-stats', (payload) => on.detectionStats(payload));
  socket.on('disconnect', () => {
    if (stopped) return;
    down();
    // The server ended it (sign-out, slow client): whether it lets us in again is for the next handshake to say.
    // Before that the page learns who is here: another tab may have signed in somebody else.
    if (!socket.active) again = setTimeout(askWho, ASK_WHO_MS);
  });
  socket.on('connect_error', (error) => {
    if (stopped) return;
    down();
    const code = refusal(error);
    if (code === 'unauthenticated') on.unauthenticated();
    else if (code === 'protocol') on.outdated();
    else if (!socket.active) again = setTimeout(() => socket.connect(), REFUSED_RETRY_MS);
  });
  socket.connect();

  return {
    say,
    replay(place) {
      if (!socket.connected) return;
      socket.timeout(ACK_TIMEOUT_MS).emit('replay', place, (lost: Error | null, answer?: Ack) => {
        // A lost answer is noticed by whoever asked: the events don't come.
        if (!lost && answer && 'error' in answer) on.replayRefused();
      });
    },
    retry() {
      if (socket.connected || stopped) return;
      // Ends a running back-off, which may be at its longest.
      socket.disconnect().connect();
    },
    stop() {
      stopped = true;
      quiet();
      socket.removeAllListeners();
      socket.disconnect();
    },
  };
}

const refusals: readonly ConnectErrorCode[] = ['unauthenticated', 'protocol', 'unavailable', 'too-many-requests'];

/** Why the server refused the handshake; null when it was not reached at all. */
function refusal(error: Error): ConnectErrorCode | null {
  const data: unknown = 'data' in error ? error.data : null;
  if (typeof data !== 'object' || data === null || !('code' in data)) return null;
  return refusals.find((code) => code === data.code) ?? null;
}
