import { PublicError } from '../../common/errors.ts';
import type { TradingMode } from '../../common/trading/account.ts';
import type { ApiKeys, KeyPurchase } from '../api-keys/service.ts';
import type { RequestKey } from '../http/key-caller.ts';
import type { StopAll } from './accounts/store.ts';
import type { Placement } from './orders/place.ts';
import type { OrderStore } from './orders/store.ts';
import type { StopStore } from './stop/model.ts';

/** Trades of programs: within the rights and limits of their API keys, beside all guards of the account. */
export type KeyTrading = ReturnType<typeof createKeyTrading>;

export function createKeyTrading(deps: {
  apiKeys: Pick<ApiKeys, 'endStopped' | 'spend'>;
  stopAll: Pick<StopAll, 'since'>;
  stops: Pick<StopStore, 'last'>;
  orders: Pick<OrderStore, 'findByKey'>;
}) {
  const { apiKeys, stopAll, stops, orders } = deps;

  /**
   * Checks that a key may trade in this mode now. Throws `unauthenticated` after a stop, which is read from the database and ends the
   * key, or `forbidden`.
   */
  async function requireTrade(key: RequestKey, mode: TradingMode): Promise<void> {
    const since = key.createdAt.getTime();
    const [own, all] = await Promise.all([stops.last(key.userId.toHexString()), stopAll.since(since)]);
    if (all.length > 0 || (own !== null && own.at.getTime() >= since)) {
      await apiKeys.endStopped(key);
      throw new PublicError('unauthenticated', { text: 'A stop of trading has ended this API key.' });
    }
    if (mode === 'live' && key.limits?.tradesLive !== true) {
      throw new PublicError('forbidden', { text: 'This API key may not trade with real money.' });
    }
  }

  return {
    requireTrade,
    /**
     * Places an order by `place`. `purchase`: counted against the limits of the key unless the order with `orderKey` exists already;
     * null for a sale.
     */
    async place(
      key: RequestKey,
      { mode, orderKey, purchase }: { mode: TradingMode; orderKey: string; purchase: KeyPurchase | null },
      place: () => Promise<Placement>,
    ): Promise<Placement> {
      await requireTrade(key, mode);
      const isNew = purchase !== null && (await orders.findByKey(key.userId.toHexString(), orderKey)) === null;
      const takeBack = isNew ? await apiKeys.spend(key, purchase) : async () => {};
      let placement: Placement | null = null;
      try {
        placement = await place();
        return placement;
      } finally {
        if (placement?.type !== 'placed') await takeBack();
      }
    },
  };
}
