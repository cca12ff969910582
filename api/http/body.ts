import { bodyParser } from '@koa/bodyparser';
import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';

/** The largest body that is read, in bytes. */
export const BODY_LIMIT = 64 * 1024;

/** Reads the request's JSON body into `ctx.request.body`; a request without a body has `{}`. */
export function jsonBody(): Koa.Middleware {
  const parse = bodyParser({
    enableTypes: ['json'],
    // GET too: its calls declare that they take no body, and one that is sent anyway is noticed.
    parsedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    jsonLimit: BODY_LIMIT,
    // A bare string or number is valid JSON; it is the call's schema that refuses it.
    jsonStrict: false,
    onError: (error) => {
      throw bodyError(error);
    },
  });
  return async (ctx, next) => {
    // Read already, by whoever needed it before.
    if (ctx.request.body !== undefined) return next();
    if (!hasBody(ctx)) {
      ctx.request.body = {};
      return next();
    }
    // An unpacked body could be far larger than what was sent, and nobody sends us packed ones.
    const packed = ctx.get('Content-Encoding') !== '' && ctx.get('Content-Encoding') !== 'identity';
    if (packed || !ctx.is('application/json')) throw new PublicError('unsupported-media-type');
    return parse(ctx, next);
  };
}

function hasBody(ctx: Koa.Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || (ctx.get('Content-Length') !== '' && ctx.get('Content-Length') !== '0');
}

function bodyError(error: Error): PublicError {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return new PublicError('body-too-large');
  if (status === 415) return new PublicError('unsupported-media-type');
  // The parser also refuses well-formed JSON that would reach for a prototype; that is no matter of form.
  if ('body' in error && typeof error.body === 'string' && isJson(error.body)) {
    return new PublicError('invalid-input', { details: { '': ['must not contain __proto__ or constructor keys'] } });
  }
  return new PublicError('malformed-json');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // that is the answer
  }
}
