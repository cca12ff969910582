import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Server } from 'socket.io';
import type { SessionUser } from '../../common/auth/model.ts';
import { type FeedCursor, PROTOCOL_VERSION, type ResyncReason } from '../../common/live/protocol.ts';
import { rooms } from '../../common/live/rooms.ts';
import type { Clock } from '../../common/time.ts';
import type { Client, Io, LiveSocket } from '../client.ts';
import type { FeedEntry, FeedLog, RoomMessage } from '../feed-log/feed-log.ts';
import { GATEWAY_LIMITS, type GatewayLimits } from '../limits.ts';
import type { ListWatch } from '../list-watch.ts';
import { isOwnOrigin } from '../origin.ts';
import { createAvailability } from './availability.ts';
import { createBackpressure } from './backpressure.ts';
import { createClientEvents, type RecordWatch } from './client-events.ts';
import { createConnectionLimits } from './connection-limits.ts';
import { createEncoder, type Encoder } from './encoding.ts';
import { drainAll, dropHandshake, writeFrame } from './engine-io.ts';
import { type Authenticate, createHandshake } from './handshake.ts';
import { createListOpenings, createLists, type ListDeps, type Lists } from './lists.ts';
import { parser } from './parser.ts';
import { createPositions, type Positions } from './positions.ts';
import { createReplay, interrupt, type Replay } from './replay.ts';
import { type AliveSessions, createSessions, type Sessions } from './sessions.ts';

/** Largest packet a client may send, in bytes; its events are far below one kilobyte. */
const MAX_PACKET_BYTES = 16 * 1024;
/** A connection without a handshake is closed after this time, ms. */
const CONNECT_TIMEOUT_MS = 10_000;
const PING_INTERVAL_MS = 15_000;
/** Longer than the time limit of a slow client (F6), so that it is closed with the reason `slow` and not for an unread ping. */
const PING_TIMEOUT_MS = 35_000;

export interface GatewayDeps {
  feedLog: FeedLog;
  authenticate: Authenticate;
  aliveSessions: AliveSessions;
  /** Returns the address that connections are counted by. Default: the peer address, for a server without a proxy. */
  clientAddress?: (request: IncomingMessage) => string;
  /** Returns the host that a client requested. Default: the request's own, for a server without a proxy. */
  requestedHost?: (request: IncomingMessage) => string;
  /**
   * Records, before it happens, that an administrator follows the room of another user. `address`: of the administrator, as
   * `clientAddress` returns it.
   */
  recordWatch: (by: SessionUser, address: string, userId: string) => Promise<void>;
  /** Returns false for a host that is not this server's. Default: any is. */
  acceptsHost?: (host: string) => boolean;
  /** Follows filtered lists. Null: this process has none, and their clients poll. Default: null. */
  lists?: ListWatch | null;
  log: Logger;
  clock: Clock;
  limits?: Partial<GatewayLimits>;
}

export type Gateway = ReturnType<typeof createGateway>;

/** Creates the Socket.IO service: it tails the feed log and emits to its clients, by the rules of `realtime/README.md`. */
export function createGateway(httpServer: HttpServer, deps: GatewayDeps) {
  const { feedLog, log, clock, clientAddress = directAddress, requestedHost = directHost, acceptsHost } = deps;
  const limits = { ...GATEWAY_LIMITS, ...deps.limits };
  const clients = new Set<Client>();
  let isClosing = false;
  let { epoch: emittedEpoch, seq: emittedSeq } = feedLog.head();
  const position = (): FeedCursor => ({ epoch: emittedEpoch, seq: emittedSeq });
  const greet = createGreeting({ position, clock });

  const connections = createConnectionLimits({ limits, clock, clientAddress });
  const io: Io = createServer(httpServer, (request) => {
    if (isClosing || io.engine.clientsCount >= limits.connections || !connections.hasRoom(request)) return false;
    const host = requestedHost(request);
    return acceptsHost?.(host) !== false && isOwnOrigin(request.headers, host);
  });
  const sessions = createSessions({ aliveSessions: deps.aliveSessions, log, clock });
  const replay = createReplay({ feedLog, limits, log, position });
  const backpressure = createBackpressure({ clients, replay, limits, clock });
  const positions = createPositions({ position, limits, clock });
  const lists = openLists(io, clients, { watch: deps.lists ?? null, position, limits, clock });
  const { isAvailable, check } = createAvailability({ feedLog, clients, limits, clock });

  io.engine.on('connection', connections.add);
  io.use(createHandshake({ authenticate: deps.authenticate, isAvailable, connections, log }));
  const recordWatch: RecordWatch = async ({ user, socket }, userId) =>
    deps.recordWatch(user, connections.addressOf(socket.conn), userId);
  io.on(
    'connection',
    createWelcome({ clients, sessions, replay, recordWatch, positions, lists, greet, limits, clock, log }),
  );

  const untail = feedLog.tail({
    entries(entries) {
      for (const entry of entries) {
        // Before each entry: a burst would fill every queue before the timer fires.
        backpressure.sweep();
        emitToRoom(io, clients, rooms.tokens, entry);
        emittedSeq = entry.seq;
      }
      lists.entries(entries);
    },
    message(message) {
      backpressure.sweep();
      emitToRoom(io, clients, message.room, message);
    },
    interrupted(reason) {
      const before = emittedEpoch;
      ({ epoch: emittedEpoch, seq: emittedSeq } = feedLog.head());
      lists.interrupted();
      interruptAll(clients, reason, emittedEpoch === before ? () => undefined : greet);
    },
  });
  const timers = [
    setInterval(backpressure.sweep, limits.sweepMs),
    setInterval(() => void sessions.check(), limits.sessionCheckMs),
    setInterval(positions.mark, limits.markMs),
    setInterval(check, limits.sweepMs),
  ];

  return {
    /** Drops the sockets of a session at once (L1). */
    endSession: sessions.end,
    /** Returns false when `room` has no members at this gateway. */
    hasMembers: (room: string): boolean =>
      room === rooms.tokens ? hasLive(clients) : io.sockets.adapter.rooms.has(room),
    stats: () => ({ connections: clients.size, ...backpressure.stats() }),
    /**
     * Refuses new connections, writes out the queues, and closes every connection: clients reconnect, with their position, to
     * another gateway or to the next process (F8). The caller closes the HTTP server.
     */
    async close(): Promise<void> {
      isClosing = true;
      untail();
      lists.stop();
      for (const timer of timers) clearInterval(timer);
      await drainAll(connections.all(), limits.drainMs);
      io.engine.close();
    },
  };
}

/**
 * Emits an event to the members of a room: encoded and framed once for each encoding in use, and written to each connection itself
 * where nothing is queued. Socket.IO's own `io.to(room).emit` delivers the same bytes.
 */
function emitToRoom(io: Io, clients: Iterable<Client>, room: string, entry: FeedEntry | RoomMessage): void {
  const encoder = createEncoder(entry);
  if (room === rooms.tokens) {
    for (const client of clients) if (client.isLive) write(client, encoder);
    return;
  }
  for (const id of io.sockets.adapter.rooms.get(room) ?? []) {
    const client = io.sockets.sockets.get(id)?.data.client;
    if (client !== undefined) write(client, encoder);
  }
}

/** Creates the filtered lists: each is open from the first client of its room to the last one. */
function openLists(io: Io, clients: Iterable<Client>, deps: Omit<ListDeps, 'emit'>): Lists {
  const prefix = rooms.list('');
  const lists = createLists({
    ...deps,
    emit(payload) {
      const room = rooms.list(payload.list);
      emitToRoom(io, clients, room, { room, event: 'list-updates', payload });
    },
  });
  const { adapter } = io.sockets;
  adapter.on('create-room', (room: string) => {
    if (room.startsWith(prefix)) lists.open(room.slice(prefix.length));
  });
  adapter.on('delete-room', (room: string) => {
    if (room.startsWith(prefix)) lists.close(room.slice(prefix.length));
  });
  return lists;
}

function write({ socket: { conn }, encoding }: Client, encoder: Encoder): void {
  const { packet, frame, shared } = encoder(encoding);
  if (!writeFrame(conn, frame)) conn.write(packet, shared);
}

/** Makes all clients fetch their lists again. `greet` runs before for each. */
function interruptAll(clients: Iterable<Client>, reason: ResyncReason, greet: (client: Client) => void): void {
  for (const client of clients) {
    greet(client);
    interrupt(client, reason);
  }
}

function hasLive(clients: Iterable<Client>): boolean {
  for (const { isLive } of clients) if (isLive) return true;
  return false;
}

/** Creates the function that sends `hello`: at first, and when another epoch begins (L2). */
function createGreeting({ position, clock }: { position: () => FeedCursor; clock: Clock }) {
  return ({ socket, user: { id, isAdmin } }: Client): void => {
    socket.emit('hello', { protocol: PROTOCOL_VERSION, ...position(), serverTime: clock.now(), user: { id, isAdmin } });
  };
}

/** Creates the handler of new sockets: registers the client, sends `hello`, and joins the feed or replays it first. */
function createWelcome(deps: {
  clients: Set<Client>;
  sessions: Sessions;
  replay: Replay;
  positions: Positions;
  lists: Lists;
  recordWatch: RecordWatch;
  greet: (client: Client) => void;
  limits: GatewayLimits;
  clock: Clock;
  log: Logger;
}) {
  const { clients, sessions, replay, positions, lists, recordWatch, greet, limits, clock, log } = deps;
  const handleEvent = createClientEvents({
    recordWatch,
    lists,
    openings: createListOpenings({ clients, limits, clock }),
    limits,
    clock,
    log,
    replay(client, cursor) {
      replay.fallBehind(client, cursor);
      void replay.advance(client);
    },
    reported: positions.check,
  });

  // Functions with a `this` are shared by all sockets: closures for each would be a tenth of a connection's memory.
  function onAny(this: LiveSocket, name: unknown, ...args: unknown[]): void {
    if (this.data.client) handleEvent(this.data.client, name, args);
  }
  function onDisconnect(this: LiveSocket): void {
    const { client } = this.data;
    if (!client) return;
    clients.delete(client);
    sessions.remove(client);
    // A connection has one socket, so it is no longer needed.
    this.conn.close();
  }

  function welcome(socket: LiveSocket): void {
    const { admission } = socket.data;
    if (admission === undefined) throw new TypeError('a socket without a handshake');
    const { user, sessionId, encoding, cursor } = admission;
    const client: Client = { socket, user, sessionId, encoding, isLive: false, eventLimit: null, behind: null };
    socket.data = { client };
    socket.onAny(onAny);
    socket.on('disconnect', onDisconnect);
    clients.add(client);
    sessions.add(client);
    dropHandshake(socket);
    // The room that Socket.IO creates for every socket is not used, and takes 500 bytes with the adapter's entry about it.
    socket.nsp.adapter.delAll(socket.id);
    greet(client);
    if (!cursor) client.isLive = true;
    else {
      replay.fallBehind(client, cursor, new Set([rooms.tokens]));
      void replay.advance(client);
    }
  }

  return (socket: LiveSocket): void => {
    try {
      welcome(socket);
    } catch (error) {
      // Socket.IO calls this from a bare tick: a throw would end the process.
      log.error({ error }, 'socket setup failed');
      socket.disconnect(true);
    }
  };
}

function directAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

function directHost({ headers }: IncomingMessage): string {
  return headers.host ?? '';
}

function createServer(httpServer: HttpServer, mayConnect: (request: IncomingMessage) => boolean): Io {
  return new Server(httpServer, {
    serveClient: false,
    parser,
    transports: ['websocket', 'polling'],
    // Compression per client costs up to 30 times the CPU and 200 kB a connection.
    perMessageDeflate: false,
    maxHttpBufferSize: MAX_PACKET_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    pingTimeout: PING_TIMEOUT_MS,
    allowRequest: (request, decide) => decide(null, mayConnect(request)),
  });
}
