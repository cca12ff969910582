import type { ServerResponse } from 'node:http';
import type { RouterInstance } from '@koa/router';
import { PublicError } from '../../common/errors.ts';
import { ruleAsPlan } from '../../common/rules/conditions.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { register } from '../http/route.ts';
import type { Previews } from './service.ts';

/** Previews show what would have happened if the rule or strategy had been active and a wallet set. */
export function previewRoutes(router: RouterInstance, { previews }: { previews: Previews }): void {
  register(router, ruleCalls.preview, ({ body }, { ctx, user }) =>
    previews.run(user._id.toHexString(), ruleAsPlan({ ...body, isActive: true }, true), {}, whileConnected(ctx.res)),
  );

  register(router, strategyCalls.preview, ({ body }, { ctx, user }) =>
    previews.run(user._id.toHexString(), { ...body, isActive: true, hasWallet: true }, body, whileConnected(ctx.res)),
  );
}

/** Aborted when the connection closes, so that a user who left the form does not wait for the next preview. */
function whileConnected(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  // The error reaches no client; as a public error it is not logged as a fault.
  response.once('close', () => leaving.abort(new PublicError('unavailable')));
  return leaving.signal;
}
