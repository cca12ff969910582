import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PublicError } from '../../common/errors.ts';
import { StartError } from '../config/config.ts';
import { addressKey } from './limits/rate-limits.ts';

/** Time for open requests to finish on stop, ms: part of the 5 s in which everything stops. */
const CLOSE_GRACE = 1500;

/** Limits of the HTTP server: a client that sends slowly, or nothing, must not hold a connection for long. */
const SERVER_LIMITS = {
  /** Time for the headers of a request, ms. */
  headersTimeout: 10_000,
  /** Time for a whole request, ms. */
  requestTimeout: 30_000,
  /** Time for which a connection may be idle between two requests, ms. */
  // Longer than proxies keep their connections, 60 s by default: a request must not meet a connection that closes.
  keepAliveTimeout: 75_000,
  /** Interval of the checks of open requests, ms. */
  connectionsCheckingInterval: 2_000,
  /** Connections at a time, live ones included; further ones are closed at once. */
  // The gateway's own limit is 10,000; the rest is for requests.
  maxConnections: 12_000,
  /** Connections of one address at a time, so that none takes all; further ones are closed at once. */
  // The gateway's own limit for an address is 2,000.
  connectionsPerAddress: 3_000,
};
export type ServerLimits = Record<keyof typeof SERVER_LIMITS, number>;

/**
 * Creates the HTTP server, which does not listen yet. `isProxy`: whether an address is a trusted proxy's, which has no limit of
 * its own, since it connects for many clients.
 */
export function createHttpServer(
  handle: RequestListener,
  { isProxy, limits = SERVER_LIMITS }: { isProxy: (address: string) => boolean; limits?: ServerLimits },
): Server {
  const { maxConnections, connectionsPerAddress, ...options } = limits;
  const server = createServer(options, handle);
  server.maxConnections = maxConnections;
  limitPerAddress(server, connectionsPerAddress, isProxy);
  handleUnreadable(server);
  return server;
}

function limitPerAddress(server: Server, most: number, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (isProxy(peer)) return;
    const address = addressKey(peer);
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

/** Responds with the product's error body to requests that never reach the middleware, such as unreadable HTTP. */
function handleUnreadable(server: Server): void {
  const text = JSON.stringify(new PublicError('invalid-input').body());
  const head = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8`;
  const response = `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // A client that has hung up gets no response; its socket only needs to end.
    if (socket.writable && !isLate) socket.end(response);
    else socket.destroy();
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const error = new PublicError('expectation-failed');
    // A body may follow, which is not read: the connection has to close.
    response.writeHead(error.status, { Connection: 'close', 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(error.body()));
  });
}

/** Names of the variables for host and port. */
interface ListenNames {
  hostName: string;
  portName: string;
}
const PUBLIC: ListenNames = { hostName: 'HOST', portName: 'PORT' };

/**
 * Listens, and resolves with the address for a browser. Throws a StartError, which names the variables, when the port
 * cannot be opened.
 */
export async function listen(server: Server, host: string, port: number, names = PUBLIC): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(listenFailure(error, host, port, names), { cause: error });
  }
  const address = server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  // The unspecified addresses mean every interface; a browser on this machine uses loopback.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${actual}`;
}

function listenFailure(error: unknown, host: string, port: number, { hostName, portName }: ListenNames): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'EADDRINUSE':
      return `${portName} ${port} on ${host} is in use. Stop the other program or choose another ${portName}.`;
    case 'EACCES':
      return `${portName} ${port} may not be opened by this user. Choose one from 1024 up.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${hostName} ${host} is not an address of this machine.`;
    default:
      return `${hostName} ${host}, ${portName} ${port} can't be listened on (${code || 'unknown reason'}).`;
  }
}

/** Accepts no more connections, and resolves when the open requests have ended or their time is over. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE);
  await closed;
  clearTimeout(timer);
}
