import type { RouterInstance } from '@koa/router';
import { ruleAsPlan } from '../../common/rules/conditions.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { register } from '../server/register.ts';
import type { Previews } from './service.ts';

/** Previews show what would have happened if the rule or strategy had been active and a wallet set. */
export function previewRoutes(router: RouterInstance, { previews }: { previews: Previews }): void {
  register(router, ruleCalls.preview, ({ body }, { user }) =>
    previews.run(user._id.toHexString(), ruleAsPlan({ ...body, isActive: true }, true), {}),
  );

  register(router, strategyCalls.preview, ({ body }, { user }) =>
    previews.run(user._id.toHexString(), { ...body, isActive: true, hasWallet: true }, body),
  );
}
