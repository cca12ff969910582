import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type Koa from 'koa';
import type { Connection } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import { MINUTE, SECOND } from '../../common/time.ts';
import type { Forwarding } from '../http/edge/forwarding.ts';
import { REQUEST_ID_HEADER } from '../http/request-log.ts';
import { SECRET_HEADER } from './channel.ts';
import { holderUrl } from './lease.ts';
import { createNeedLookup } from './needs.ts';

/** Time for which the address of the holder is not read again, ms. */
const HOLDER_MAX_AGE = SECOND;
/** Time for a connection to the holder, ms. */
const CONNECT_TIMEOUT = 2 * SECOND;
/** A response may pause for this time, ms: maintenance of a large market takes long. */
const SILENCE_TIMEOUT = 2 * MINUTE;
/** Time for which a connection to the holder may be idle, ms: shorter than the holder keeps it, so that no request meets its end. */
const IDLE_TIMEOUT = 30 * SECOND;
/** Seconds after which a caller may retry: a standby takes over meanwhile. */
const RETRY_AFTER = 5;

/** Headers that concern one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Times of the channel, which tests shorten. */
export interface ForwardTimes {
  connect: number;
  silence: number;
}

export interface ForwardDeps {
  connection: Connection;
  secret: string;
  forwarding: Pick<Forwarding, 'clientAddress' | 'requestedHost'>;
  /** Returns whether this process gets each entry of the feed at the moment. */
  isFollowing: () => boolean;
  times?: ForwardTimes;
}

/** The way of requests to the worker. */
export interface Forward {
  middleware: Koa.Middleware;
  /** Ends all connections to the holder. */
  stop(): void;
}

/**
 * Creates the way to the holder of the lease for requests that need the worker, and for those that need a feed which is away. They are
 * passed on as they are, once: a request that may have been acted on is never repeated. Without a holder they fail with `no-worker`;
 * this process then serves reads of the market from MongoDB.
 */
export function createForward(deps: ForwardDeps): Forward {
  const { secret, forwarding, isFollowing, times = { connect: CONNECT_TIMEOUT, silence: SILENCE_TIMEOUT } } = deps;
  const needAt = createNeedLookup();
  const agent = new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT });
  const findHolder = createHolderLookup(deps.connection);

  function open(ctx: Koa.Context, base: string): ClientRequest {
    const { req } = ctx;
    const headers = withoutHops(req.headers);
    headers[SECRET_HEADER] = secret;
    headers['x-forwarded-for'] = forwarding.clientAddress(req);
    headers['x-forwarded-host'] = forwarding.requestedHost(req);
    headers['x-forwarded-proto'] = ctx.protocol;
    headers[REQUEST_ID_HEADER.toLowerCase()] = ctx.state.requestId;
    delete headers.forwarded;
    const upstream = send(new URL(base), { agent, method: req.method, path: req.url, headers });
    // Each failure is noticed by what waits for it; without a listener it would end the process.
    return upstream.on('error', () => {});
  }

  /** Resolves with a request that is connected to the holder, and has sent nothing; null without a holder. */
  async function connect(ctx: Koa.Context): Promise<ClientRequest | null> {
    for (const isFresh of [false, true]) {
      const base = await findHolder(isFresh).catch(() => null);
      if (base === null) continue;
      const upstream = open(ctx, base);
      if (await isConnected(upstream, times.connect)) return upstream;
    }
    return null;
  }

  async function forward(ctx: Koa.Context, upstream: ClientRequest): Promise<void> {
    upstream.setTimeout(times.silence, () => upstream.destroy(new Error('the worker is silent')));
    // A client that leaves ends its request at the worker.
    ctx.res.once('close', () => upstream.destroy());
    const responded = responseOf(upstream);
    // A failure of either side ends the other; that of the worker is what `responded` rejects with.
    pipeline(ctx.req, upstream).catch(() => upstream.destroy());
    const response = await responded.catch(() => {
      throw new PublicError('no-worker', { retryAfter: RETRY_AFTER });
    });
    ctx.respond = false;
    ctx.res.writeHead(response.statusCode ?? 502, withoutHops(response.headers));
    // The client notices a response that ends early by its cut connection.
    await pipeline(response, ctx.res).catch(() => ctx.res.destroy());
  }

  return {
    async middleware(ctx, next) {
      const need = needAt(ctx.method, ctx.path);
      if (need === 'database' || (need === 'feed' && isFollowing())) return next();
      const upstream = await connect(ctx);
      if (upstream !== null) return forward(ctx, upstream);
      if (need === 'market') return next();
      throw new PublicError('no-worker', { retryAfter: RETRY_AFTER });
    },
    stop: () => agent.destroy(),
  };
}

/** Returns the lookup of the holder's address, which is kept for `HOLDER_MAX_AGE` unless it is asked for a fresh one. */
function createHolderLookup(connection: Connection): (isFresh: boolean) => Promise<string | null> {
  let reading: Promise<string | null> | null = null;
  let readAt = 0;
  return (isFresh) => {
    if (reading === null || isFresh || performance.now() - readAt > HOLDER_MAX_AGE) {
      readAt = performance.now();
      reading = holderUrl(connection);
    }
    return reading;
  };
}

/** Resolves with whether a request has a connection, within `ms`. It is ended without one. */
async function isConnected(upstream: ClientRequest, ms: number): Promise<boolean> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), ms);
  try {
    const { signal } = ending;
    const socket = upstream.socket ?? (await socketOf(upstream));
    if (socket.connecting) await once(socket, 'connect', { signal });
    return true;
  } catch {
    upstream.destroy();
    return false;
  } finally {
    clearTimeout(timer);
  }
}

const socketOf = (upstream: ClientRequest) => new Promise<Socket>((resolve) => upstream.once('socket', resolve));

function responseOf(upstream: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    upstream.once('response', resolve);
    upstream.on('error', reject);
    upstream.once('close', () => reject(new Error('the worker closed the connection')));
  });
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name)));
}
