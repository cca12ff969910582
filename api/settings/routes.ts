import type { RouterInstance } from '@koa/router';
import { settingsCalls } from '../../common/settings/http.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { SettingsService } from './service.ts';

export function settingsRoutes(router: RouterInstance, { settings }: { settings: SettingsService }): void {
  register(router, settingsCalls.get, (_input, { user }) => settings.get(user._id.toHexString()));

  register(router, settingsCalls.change, ({ body }, { user, ctx, confirmReplacement }) =>
    settings.change(user._id.toHexString(), body, { ...actorOf(user, ctx), confirmReplacement }),
  );
}
