import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns false for a request from a page of another site, with which browsers send the session cookie. `host`: the
 * requested host. Clients other than browsers send no `Origin`. `Origin: null` (a sandboxed frame) is foreign, and no URL.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, host: string): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  // The same protocol on both sides, so that an explicit default port makes no difference; a proxy may have terminated TLS.
  const own = `${origin.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === origin.host && origin.host !== '';
}
