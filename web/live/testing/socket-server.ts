import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DefaultEventsMap, Server, type Socket } from 'socket.io';
import type { ClientToServerEvents, ConnectionUser } from '../../../common/live/events.ts';
import { type FeedCursor, type Handshake, handshakeSchema } from '../../../common/live/protocol.ts';
import { encodeUpdates } from '../../../common/live/token-updates.ts';
import type { FeedEntry } from '../model/events.ts';

type Io = Server<ClientToServerEvents, DefaultEventsMap>;

/** A fake server that speaks the feed's protocol over a real socket. */
export interface SocketServer {
  url: string;
  io: Io;
  /** Received handshakes. */
  handshakes: Handshake[];
  /** Events received from clients, with their input. */
  received: { event: string; input: unknown }[];
  /** Position of the feed, sent to each connection. */
  head: FeedCursor;
  /** Whom each connection is admitted as. */
  user: ConnectionUser;
  /** Code with which handshakes are refused; null accepts them. */
  refusal: string | null;
  /** Whether `echo` is acknowledged. */
  acksEcho: boolean;
  /** Events sent in response to a `replay`, if they are after its position. */
  log: FeedEntry[];
  /** Completes no handshake from now on, until the returned function is called. */
  hold(): () => void;
  connections(): number;
  /** Sends an event to all clients without adding it to `log`. */
  emit(entry: FeedEntry): void;
  close(): Promise<void>;
}

export async function socketServer(): Promise<SocketServer> {
  const http = createServer();
  const io: Io = new Server(http, { cors: { origin: '*' } });
  let admits: Promise<void> = Promise.resolve();
  const server: SocketServer = {
    url: '',
    io,
    handshakes: [],
    received: [],
    head: { epoch: 'epoch-1', seq: 0 },
    user: { id: '7', isAdmin: true },
    refusal: null,
    acksEcho: true,
    log: [],
    hold() {
      let admit: () => void = () => {};
      admits = new Promise((resolve) => {
        admit = resolve;
      });
      return admit;
    },
    connections: () => io.sockets.sockets.size,
    emit(entry) {
      for (const socket of io.sockets.sockets.values()) socket.emit(entry.event, payloadFor(socket, entry));
    },
    close: () => io.close(),
  };
  io.use((socket, next) => {
    server.handshakes.push(socket.handshake.auth as Handshake);
    const refused = server.refusal;
    const error = refused === null ? undefined : Object.assign(new Error('refused'), { data: { code: refused } });
    void admits.then(() => next(error));
  });
  io.on('connection', (socket) => {
    socket.emit('hello', { protocol: 2, ...server.head, serverTime: Date.now(), user: server.user });
    socket.onAny((event: string, input: unknown) => {
      if (event !== 'echo') server.received.push({ event, input });
    });
    socket.on('echo', (_input, ack) => {
      if (server.acksEcho) ack({ ok: true });
    });
    socket.on('subscribe', (_input, ack) => ack({ ok: true }));
    socket.on('unsubscribe', (_input, ack) => ack({ ok: true }));
    socket.on('replay', ({ seq }, ack) => {
      ack({ ok: true });
      for (const entry of server.log) {
        if (entry.payload.seq > seq) socket.emit(entry.event, payloadFor(socket, entry));
      }
    });
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

/** Returns the payload of an event in the encoding of a client. */
function payloadFor({ handshake }: Socket, { event, payload }: FeedEntry): unknown {
  const { encoding } = handshakeSchema.parse(handshake.auth);
  return event === 'token-updates' && encoding === 'arrays' ? encodeUpdates(payload) : payload;
}
