/** JSON-RPC over HTTP, for browsers and programs on this machine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Dispatch, parseErrorReply } from './dispatch.ts';

/** A batch of a hundred transactions of the largest size fits. */
const LONGEST_BODY_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 1000;
/** Generous for clients on this machine; a slower one only occupies a connection. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUTS_MS = 1_000;
/** Limits how long a client that does not read its response keeps it in memory. */
const IDLE_SOCKET_MS = 60_000;
/** Longer than clients keep an idle connection (19 s in web3.js), so the client closes it. */
const KEEP_ALIVE_MS = 30_000;
/** Browsers repeat the preflight request once a day. */
const PREFLIGHT_SECONDS = 86_400;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns whether a request may use the chain: one of a program on this machine, or of a page served from it. A browser
 * always names the origin of the page; a request without one comes from another program.
 */
export function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname);
}

/** Creates a server that does not listen yet. */
export function createHttpServer(dispatch: Dispatch): Server {
  const limits = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
  };
  const server = createServer(limits, (request, response) => {
    // Fails for a client that disconnects during its request, and for an injected disconnect: neither gets a response.
    respond(dispatch, request, response).catch(() => request.socket.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = IDLE_SOCKET_MS;
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}

async function respond(dispatch: Dispatch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { origin } = request.headers;
  if (!isLocalOrigin(origin)) return sendText(response, 403, 'This chain serves pages of this machine only.');
  response.setHeader('Vary', 'Origin');
  if (origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
  }
  if (request.method === 'OPTIONS') return sendPreflight(response);
  if (request.method !== 'POST') {
    return sendText(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required');
  }
  const text = await readBody(request);
  if (text === null) return sendText(response, 413, 'The request is too large.');
  const { body, status, retryAfter } = await handle(dispatch, text, request.url ?? '/');
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
  response.end(body === null ? '' : JSON.stringify(body));
}

function handle(dispatch: Dispatch, text: string, path: string) {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return parseErrorReply;
  }
  return dispatch(request, path);
}

function sendPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    // web3.js identifies itself in a header of its own.
    'Access-Control-Allow-Headers': 'Content-Type, Solana-Client',
    'Access-Control-Allow-Private-Network': 'true',
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  });
  response.end();
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' });
  response.end(`${text}\n`);
}

/** Resolves with null when the body is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const data of request) {
    const chunk: Buffer = data;
    bytes += chunk.length;
    if (bytes > LONGEST_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
