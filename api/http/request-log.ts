import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { errors } from '../../common/errors.ts';
import { loggablePath } from '../platform/log.ts';

/** The header of each response with its id. */
export const REQUEST_ID_HEADER = 'X-Request-Id';
/** Ids that a proxy may give a request. */
const REQUEST_ID = /^[\w-]{8,64}$/;

declare module 'koa' {
  interface DefaultState {
    /** Names this request in the log and in the response. */
    requestId: string;
  }
}

/**
 * Gives each request an id, the one of a trusted proxy where it sends one, and logs one line per request, without query, headers
 * and body, so that no secret gets into the log. `believes` returns whether a request comes from a trusted proxy.
 */
export function requestLog(log: Logger, believes: (request: IncomingMessage) => boolean): Koa.Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const sent = ctx.get(REQUEST_ID_HEADER);
    const requestId = REQUEST_ID.test(sent) && believes(ctx.req) ? sent : randomUUID();
    ctx.state.requestId = requestId;
    await next();
    // The loss of the database is logged once, not with every request meanwhile.
    const isFailed = ctx.status >= 500 && ctx.status !== errors.unavailable.status;
    // Not built where the level leaves it out: most requests are short.
    if (!isFailed && !log.isLevelEnabled('debug')) return;
    const ms = Math.round(performance.now() - startedAt);
    const line = { requestId, method: ctx.method, path: loggablePath(ctx.path), status: ctx.status, ms };
    if (isFailed) log.warn(line, 'request failed');
    else log.debug(line, 'request completed');
  };
}
