import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';
import { isOwnOrigin } from '../../realtime/origin.ts';
import type { Forwarding } from '../http/forwarding.ts';

/** `none`: the person typed the address, or has it in the bookmarks. */
const OWN_SITE: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/**
 * Refuses a reading call that does something when another site has led to it, be it by a link (decision 15). What a browser
 * says of where it comes from must be ours, whichever of the three ways it has to say so; and what it fetches ahead of the
 * person, while an address is being typed say, nobody has asked for yet.
 */
export function requireOwnPage({ req }: Koa.Context, { requestedHost }: Pick<Forwarding, 'requestedHost'>): void {
  const { headers } = req;
  const host = requestedHost(req);
  const { referer } = headers;
  const isOwn =
    OWN_SITE.has(headers['sec-fetch-site']) &&
    isOwnOrigin(headers, host) &&
    headers['sec-purpose'] === undefined &&
    headers.purpose === undefined &&
    (referer === undefined || isOwnOrigin({ origin: referer }, host));
  if (!isOwn) throw new PublicError('foreign-origin');
}
