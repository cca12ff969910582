import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';
import { isOwnOrigin } from '../../realtime/origin.ts';
import type { Forwarding } from './forwarding.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing requests that another site's page sent. Browsers add `Origin` to each of them and a page cannot
 * change it; a request without it comes from a program, which holds no foreign cookies.
 */
export function refuseForeignOrigin({ askedHost }: Forwarding): Koa.Middleware {
  return (ctx, next) => {
    if (READING.has(ctx.method) || isOwnOrigin(ctx.req.headers, askedHost(ctx.req))) return next();
    throw new PublicError('foreign-origin');
  };
}
