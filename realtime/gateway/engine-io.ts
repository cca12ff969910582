import type { IncomingMessage } from 'node:http';
import type { Socket as NetSocket } from 'node:net';
import type { LiveSocket } from '../client.ts';

/** The Engine.IO connection under a socket. */
export type Connection = LiveSocket['conn'];

type Listener = (...args: unknown[]) => void;
type EventName = string | symbol;

interface RawWebSocket {
  readonly bufferedAmount: number;
  /** The TCP connection; null once it is closed. */
  readonly _socket?: NetSocket | null;
  close(code: number, reason: string): void;
  terminate(): void;
  once(event: 'close', listener: () => void): unknown;
  rawListeners(event: 'error'): Listener[];
  removeListener(event: 'error', listener: Listener): unknown;
}

/** Members of Engine.IO 6.6 and ws 8 that F6 and direct writes need and their types hide. `engine-io.integration.test.ts` fails when an upgrade moves them. */
interface EngineInternals {
  /** Packets not yet handed to the transport. Engine.IO does not bound it. */
  readonly writeBuffer: readonly { readonly data?: string | Uint8Array }[];
  /** `socket` exists on the WebSocket transport only. `writable`: nothing is on its way. */
  readonly transport: Transport;
  request: IncomingMessage | null;
}

interface Transport {
  readonly socket?: RawWebSocket;
  readonly writable: boolean;
  eventNames(): EventName[];
  rawListeners(event: EventName): Listener[];
  removeAllListeners(): unknown;
  on(event: EventName, listener: Listener): unknown;
}

/** Time limit for a client's response to a close before its connection is cut, ms. */
const CLOSE_GRACE_MS = 2_000;
/** Longest time that cutting a connection takes, ms. */
const CUT_MS = 200;

function internals(connection: Connection): EngineInternals {
  // The members exist, but Engine.IO declares them private; a double cast is the only way to name them.
  return connection as unknown as EngineInternals;
}

/** Returns the packets in Engine.IO's queue. */
export function queuedPackets(connection: Connection): number {
  return internals(connection).writeBuffer.length;
}

/** Returns the bytes queued for this client in the process: Engine.IO's queue and the WebSocket's unsent bytes. */
export function queuedBytes(connection: Connection): number {
  const { writeBuffer, transport } = internals(connection);
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const packet of writeBuffer) bytes += packet.data?.length ?? 0;
  return bytes;
}

/** With more unsent bytes a client's messages go to Engine.IO's queue, which its limits count. */
const UNSENT_MAX = 16 * 1024;
/** First byte of a frame with a whole text, unmasked. */
const TEXT_FRAME = 0x81;
/** Second bytes that announce a length of 2 and of 8 bytes; up to 125 the byte is the length itself (RFC 6455, 5.2). */
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** Returns the WebSocket frame of a text message of Engine.IO, for any number of connections. */
export function textFrame(message: string): Buffer {
  const length = Buffer.byteLength(message);
  const head = length < LENGTH_16 ? 2 : length < 2 ** 16 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = TEXT_FRAME;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(message, head);
  return frame;
}

/**
 * Writes a frame to the connection itself, past Engine.IO, whose queue and callbacks take two fifths of a message's processor
 * time. Returns false, without a write, when something is queued or it is no WebSocket: the message then has to be queued. The server
 * has to be one without extensions (`perMessageDeflate: false`), which would change the frame.
 */
export function writeFrame(connection: Connection, frame: Buffer): boolean {
  const { transport, writeBuffer } = internals(connection);
  const { socket } = transport;
  const net = socket?._socket;
  if (!net || !transport.writable || writeBuffer.length > 0 || connection.readyState !== 'open') return false;
  if (net.writableLength >= UNSENT_MAX) return false;
  net.write(frame);
  return true;
}

/** Shared by all sockets in place of their own. */
const NO_HANDSHAKE: LiveSocket['handshake'] = {
  headers: {},
  time: '',
  address: '',
  xdomain: false,
  secure: false,
  issued: 0,
  url: '',
  query: {},
  auth: {},
};

/**
 * Drops what only the handshake needs: its request and data, and listeners. They take 2.5 kB per client, and more when it sends a
 * long URL or handshake.
 */
export function dropHandshake(socket: LiveSocket): void {
  const { conn } = socket;
  internals(conn).request = null;
  Object.assign(socket, { handshake: NO_HANDSHAKE });
  const { transport } = internals(conn);
  // A polling connection may still be upgraded.
  if (transport.socket === undefined) return;
  const [first] = transport.socket.rawListeners('error');
  if (first?.name === 'onUpgradeError') transport.socket.removeListener('error', first);
  // Into a new table: Node.js keeps the size that the table had with the listener of headers, which have been sent.
  const listeners = transport.eventNames().map((name) => [name, transport.rawListeners(name)] as const);
  transport.removeAllListeners();
  for (const [name, all] of listeners) if (name !== 'headers') for (const one of all) transport.on(name, one);
}

/** Closes with a code that the client receives (WebSocket only), and cuts the connection without its response. */
export function closeConnection(connection: Connection, code: number, reason: string): void {
  const { socket } = internals(connection).transport;
  if (socket) socket.close(code, reason);
  else connection.close(true);
  cutLater(connection);
}

/** Cuts a connection that is still open after a grace period: a client that does not read never receives a close frame. */
export function cutLater(connection: Connection): void {
  const timer = setTimeout(() => cut(connection), CLOSE_GRACE_MS);
  timer.unref();
  connection.once('close', () => clearTimeout(timer));
}

/** Closes the connection at once, without a close frame. */
export function cut(connection: Connection): void {
  internals(connection).transport.socket?.terminate();
  connection.close(true);
}

/**
 * Closes the connections, each after its queue is written out, and resolves when all are closed; the others are cut after
 * `limitMs`. Socket.IO's clients take it for a lost connection and come back, unlike after a disconnect by the server.
 */
export async function drainAll(connections: readonly Connection[], limitMs: number): Promise<void> {
  await Promise.all(connections.map((connection) => drain(connection, limitMs)));
}

function drain(connection: Connection, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = internals(connection).transport;
    const timer = setTimeout(() => {
      cut(connection);
      // A polling client that never polls again gives no response.
      setTimeout(resolve, CUT_MS).unref();
    }, limitMs);
    // Engine.IO's own event comes when the close frame is handed over, before the bytes in front of it are sent.
    (socket ?? connection).once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    connection.close();
  });
}
