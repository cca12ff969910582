import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { Server } from 'socket.io';
import { WebSocketServer } from 'ws';
import { encodeUpdates } from '../../../common/live/token-updates.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import type { FeedLog } from '../../../realtime/feed-log/feed-log.ts';
import { createMemoryLog, type LogLimits } from '../../../realtime/feed-log/memory.ts';
import { textFrame } from '../../../realtime/gateway/engine-io.ts';
import { createGateway, type Gateway } from '../../../realtime/gateway/gateway.ts';
import type { ListWatch } from '../../../realtime/list-watch.ts';
import { createPublisher } from '../../../realtime/publisher.ts';
import { SOL_USD } from './updates.ts';

/**
 * The measured servers: our gateway, whose clients read arrays (`gateway-named`: named fields; `gateway-short`: with a log so
 * small that its memory is steady at once), one stock Socket.IO event per update, and a bare `ws` broadcast of the gateway's bytes, twice for the A/A control.
 */
export type TargetKind = 'gateway' | 'gateway-named' | 'gateway-short' | 'event-per-update' | 'bare' | 'bare-control';

export interface Target {
  port: number;
  /** Publishes one frame with these updates to every client. */
  publish(patches: TokenPatch[]): Promise<void> | void;
  lastSeq(): number;
  stats(): { connections: number; stalled: number; closedSlow: number };
}

const SHORT_LOG: Partial<LogLimits> = { bytes: 512 * 1024 };
const UNLIMITED = 1e6;
const clock = { now: Date.now };
const idle = { stalled: 0, closedSlow: 0 };

export async function startTarget(kind: TargetKind): Promise<Target> {
  const http = createServer((_request, response) => response.writeHead(404).end());
  const target = targetOf(kind, http);
  return { ...target, port: await portOf(http) };
}

/** Listens on a free port of loopback. */
export async function portOf(http: HttpServer): Promise<number> {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

function targetOf(kind: TargetKind, http: HttpServer): Omit<Target, 'port'> {
  switch (kind) {
    case 'gateway':
    case 'gateway-named':
      return gatewayTarget(http, {});
    case 'gateway-short':
      return gatewayTarget(http, SHORT_LOG);
    case 'event-per-update':
      return eventPerUpdateTarget(http);
    case 'bare':
    case 'bare-control':
      return bareTarget(http);
  }
}

/**
 * Opens a gateway for a load of one user at one address. `onSession`: called for each session that is looked up. `lists`: its
 * filtered lists, without which it has none.
 */
export function openLoadGateway(
  http: HttpServer,
  feedLog: FeedLog,
  { onSession = () => {}, lists = null }: { onSession?: () => void; lists?: ListWatch | null } = {},
): Gateway {
  const user = { id: 'load', username: 'load', isAdmin: false, hasSecondFactor: false };
  return createGateway(http, {
    feedLog,
    clock,
    async authenticate() {
      onSession();
      return { user, sessionId: 'load' };
    },
    aliveSessions: async (ids) => new Set(ids),
    recordWatch: () => Promise.resolve(),
    lists,
    log: pino({ level: 'silent' }),
    limits: {
      connectionsPerUser: UNLIMITED,
      connectionsPerAddress: UNLIMITED,
      connections: UNLIMITED,
      // All clients are one user.
      listsPerUser: UNLIMITED,
      listsOpenedAtOnce: UNLIMITED,
    },
  });
}

function gatewayTarget(http: HttpServer, limits: Partial<LogLimits>): Omit<Target, 'port'> {
  const feedLog = createMemoryLog({ clock, limits });
  const gateway = openLoadGateway(http, feedLog);
  const publisher = createPublisher(feedLog, gateway.hasMembers);
  return {
    async publish(patches) {
      await publisher.publish([{ event: 'token-updates', payload: { at: Date.now(), solUsd: SOL_USD, patches } }]);
    },
    lastSeq: () => publisher.cursor().seq,
    stats: gateway.stats,
  };
}

function eventPerUpdateTarget(http: HttpServer): Omit<Target, 'port'> {
  const io = new Server(http, { serveClient: false, perMessageDeflate: false });
  io.on('connection', (socket) => void socket.join('tokens'));
  let seq = 0;
  return {
    publish(patches) {
      for (const patch of patches) {
        seq += 1;
        io.to('tokens').emit('token-updates', { seq, at: Date.now(), solUsd: SOL_USD, patches: [patch] });
      }
    },
    lastSeq: () => seq,
    stats: () => ({ connections: io.engine.clientsCount, ...idle }),
  };
}

/** The fastest possible server in Node: one frame, one buffer, one write per client. */
function bareTarget(http: HttpServer): Omit<Target, 'port'> {
  const sockets = new Set<Duplex>();
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false });
  http.on('upgrade', (request, socket, head) => {
    server.handleUpgrade(request, socket, head, (websocket) => {
      sockets.add(socket);
      websocket.on('close', () => sockets.delete(socket));
      websocket.on('error', () => websocket.terminate());
    });
  });
  let seq = 0;
  return {
    publish(patches) {
      seq += 1;
      const frame = textFrame(
        `42${JSON.stringify(['token-updates', encodeUpdates({ seq, at: Date.now(), solUsd: SOL_USD, patches })])}`,
      );
      for (const socket of sockets) socket.write(frame);
    },
    lastSeq: () => seq,
    stats: () => ({ connections: sockets.size, ...idle }),
  };
}
