import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type Koa from 'koa';
import serve from 'koa-static';
import { PublicError } from '../../common/errors.ts';
import { isAppPage } from '../../common/paths.ts';
import { DAY, SECOND } from '../../common/time.ts';

const YEAR_SECONDS = (365 * DAY) / SECOND;

/** Serves the built client: files with a hash in their name are cached for good, everything else is revalidated. */
export function staticClient(webRoot: string): Koa.Middleware {
  const assets = path.join(path.resolve(webRoot), 'assets') + path.sep;
  const serveFile = serve(webRoot, {
    index: false,
    setHeaders(response, file) {
      const hashed = file.startsWith(assets);
      response.setHeader('Cache-Control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  return async (ctx, next) => {
    let isFile = true;
    try {
      await serveFile(ctx, async () => {
        isFile = false;
      });
    } catch (error) {
      // A browser may ask for an address that cannot be a file name: the client shows its page for unknown addresses.
      if (!isBrowsing(ctx)) throw error;
      isFile = false;
    }
    if (!isFile) await next();
  };
}

/** True when a browser navigates to this address; resources that a page loads do not accept HTML. */
function isBrowsing(ctx: Koa.Context): boolean {
  return ctx.get('Accept').includes('text/html');
}

/** Serves the page of the app at its addresses, and the front page at every other one. */
export function clientPage(webRoot: string): Koa.Middleware {
  const app = path.join(webRoot, 'index.html');
  const front = path.join(webRoot, 'front.html');
  return async (ctx) => {
    const readable = ctx.method === 'GET' || ctx.method === 'HEAD';
    // A missing script must fail as such: served as a page it would be a syntax error elsewhere.
    const isPage = isBrowsing(ctx) || (path.extname(ctx.path) === '' && ctx.accepts('html'));
    if (!readable || !isPage || ctx.path.startsWith('/assets/')) throw new PublicError('not-found');
    const page = isAppPage(ctx.path) ? app : front;
    const found = await stat(page).catch(() => null); // not built
    if (!found) throw new PublicError('not-found');
    sendFile(ctx, page, 'html', found);
  };
}

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
