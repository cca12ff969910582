import type { IncomingHttpHeaders } from 'node:http';

/**
 * False for a request that a page of another site sent: browsers send the session cookie along with it. `host`: the one
 * that was asked for. Clients that are no browser send no `Origin`. `Origin: null` (a sandboxed frame) is foreign, and no URL.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, host: string): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  // The same protocol on both sides: a default port that only one side writes out is no difference, and TLS may end before us.
  const own = `${origin.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === origin.host && origin.host !== '';
}
