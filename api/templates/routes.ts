import type { RouterInstance } from '@koa/router';
import { PublicError } from '../../common/errors.ts';
import { templateCalls } from '../../common/templates/http.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenQueries } from '../tokens/service.ts';
import type { Templates } from './service.ts';

/** Registers the calls of administrators for notification templates. */
export function templateRoutes(
  router: RouterInstance,
  { templates, queries }: { templates: Templates; queries: Pick<TokenQueries, 'byAddress' | 'list'> },
): void {
  register(router, templateCalls.list, () => templates.list());

  register(router, templateCalls.create, ({ body }, { user, ctx }) => templates.create(body, actorOf(user, ctx)));

  register(router, templateCalls.change, ({ params: { id }, body }, { user, ctx }) =>
    templates.change(id, body, actorOf(user, ctx)),
  );

  register(router, templateCalls.remove, async ({ params: { id } }, { user, ctx }) => {
    await templates.remove(id, actorOf(user, ctx));
    return { id };
  });

  register(router, templateCalls.preview, async ({ body: { template, address } }) => {
    const [newest = null] = address === undefined ? (await queries.list({ limit: 1 })).records : [];
    const record = address === undefined ? newest : await queries.byAddress(address);
    if (!record) throw new PublicError('token-not-found');
    return templates.preview(template, presentToken(record));
  });
}
