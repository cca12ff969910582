import type { ServerResponse } from 'node:http';
import type { RouterInstance } from '@koa/router';
import { PublicError } from '../../common/errors.ts';
import { ruleAsPlan } from '../../common/rules/conditions.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { register } from '../http/route.ts';
import type { Previews } from './service.ts';

/** Registers the previews, which treat the rule or strategy as active and its user as having a wallet. */
export function previewRoutes(router: RouterInstance, { previews }: { previews: Previews }): void {
  register(router, ruleCalls.preview, ({ body }, { ctx, user }) => {
    const { buyAmount, maxSlippage } = body;
    const plan = ruleAsPlan({ ...body, isActive: true }, true);
    const planned = { plan, buyAmount, maxSlippage, exits: { kind: 'rule' } } as const;
    return previews.run(user._id.toHexString(), planned, whileConnected(ctx.res));
  });

  register(router, strategyCalls.preview, ({ body }, { ctx, user }) => {
    const { buyAmount, maxSlippage, stopLoss, takeProfit } = body;
    const plan = { ...body, isActive: true, hasWallet: true };
    const planned = { plan, buyAmount, maxSlippage, exits: { kind: 'strategy', stopLoss, takeProfit } } as const;
    return previews.run(user._id.toHexString(), planned, whileConnected(ctx.res));
  });
}

/** Returns a signal that aborts when the connection closes: an abandoned preview must not delay the next one. */
function whileConnected(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  // No client receives the error; a public error is not logged as a fault.
  response.once('close', () => closed.abort(new PublicError('unavailable')));
  return closed.signal;
}
