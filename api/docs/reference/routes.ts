import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { API_REFERENCE, OPEN_API } from '../../../common/docs/paths.ts';
import { createJsonText, type JsonText, sendJson } from '../../http/json-text.ts';
import { openApi } from './open-api.ts';
import { referencePage } from './page.ts';

/** Registers the API reference as a page and as JSON. Like the user guide it needs neither a session nor the database. */
export function referenceRoutes(router: RouterInstance, { version }: { version: string }): void {
  let made: { json: JsonText; page: string } | null = null;
  // Made at the first request, since most servers never get one.
  function reference(): { json: JsonText; page: string } {
    if (made !== null) return made;
    const api = openApi(version);
    made = { json: createJsonText(api), page: referencePage(api) };
    return made;
  }
  router.get(API_REFERENCE, (ctx: Koa.Context) => {
    const { page } = reference();
    ctx.type = 'text/html; charset=utf-8';
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = page;
  });
  router.get(OPEN_API, (ctx: Koa.Context) => sendJson(ctx, reference().json));
}
