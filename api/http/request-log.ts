import type Koa from 'koa';
import type { Logger } from 'pino';
import { errors } from '../../common/errors.ts';
import { loggablePath } from '../platform/log.ts';

/** Logs one line per request, without query, headers and body, so that no secret gets into the log. */
export function requestLog(log: Logger): Koa.Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    const line = { method: ctx.method, path: loggablePath(ctx.path), status: ctx.status, ms };
    // The loss of the database is logged once, not with every request meanwhile.
    if (ctx.status >= 500 && ctx.status !== errors.unavailable.status) log.warn(line, 'request failed');
    else log.debug(line, 'request completed');
  };
}
