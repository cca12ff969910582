import { bodyParser } from '@koa/bodyparser';
import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';

/** Largest accepted body, in bytes. */
export const BODY_LIMIT = 64 * 1024;

/** Reads the request's JSON body into `ctx.request.body`; a request without a body has `{}`. */
export function jsonBody(): Koa.Middleware {
  const parse = bodyParser({
    enableTypes: ['json'],
    // GET too: its calls declare no body, and validation refuses one that is sent anyway.
    parsedMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    jsonLimit: BODY_LIMIT,
    // A bare string or number is valid JSON; the schema of the call refuses it.
    jsonStrict: false,
    onError: (error) => {
      throw bodyError(error);
    },
  });
  return async (ctx, next) => {
    // An earlier step needed the body and has read it.
    if (ctx.request.body !== undefined) return next();
    if (!hasBody(ctx)) {
      ctx.request.body = {};
      return next();
    }
    // A compressed body can unpack to far more than was sent, and no client of ours compresses.
    const encoding = ctx.get('Content-Encoding');
    const isCompressed = encoding !== '' && encoding !== 'identity';
    if (isCompressed || !ctx.is('application/json')) throw new PublicError('unsupported-media-type');
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
  // The parser also refuses well-formed JSON that reaches for a prototype, which is not a syntax error.
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
    return false; // the result itself
  }
}
