import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { type GuideForm, USER_GUIDE_IMAGES, userGuidePaths } from '../../common/docs/userGuide.ts';
import { PublicError } from '../../common/errors.ts';
import { guideFiles } from './files.ts';

/** `charset` lets browsers show the Markdown source as text. */
const types: Record<GuideForm, string> = {
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
};
const forms: readonly GuideForm[] = ['markdown', 'html', 'pdf'];

/** The user guide's files, for everybody and without the database. `guideRoot`: where they were made. */
export function docsRoutes(router: RouterInstance, { guideRoot }: { guideRoot: string }): void {
  for (const form of forms) {
    router.get(userGuidePaths[form], async (ctx: Koa.Context) => {
      await sendFile(ctx, path.join(guideRoot, guideFiles[form]), types[form]);
      if (form === 'pdf') ctx.set('Content-Disposition', 'inline; filename="mintwatch-user-guide.pdf"');
    });
  }
  router.get(`${USER_GUIDE_IMAGES}:name`, async (ctx: Koa.Context) => {
    const name = ctx.path.slice(USER_GUIDE_IMAGES.length);
    // A plain file name, so that nothing else of the disk can be asked for.
    if (!/^[a-z0-9-]+\.png$/.test(name)) throw new PublicError('not-found');
    await sendFile(ctx, path.join(guideRoot, 'images', name), 'image/png');
  });
}

async function sendFile(ctx: Koa.Context, file: string, type: string): Promise<void> {
  // Not made yet, or taken away: the same as not there.
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new PublicError('not-found');
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
