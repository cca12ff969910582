/** JSON-RPC over HTTP, for browsers and programs of this machine. */
import { createServer } from 'node:http';
import { isFromHere } from './origin.mjs';
import { parseError } from './rpc.mjs';

/** A batch of a hundred transactions of the largest size fits. */
const LONGEST_BODY_BYTES = 256 * 1024;
const MOST_CONNECTIONS = 1000;
/** Nobody on this machine needs longer to say what it wants; whoever does is taking up a connection. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUTS_MS = 1_000;
/** A client that does not read its answer keeps it in memory only so long. */
const IDLE_SOCKET_MS = 60_000;
/** Longer than clients keep an idle connection (19 s in web3.js), so that it is they who close it. */
const KEEP_ALIVE_MS = 30_000;
/** A browser asks for permission once a day only. */
const PREFLIGHT_SECONDS = 86_400;

function allowPage(request, response) {
  const { origin } = request.headers;
  response.setHeader('Vary', 'Origin');
  if (origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
}

function answerPreflight(response) {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    // web3.js names itself in a header of its own.
    'Access-Control-Allow-Headers': 'Content-Type, Solana-Client',
    'Access-Control-Allow-Private-Network': 'true',
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  });
  response.end();
}

function answerText(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' });
  response.end(`${text}\n`);
}

/** @returns {Promise<string | null>} null when it is too long */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > LONGEST_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text) {
  try {
    return { request: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * @param {ReturnType<typeof import('./rpc.mjs').createRpc>} answer
 * @returns {import('node:http').Server} that does not listen yet
 */
export function createRpcServer(answer) {
  const respond = async (request, response) => {
    if (!isFromHere(request.headers.origin))
      return answerText(response, 403, 'This chain answers pages of this machine only.');
    allowPage(request, response);
    if (request.method === 'OPTIONS') return answerPreflight(response);
    if (request.method !== 'POST')
      return answerText(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required');
    const text = await readBody(request);
    if (text === null) return answerText(response, 413, 'The request is too large.');
    const read = parsed(text);
    const { body, status, retryAfter } = read ? await answer(read.request, request.url) : parseError;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    });
    response.end(body === null ? '' : JSON.stringify(body));
  };
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
    },
    (request, response) => {
      // Whoever hangs up in the middle of a request, or is to be hung up on, gets no answer.
      respond(request, response).catch(() => request.socket.destroy());
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = IDLE_SOCKET_MS;
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}
