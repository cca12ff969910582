import { createHash } from 'node:crypto';
import type Koa from 'koa';

/** A JSON answer with its validator, made once and sent as often as one likes. */
export class JsonText {
  readonly text: string;
  readonly etag: string;

  constructor(value: unknown) {
    this.text = JSON.stringify(value);
    // Weak: compression changes the bytes on the way out, but not what they mean.
    this.etag = `W/"${createHash('sha1').update(this.text).digest('base64url')}"`;
  }
}

/** Sends the answer, or 304 when the client already has it. */
export function sendJson(ctx: Koa.Context, json: JsonText): void {
  if (ctx.status === 404) ctx.status = 200;
  ctx.type = 'application/json';
  if (ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
    ctx.set('ETag', json.etag);
    // Answers belong to one user and change any moment: keep them, but ask each time.
    ctx.set('Cache-Control', 'private, no-cache');
    if (isKnown(ctx.get('If-None-Match'), json.etag)) {
      ctx.status = 304;
      return;
    }
  } else {
    ctx.set('Cache-Control', 'no-store');
  }
  ctx.body = json.text;
}

/**
 * Koa's own `fresh` gives up at `Cache-Control: no-cache`, which browsers add to every fetch that names `If-None-Match`;
 * since the body is always made anew here, an equal validator is all that matters.
 */
function isKnown(ifNoneMatch: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
