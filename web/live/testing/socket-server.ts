import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents } from '../../../common/live/events.ts';
import type { FeedCursor, Handshake } from '../../../common/live/protocol.ts';
import type { FeedEntry } from '../model/events.ts';

type Io = Server<ClientToServerEvents, ServerToClientEvents>;

/** A server that speaks the feed's protocol over a real socket, as far as a client can tell. */
export interface SocketServer {
  url: string;
  io: Io;
  /** What each handshake sent. */
  handshakes: Handshake[];
  /** What clients said, with its input. */
  said: { event: string; input: unknown }[];
  /** Where the feed is; every connection is greeted with it. */
  head: FeedCursor;
  /** When set, handshakes are refused with it. */
  refusal: string | null;
  /** Whether `echo` is answered. */
  answersEcho: boolean;
  /** Events that a `replay` is answered with, if they are later than what it asks for. */
  log: FeedEntry[];
  connections(): number;
  /** Says an event to everybody without keeping it: what the client misses it has to ask for. */
  say(entry: FeedEntry): void;
  close(): Promise<void>;
}

export async function socketServer(): Promise<SocketServer> {
  const http = createServer();
  const io: Io = new Server(http, { cors: { origin: '*' } });
  const server: SocketServer = {
    url: '',
    io,
    handshakes: [],
    said: [],
    head: { epoch: 'epoch-1', seq: 0 },
    refusal: null,
    answersEcho: true,
    log: [],
    connections: () => io.sockets.sockets.size,
    say: (entry) => emit(io, entry),
    close: () => io.close(),
  };
  io.use((socket, next) => {
    server.handshakes.push(socket.handshake.auth as Handshake);
    const refused = server.refusal;
    next(refused === null ? undefined : Object.assign(new Error('refused'), { data: { code: refused } }));
  });
  io.on('connection', (socket) => {
    socket.emit('hello', { protocol: 1, ...server.head, serverTime: Date.now() });
    socket.onAny((event: string, input: unknown) => {
      if (event !== 'echo') server.said.push({ event, input });
    });
    socket.on('echo', (_input, ack) => {
      if (server.answersEcho) ack({ ok: true });
    });
    socket.on('subscribe', (_input, ack) => ack({ ok: true }));
    socket.on('unsubscribe', (_input, ack) => ack({ ok: true }));
    socket.on('replay', ({ seq }, ack) => {
      ack({ ok: true });
      for (const entry of server.log) if (entry.payload.seq > seq) emit(socket, entry);
    });
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

interface Emitter {
  emit: Io['emit'];
}

function emit(to: Emitter, entry: FeedEntry): void {
  switch (entry.event) {
    case 'new-token':
      to.emit('new-token', entry.payload);
      break;
    case 'token-updates':
      to.emit('token-updates', entry.payload);
      break;
    case 'runner':
      to.emit('runner', entry.payload);
      break;
    case 'might-run':
      to.emit('might-run', entry.payload);
      break;
    case 'tokens-removed':
      to.emit('tokens-removed', entry.payload);
      break;
  }
}
