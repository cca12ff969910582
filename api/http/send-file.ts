import { createReadStream, type Stats } from 'node:fs';
import type Koa from 'koa';

/** Sends a file that may change with the next build; a browser that has the current one gets 304. */
export function sendFile(ctx: Koa.Context, file: string, type: string, found: Stats): void {
  ctx.type = type;
  ctx.set('Cache-Control', 'no-cache');
  ctx.lastModified = found.mtime;
  ctx.etag = `W/"${found.size.toString(16)}-${Math.round(found.mtimeMs).toString(16)}"`;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.length = found.size;
  ctx.body = createReadStream(file);
}
