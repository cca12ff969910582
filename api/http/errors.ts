import type Koa from 'koa';
import type { Logger } from 'pino';
import { type ErrorCode, PublicError } from '../../common/errors.ts';
import { isBusy, isUnavailable } from '../platform/database.ts';
import { loggablePath } from '../platform/log.ts';

/** Error codes for the statuses that Koa's own libraries throw. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid-input',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'body-too-large',
  415: 'unsupported-media-type',
};

/** Seconds after which a caller may retry what took too long. */
const BUSY_RETRY_AFTER = 2;

/** Returns the part of `error` that a caller may see. Anything that was not meant to leave the process becomes `internal`. */
export function toPublicError(error: unknown): PublicError {
  if (error instanceof PublicError) return error;
  if (isBusy(error)) return new PublicError('busy', { retryAfter: BUSY_RETRY_AFTER });
  if (isUnavailable(error)) return new PublicError('unavailable');
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
    const code = CODE_OF_STATUS[error.status];
    if (code) return new PublicError(code);
  }
  return new PublicError('internal');
}

/** Turns every error thrown further in into the one error body of the product. */
export function errorBody(log: Logger): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const publicError = toPublicError(error);
      if (publicError.code === 'internal') {
        log.error({ requestId: ctx.state.requestId, path: loggablePath(ctx.path), error }, 'request failed');
      }
      sendError(ctx, publicError);
    }
  };
}

function sendError(ctx: Koa.Context, error: PublicError): void {
  ctx.status = error.status;
  ctx.body = error.body();
  ctx.set('Cache-Control', 'no-store');
  ctx.remove('ETag');
  if (error.retryAfter !== undefined) ctx.set('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))));
}
