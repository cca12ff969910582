import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { API_REFERENCE, type GuideForm, OPEN_API, USER_GUIDE_IMAGES, userGuidePaths } from '../../common/docs/paths.ts';
import { PublicError } from '../../common/errors.ts';
import { createJsonText, type JsonText, sendJson } from '../http/json-text.ts';
import { sendFile } from '../http/static-client.ts';
import { guideFiles } from './files.ts';
import { openApi } from './reference/open-api.ts';
import { referencePage } from './reference/page.ts';

/** Content types. `charset` lets browsers show the Markdown source as text. */
const types: Record<GuideForm, string> = {
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
};
const forms: readonly GuideForm[] = ['markdown', 'html', 'pdf'];

/** Registers the files of the user guide, which need neither a session nor the database. `guideRoot`: their folder. */
export function docsRoutes(router: RouterInstance, { guideRoot }: { guideRoot: string }): void {
  for (const form of forms) {
    router.get(userGuidePaths[form], async (ctx: Koa.Context) => {
      await send(ctx, path.join(guideRoot, guideFiles[form]), types[form]);
      if (form === 'pdf') ctx.set('Content-Disposition', 'inline; filename="mintwatch-user-guide.pdf"');
    });
  }
  router.get(`${USER_GUIDE_IMAGES}:name`, async (ctx: Koa.Context) => {
    const name = ctx.path.slice(USER_GUIDE_IMAGES.length);
    // Only plain file names: no other file of the disk can be requested.
    if (!/^[a-z0-9-]+\.png$/.test(name)) throw new PublicError('not-found');
    await send(ctx, path.join(guideRoot, 'images', name), 'image/png');
  });
}

async function send(ctx: Koa.Context, file: string, type: string): Promise<void> {
  // A guide that was not generated is not found.
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new PublicError('not-found');
  sendFile(ctx, file, type, found);
}

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
