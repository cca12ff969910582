import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { createTimeLimit } from '../platform/resilience.ts';
import { isAllowedPort, isPublicAddress } from './address.ts';

/** Time for a delivery from the lookup to the end of the response, ms. */
const TIMEOUT = 5_000;
/** Time for a query to one name server, ms. */
const QUERY_TIMEOUT = 2_000;
/** Bytes of a response that are read, at most. */
const RESPONSE_MAX = 16_384;

/** The result of a delivery: `problem` is null after a success; `isFinal`: another attempt would end the same way. */
export interface PostResult {
  problem: string | null;
  isFinal: boolean;
}

/** How a name becomes an address that may be connected to. Tests replace both. */
interface Resolving {
  /** Resolves with the addresses of a name. Rejects when there are none, or as soon as `signal` aborts. */
  resolve(name: string, signal: AbortSignal): Promise<string[]>;
  isAllowed(address: string): boolean;
}

/** Names of the system's name servers, and public addresses alone. */
export const publicOnly: Resolving = { resolve: createResolve(), isAllowed: isPublicAddress };

/**
 * Creates the lookup of both families by name servers; default: those of the system. Unlike `dns.lookup` it takes no thread of
 * Node.js's pool, where a slow name server of a user's address would delay the lookups of all other services. IPv4 comes first.
 */
export function createResolve(servers?: readonly string[]): Resolving['resolve'] {
  return async (name, signal) => {
    signal.throwIfAborted();
    // Names below `invalid` never exist and are not to be asked for (RFC 6761, section 6.4).
    if (/(^|\.)invalid\.?$/i.test(name)) throw Object.assign(new Error(`unknown name ${name}`), { code: NOTFOUND });
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

export type Post = (url: string, body: string, headers: Readonly<Record<string, string>>) => Promise<PostResult>;

/**
 * Creates the function that posts JSON to a user's address. The name is resolved once and the connection made to that address, so that
 * no second answer of the name can lead elsewhere. Redirects are not followed. Never rejects.
 */
export function createPost({ resolve, isAllowed }: Resolving = publicOnly, timeout = TIMEOUT): Post {
  return async (url, body, headers) => {
    const limit = createTimeLimit(timeout);
    try {
      const target = new URL(url);
      const address = await addressOf(target, { resolve, isAllowed }, limit.signal);
      if (address === null) return { problem: 'The address is not on the public internet.', isFinal: true };
      if (!isAllowedPort(target)) return { problem: 'The port of the address is not allowed.', isFinal: true };
      const status = await send(target, address, { body, headers, signal: limit.signal });
      if (status >= 200 && status < 300) return { problem: null, isFinal: true };
      const isRedirect = status >= 300 && status < 400;
      const problem = `The service answered ${status}${isRedirect ? ': redirects are not followed' : ''}.`;
      // A request that is wrong stays wrong; a service that is overloaded recovers.
      return { problem, isFinal: status < 500 && status !== 408 && status !== 429 };
    } catch (error) {
      return { problem: textOf(error, limit.signal.aborted), isFinal: false };
    } finally {
      limit.clear();
    }
  };
}

/** Returns the address to connect to; null when one of the name's addresses is not allowed. Throws for an unknown name. */
async function addressOf(
  { hostname }: URL,
  { resolve, isAllowed }: Resolving,
  signal: AbortSignal,
): Promise<string | null> {
  const name = hostname.replace(/^\[|\]$/g, '');
  if (/(^|\.)localhost\.?$/.test(name)) return null;
  const addresses = isIP(name) === 0 ? await resolve(name, signal) : [name];
  return addresses.every(isAllowed) ? (addresses[0] ?? null) : null;
}

/** Sends a request to this address without resolving the name in the URL. Resolves with the status of the response. */
function send(
  target: URL,
  address: string,
  { body, headers, signal }: { body: string; headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<number> {
  const isHttps = target.protocol === 'https:';
  const length = String(Buffer.byteLength(body));
  const family = isIP(address);
  const options = {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': length, Host: target.host },
    signal,
    // A connection of its own: a kept one could have been made for another address of the name.
    agent: false as const,
    host: address,
    family,
    port: target.port === '' ? (isHttps ? 443 : 80) : Number(target.port),
    path: `${target.pathname}${target.search}`,
    // The certificate is of the name.
    ...(isHttps && isIP(target.hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: target.hostname } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = (isHttps ? httpsRequest : httpRequest)(options, (response) => {
      drain(response).then(() => resolve(response.statusCode ?? 0), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Reads a response to its end, or to the limit, where the connection is cut. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    if (bytes > RESPONSE_MAX) {
      response.destroy();
      return;
    }
  }
}

function textOf(error: unknown, isTimeout: boolean): string {
  if (isTimeout) return 'The service did not answer in time.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === NOTFOUND || code === NODATA) return 'The name of the address is unknown.';
  if (error instanceof Error && 'hostname' in error) return 'The name of the address could not be looked up.';
  if (code === 'ECONNREFUSED') return 'The service refused the connection.';
  if (code.startsWith('ERR_TLS') || code.includes('CERT')) return 'The certificate of the service is not valid.';
  return 'The service could not be reached.';
}
