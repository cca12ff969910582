import type Koa from 'koa';
import type { Logger } from 'pino';
import { errors } from '../../common/errors.ts';
import { loggablePath } from '../platform/loggable.ts';

/** One line a request: no query, no headers, no body, so that no secret gets in. */
export function requestLog(log: Logger): Koa.Middleware {
  return async (ctx, next) => {
    const begun = performance.now();
    await next();
    const ms = Math.round(performance.now() - begun);
    const line = { method: ctx.method, path: loggablePath(ctx.path), status: ctx.status, ms };
    // That the database is away is said once, not by each request meanwhile.
    if (ctx.status >= 500 && ctx.status !== errors.unavailable.status) log.warn(line, 'request');
    else log.debug(line, 'request');
  };
}
