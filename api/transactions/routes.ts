import type { RouterInstance } from '@koa/router';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import { actorOf, requireOwner } from '../http/caller.ts';
import { register } from '../http/route.ts';
import { presentTransaction } from './present.ts';
import type { Transactions } from './service.ts';

export function transactionRoutes(
  router: RouterInstance,
  {
    transactions,
    adminActions,
  }: { transactions: Pick<Transactions, 'list' | 'count' | 'record'>; adminActions: AdminActions },
): void {
  register(router, transactionCalls.list, async ({ params: { userId }, query }, { ctx, user }) => {
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'transactions');
    const [records, total] = await Promise.all([transactions.list(userId, query), transactions.count(userId, query)]);
    ctx.set(TOTAL_COUNT_HEADER, String(total));
    return records.map(presentTransaction);
  });

  register(router, transactionCalls.record, async ({ params: { userId }, body }, { user }) => {
    // Not even an administrator signs in another user's name.
    requireOwner(user, userId);
    return presentTransaction(await transactions.record(userId, body));
  });
}
