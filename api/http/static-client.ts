import { stat } from 'node:fs/promises';
import path from 'node:path';
import type Koa from 'koa';
import serve from 'koa-static';
import { PublicError } from '../../common/errors.ts';
import { sendFile } from './send-file.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

/** The built client: files with a hash in their name for ever, everything else asked for anew each time. */
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
      // What can't be the name of a file may still be typed into a browser: the client says that there is no such page.
      if (!isBrowsing(ctx)) throw error;
      isFile = false;
    }
    if (!isFile) await next();
  };
}

/** True when somebody goes to this address in a browser; what a page loads by itself asks for other things than HTML. */
function isBrowsing(ctx: Koa.Context): boolean {
  return ctx.get('Accept').includes('text/html');
}

/** Answers every other address with the client's page, which does its own routing. */
export function clientPage(webRoot: string): Koa.Middleware {
  const page = path.join(webRoot, 'index.html');
  return async (ctx) => {
    const readable = ctx.method === 'GET' || ctx.method === 'HEAD';
    // A missing script must fail as such: as a page it would be a syntax error somewhere else.
    const isPage = isBrowsing(ctx) || (path.extname(ctx.path) === '' && ctx.accepts('html'));
    if (!readable || !isPage || ctx.path.startsWith('/assets/')) throw new PublicError('not-found');
    const found = await stat(page).catch(() => null); // not built: the same as not there
    if (!found) throw new PublicError('not-found');
    sendFile(ctx, page, 'html', found);
  };
}
