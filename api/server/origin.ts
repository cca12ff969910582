import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing requests that another site's page sent. Browsers add `Origin` to each of them and a page cannot
 * change it; a request without it comes from a program, which holds no foreign cookies.
 */
export function refuseForeignOrigin(): Koa.Middleware {
  return (ctx, next) => {
    if (READING.has(ctx.method)) return next();
    const origin = ctx.get('Origin');
    const foreign = ctx.get('Sec-Fetch-Site') === 'cross-site' || (origin !== '' && !isSameHost(origin, ctx.host));
    if (foreign) throw new PublicError('foreign-origin');
    return next();
  };
}

/** Whether `origin` (as browsers send it, possibly the word `null`) names the host that was asked. */
export function isSameHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  // Parsed with the origin's scheme, so that a written-out default port is no difference. TLS may end before us.
  const asked = `${from.protocol}//${host}`;
  return from.host !== '' && URL.canParse(asked) && new URL(asked).host === from.host;
}
