import type Koa from 'koa';
import type { Logger } from 'pino';
import { errors } from '../../common/errors.ts';

/** One line a request: no query, no headers, no body, so that no secret gets in. */
export function requestLog(log: Logger): Koa.Middleware {
  return async (ctx, next) => {
    const begun = performance.now();
    await next();
    const line = { method: ctx.method, path: ctx.path, status: ctx.status, ms: Math.round(performance.now() - begun) };
    // That the database is away is said once, not by each request meanwhile.
    if (ctx.status >= 500 && ctx.status !== errors.unavailable.status) log.warn(line, 'request');
    else log.debug(line, 'request');
  };
}
