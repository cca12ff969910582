import type { IncomingMessage } from 'node:http';
import type { LiveSocket } from '../client.ts';

/** The Engine.IO connection under a socket. */
export type Connection = LiveSocket['conn'];

interface RawWebSocket {
  readonly bufferedAmount: number;
  close(code: number, reason: string): void;
  terminate(): void;
}

/** What F6 needs of Engine.IO 6.6 and its types keep private. `engine.integration.test.ts` fails when an upgrade moves them. */
interface EngineInternals {
  /** Packets not yet handed to the transport. Engine.IO puts no bound on it. */
  readonly writeBuffer: readonly { readonly data?: string | Uint8Array }[];
  /** `socket` is there on the WebSocket transport only. */
  readonly transport: { readonly socket?: RawWebSocket };
  request: IncomingMessage | null;
}

/** How long a client may take to answer a close before its connection is cut, ms. */
const CLOSE_GRACE_MS = 2_000;
/** How long cutting a connection takes at most, ms. */
const CUT_MS = 200;

function internals(connection: Connection): EngineInternals {
  // The members exist, but Engine.IO declares them private; a double cast is the only way to name them.
  return connection as unknown as EngineInternals;
}

/** Packets waiting in Engine.IO's own queue. */
export function queuedPackets(connection: Connection): number {
  return internals(connection).writeBuffer.length;
}

/** Bytes waiting for this client in the process: Engine.IO's queue and what the WebSocket has not given to the kernel. */
export function queuedBytes(connection: Connection): number {
  const { writeBuffer, transport } = internals(connection);
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const packet of writeBuffer) bytes += packet.data?.length ?? 0;
  return bytes;
}

/** Lets go of the request a connection began with: nobody asks for it after the handshake, and it is 1.6 kB for every client. */
export function forgetRequest(socket: LiveSocket): void {
  internals(socket.conn).request = null;
  socket.handshake.headers = {};
}

/** Closes with a code that the client sees (WebSocket only), and cuts the connection when it does not answer. */
export function closeConnection(connection: Connection, code: number, reason: string): void {
  const { socket } = internals(connection).transport;
  if (socket) socket.close(code, reason);
  else connection.close(true);
  cutLater(connection);
}

/** Cuts a connection that is still there after a grace period: a client that doesn't read never sees a close frame. */
export function cutLater(connection: Connection): void {
  const timer = setTimeout(() => cut(connection), CLOSE_GRACE_MS);
  timer.unref();
  connection.once('close', () => clearTimeout(timer));
}

/** Ends the connection at once. */
export function cut(connection: Connection): void {
  internals(connection).transport.socket?.terminate();
  connection.close(true);
}

/** Resolves when all of these are closed: they are asked first, and cut when they have not answered after the grace period. */
export async function closeAll(connections: readonly Connection[]): Promise<void> {
  await Promise.all(
    connections.map(
      (connection) =>
        new Promise<void>((resolve) => {
          if (connection.readyState === 'closed') return resolve();
          connection.once('close', () => resolve());
          connection.close(true);
          // A polling client that never polls again has nobody to answer for it.
          setTimeout(resolve, CLOSE_GRACE_MS + CUT_MS).unref();
          cutLater(connection);
        }),
    ),
  );
}
