import type { IncomingMessage } from 'node:http';

/**
 * False for a page of another site: browsers send the session cookie along with its handshake.
 * Clients that are no browser send no `Origin`. `Origin: null` (a sandboxed frame) is foreign, and no URL.
 */
export function isOwnOrigin({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const origin = new URL(headers.origin);
  // The same protocol on both sides, so that a default port that only one side writes out makes no difference.
  const own = `${origin.protocol}//${headers.host}`;
  return URL.canParse(own) && new URL(own).host === origin.host && origin.host !== '';
}
