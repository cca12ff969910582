import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { Server } from 'socket.io';
import { WebSocketServer } from 'ws';
import { encodeUpdates } from '../../../common/live/token-updates.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { createMemoryLog, type LogLimits } from '../../../realtime/feed-log/memory.ts';
import { createGateway } from '../../../realtime/gateway/gateway.ts';
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
/** WebSocket opcode of a text, and the marks of longer lengths. */
const TEXT = 1;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const idle = { stalled: 0, closedSlow: 0 };

export async function startTarget(kind: TargetKind): Promise<Target> {
  const http = createServer((_request, response) => response.writeHead(404).end());
  const target = targetOf(kind, http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { ...target, port: address.port };
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

function gatewayTarget(http: HttpServer, limits: Partial<LogLimits>): Omit<Target, 'port'> {
  const clock = { now: Date.now };
  const feedLog = createMemoryLog({ clock, limits });
  const user = { id: 'load', username: 'load', isAdmin: false, hasSecondFactor: false };
  const gateway = createGateway(http, {
    feedLog,
    clock,
    authenticate: async () => ({ user, sessionId: 'load' }),
    aliveSessions: async (ids) => new Set(ids),
    recordWatch: () => Promise.resolve(),
    log: pino({ level: 'silent' }),
    // The load is one user at one address.
    limits: { connectionsPerUser: UNLIMITED, connectionsPerAddress: UNLIMITED, connections: UNLIMITED },
  });
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
      const frame = serverText(
        `42${JSON.stringify(['token-updates', encodeUpdates({ seq, at: Date.now(), solUsd: SOL_USD, patches })])}`,
      );
      for (const socket of sockets) socket.write(frame);
    },
    lastSeq: () => seq,
    stats: () => ({ connections: sockets.size, ...idle }),
  };
}

/** Returns the WebSocket frame of a text. */
function serverText(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(payload.length < LENGTH_16 ? 2 : payload.length < 65_536 ? 4 : 10);
  header[0] = 0x80 | TEXT;
  if (header.length === 2) header[1] = payload.length;
  else if (header.length === 4) {
    header[1] = LENGTH_16;
    header.writeUInt16BE(payload.length, 2);
  } else {
    header[1] = LENGTH_64;
    header.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([header, payload]);
}
