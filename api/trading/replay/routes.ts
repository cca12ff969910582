import type { RouterInstance } from '@koa/router';
import { replayCalls } from '../../../common/replay/http.ts';
import { register } from '../../http/route.ts';
import type { Replays } from './service.ts';

export function replayRoutes(router: RouterInstance, { replays }: { replays: Replays }): void {
  register(router, replayCalls.hours, () => replays.hours());

  register(router, replayCalls.start, ({ body: { hour, plan } }, { user }) =>
    replays.start(user._id.toHexString(), hour, plan),
  );

  register(router, replayCalls.read, ({ params }, { user }) => replays.read(user._id.toHexString(), params.id));

  register(router, replayCalls.cancel, ({ params }, { user }) => replays.cancel(user._id.toHexString(), params.id));
}
