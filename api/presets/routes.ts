import type { RouterInstance } from '@koa/router';
import { presetCalls } from '../../common/presets/http.ts';
import { register } from '../http/route.ts';
import { type Presets, presetFields } from './service.ts';

export function presetRoutes(router: RouterInstance, { presets }: { presets: Presets }): void {
  register(router, presetCalls.list, async (_input, { user }) => {
    const newestFirst = await presets.list(user, user._id.toHexString());
    return newestFirst.toReversed();
  });

  register(router, presetCalls.create, ({ body }, { user }) =>
    presets.create(user, user._id.toHexString(), presetFields(body)),
  );

  register(router, presetCalls.replace, ({ params, body }, { user }) =>
    presets.change(user, params.id, presetFields(body)),
  );

  register(router, presetCalls.remove, async ({ params }, { user }) => {
    await presets.remove(user, params.id);
    return { ok: true as const };
  });
}
