import type { RouterInstance } from '@koa/router';
import { type ErrorCode, PublicError } from '../../../common/errors.ts';
import { mostFees } from '../../../common/trading/fills.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { Order } from '../../../common/trading/order.ts';
import { type Reason, type ReasonCode, reasonText } from '../../../common/trading/reasons.ts';
import type { AdminActions } from '../../audit/admin-actions.ts';
import { actorOf, requireOwnObject } from '../../http/caller.ts';
import type { Limiter } from '../../http/limits/rate-limits.ts';
import { register } from '../../http/route.ts';
import type { KeyTrading } from '../key-trading.ts';
import type { OrderRecord } from './model.ts';
import type { Placement, Placing } from './place.ts';
import { presentOrder } from './present.ts';
import type { OrderStore, Orders } from './store.ts';

/** Returns a placed order as clients receive it. Throws the error of one that was not placed. */
export function placedOrder(placement: Placement): Order {
  switch (placement.type) {
    case 'placed':
      return presentOrder(placement.order);
    case 'refused':
      throw refusalError(placement.reason);
    case 'unconfirmed':
      throw new PublicError('confirm-needed', { details: { accept: placement.warnings } });
    case 'unknown-token':
      throw new PublicError('token-not-found');
  }
}

export function orderRoutes(
  router: RouterInstance,
  deps: {
    placing: Placing;
    orders: Orders;
    store: Pick<OrderStore, 'list'>;
    /** Has the worker read an order again. */
    wake(orderId: string): void;
    keyTrading: KeyTrading;
    adminActions: AdminActions;
    limits: { quotes: Limiter; orders: Limiter };
  },
): void {
  const { placing, orders, store, keyTrading, adminActions, limits } = deps;

  /** Returns an order by its id. Throws `not-found`. */
  async function required(id: string): Promise<OrderRecord> {
    const order = await orders.find(id);
    if (!order) throw new PublicError('not-found');
    return order;
  }

  register(router, tradingCalls.quote, async ({ query: { mode: shownMode, ...request } }, { user }) => {
    const userId = user._id.toHexString();
    await limits.quotes.count(userId);
    const response = await placing.quote(userId, { ...request, shownMode });
    if (!response) throw new PublicError('token-not-found');
    return response;
  });

  register(router, tradingCalls.createOrder, async ({ body }, { user, ctx }) => {
    const userId = user._id.toHexString();
    await limits.orders.count(userId);
    const { clientId, mode: shownMode, from, least, ...request } = body;
    const key = `${from}:${clientId}`;
    const place = () =>
      placing.place(userId, {
        ...request,
        shownMode,
        least: least === undefined ? undefined : BigInt(least),
        key,
        cause: { kind: from, name: null },
      });
    const { apiKey } = ctx.state;
    if (apiKey === undefined) return placedOrder(await place());
    const purchase =
      request.side === 'buy' && request.lamports !== undefined
        ? { lamports: request.lamports, feesLamports: mostFees(await placing.terms(userId, request)) }
        : null;
    return placedOrder(await keyTrading.place(apiKey, { mode: shownMode, orderKey: key, purchase }, place));
  });

  register(router, tradingCalls.cancelOrder, async ({ params }, { user }) => {
    const order = await required(params.id);
    // Not even an administrator trades in another user's name.
    requireOwnObject(user, order.userId.toHexString());
    const cancelled = await orders.cancel(order);
    deps.wake(params.id);
    return presentOrder(cancelled);
  });

  register(router, tradingCalls.orders, async ({ query: { userId: asked, ...query } }, { user, ctx }) => {
    const userId = asked ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'orders', 'trading-looked-up');
    return (await store.list(userId, query)).map(presentOrder);
  });

  register(router, tradingCalls.order, async ({ params }, { user, ctx }) => {
    const order = await required(params.id);
    const userId = order.userId.toHexString();
    if (!user.isAdmin) requireOwnObject(user, userId);
    // An entry of its own: a look at the list a moment before does not stand for it.
    await adminActions.authorizeLook(actorOf(user, ctx), userId, `order ${params.id}`, 'trading-looked-up');
    return presentOrder(order);
  });
}

/** Error codes of refusals; every other reason is `not-tradable`. */
const codes: Partial<Record<ReasonCode, ErrorCode>> = {
  'trading-off': 'trading-off',
  'stopped-all': 'trading-stopped',
  stopped: 'trading-stopped',
  'no-wallet': 'no-wallet',
  'no-key': 'no-key',
  'mode-changed': 'confirm-needed',
  'no-position': 'not-found',
  'per-trade': 'over-limit',
  'day-budget': 'day-budget',
  'open-positions': 'too-many-open',
  'day-loss': 'day-loss',
  cooldown: 'cooldown',
  'unknown-orders': 'unknown-orders',
  balance: 'no-money',
  'no-tokens': 'no-tokens',
  'being-sold': 'being-sold',
  blacklisted: 'blacklisted',
  slippage: 'slippage',
  impact: 'impact',
  'too-small': 'too-small',
  stale: 'stale-market',
};

/** Returns the error of a refused order: its sentence, and its figures by their names in `details`. */
export function refusalError(refused: Reason): PublicError {
  const details = Object.fromEntries(Object.entries(refused.numbers).map(([name, figure]) => [name, [String(figure)]]));
  return new PublicError(codes[refused.code] ?? 'not-tradable', {
    text: reasonText(refused),
    ...(Object.keys(details).length > 0 ? { details } : {}),
  });
}
