import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { type GuideForm, USER_GUIDE_IMAGES, userGuidePaths } from '../../common/docs/paths.ts';
import { PublicError } from '../../common/errors.ts';
import { sendFile } from '../http/send-file.ts';
import { guideFiles } from './files.ts';

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
