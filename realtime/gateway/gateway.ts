import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Server } from 'socket.io';
import { type FeedCursor, PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { rooms } from '../../common/live/rooms.ts';
import type { Clock } from '../../common/time.ts';
import type { Client, Io, LiveSocket } from '../client.ts';
import type { FeedLog } from '../feed-log/feed-log.ts';
import { broadcastEntry, emitToRoom } from '../feeds.ts';
import { GATEWAY_LIMITS, type GatewayLimits } from '../limits.ts';
import { isOwnOrigin } from '../origin.ts';
import { createSlowWatch } from './backpressure.ts';
import { createReceive } from './client-events.ts';
import { createAdmission } from './connection-limits.ts';
import { closeAll, forgetRequest } from './engine-io.ts';
import { type Authenticate, createHandshake } from './handshake.ts';
import { createResume } from './replay.ts';
import { type AliveSessions, createSessions } from './sessions.ts';

/** Largest packet a client may send, bytes; its events are far below one kilobyte. */
const MAX_PACKET_BYTES = 16 * 1024;
/** A connection that asks for nothing is closed after this long, ms. */
const CONNECT_TIMEOUT_MS = 10_000;
const PING_INTERVAL_MS = 15_000;
/** Longer than a slow client is given (F6), so that it goes with the reason `slow` and not by a ping it could not read. */
const PING_TIMEOUT_MS = 35_000;

export interface GatewayDeps {
  feedLog: FeedLog;
  authenticate: Authenticate;
  aliveSessions: AliveSessions;
  /** What connections are counted by; without proxies in front the address that a request comes from. */
  clientAddress?: (request: IncomingMessage) => string;
  /** The host that a client asked for; without proxies in front that of the request itself. */
  askedHost?: (request: IncomingMessage) => string;
  log: Logger;
  clock: Clock;
  limits?: Partial<GatewayLimits>;
}

export interface GatewayStats {
  connections: number;
  /** Clients whose queue does not drain right now. */
  stalled: number;
  /** Bytes waiting in the process for all clients together. */
  queuedBytes: number;
  /** Clients closed with the reason `slow` since the start. */
  closedSlow: number;
}

export interface Gateway {
  /** Drops the sockets of a session at once (L1). */
  endSession(sessionId: string): void;
  /** False when nobody at this gateway hears `room`. */
  listens(room: string): boolean;
  stats(): GatewayStats;
  /** Says good-bye to every client. The HTTP server stays its owner's to close. */
  close(): Promise<void>;
}

/** The Socket.IO service: tails the feed log and says it to its clients, to the rules of `realtime/README.md`. */
export function createGateway(httpServer: HttpServer, deps: GatewayDeps): Gateway {
  const { feedLog, log, clock, clientAddress = directAddress, askedHost = directHost } = deps;
  const limits = { ...GATEWAY_LIMITS, ...deps.limits };
  const clients = new Set<Client>();
  let closing = false;
  let said = feedLog.head().seq;
  const position = (): FeedCursor => ({ epoch: feedLog.head().epoch, seq: said });

  const admission = createAdmission({ limits, clock, clientAddress });
  const io: Io = createServer(httpServer, (request) => {
    const hasRoom = !closing && io.engine.clientsCount < limits.connections && admission.hasRoom(request);
    return hasRoom && isOwnOrigin(request.headers, askedHost(request));
  });
  const sessions = createSessions({ aliveSessions: deps.aliveSessions, log, clock });
  const resume = createResume({ io, feedLog, limits, log, position });
  const slow = createSlowWatch({ clients, resume, limits, clock });
  const receive = createReceive({
    limits,
    clock,
    log,
    replay(client, cursor) {
      resume.fallBehind(client, cursor);
      void resume.advance(client);
    },
  });

  io.engine.on('connection', admission.arrived);
  io.use(createHandshake({ authenticate: deps.authenticate, admission, log }));
  io.on('connection', (socket) => {
    try {
      welcome(socket);
    } catch (error) {
      // Socket.IO calls this from a bare tick: a throw would end the process.
      log.error({ error }, 'a socket could not be welcomed');
      socket.disconnect(true);
    }
  });

  // Functions with a `this` are shared by all sockets: closures for each would be a tenth of what a connection weighs.
  function onAny(this: LiveSocket, name: unknown, ...args: unknown[]): void {
    if (this.data.client) receive(this.data.client, name, args);
  }
  function onDisconnect(this: LiveSocket): void {
    const { client } = this.data;
    if (!client) return;
    clients.delete(client);
    sessions.remove(client);
    // Without its socket the connection has nothing more to say.
    this.conn.close();
  }

  function welcome(socket: LiveSocket): void {
    const { user, sessionId, cursor } = socket.data;
    const client: Client = { socket, user, sessionId, allowance: null, behind: null };
    socket.data.client = client;
    socket.onAny(onAny);
    socket.on('disconnect', onDisconnect);
    clients.add(client);
    sessions.add(client);
    forgetRequest(socket);
    socket.emit('hello', { protocol: PROTOCOL_VERSION, ...position(), serverTime: clock.now() });
    if (!cursor) void socket.join(rooms.tokens);
    else {
      resume.fallBehind(client, cursor, new Set([rooms.tokens]));
      void resume.advance(client);
    }
  }

  const untail = feedLog.tail({
    entries(entries) {
      for (const entry of entries) {
        // Before each, not only now and then: a burst would fill every queue before the timer comes round.
        slow.sweep();
        broadcastEntry(io, entry);
        said = entry.seq;
      }
    },
    message(message) {
      slow.sweep();
      emitToRoom(io, message);
    },
  });
  const timers = [
    setInterval(slow.sweep, limits.sweepMs),
    setInterval(() => void sessions.check(), limits.sessionCheckMs),
  ];

  return {
    endSession: sessions.end,
    listens: (room) => io.sockets.adapter.rooms.has(room),
    stats: () => ({ connections: clients.size, ...slow.stats() }),
    async close() {
      closing = true;
      untail();
      for (const timer of timers) clearInterval(timer);
      await closeAll(admission.connections());
      io.engine.close();
    },
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
    transports: ['websocket', 'polling'],
    // Compression per client costs up to 30 times the CPU and 200 kB a connection.
    perMessageDeflate: false,
    maxHttpBufferSize: MAX_PACKET_BYTES,
    connectTimeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    pingTimeout: PING_TIMEOUT_MS,
    allowRequest: (request, answer) => answer(null, mayConnect(request)),
  });
}
