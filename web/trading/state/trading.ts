import { useMemo } from 'react';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { Order } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import { callQuery } from '../../http/query.ts';
import { earlyQueryAtom, type UserQuery, userQueryAtom, useUserQuery } from '../../live/hooks/use-user-query.ts';
import { type Atom, atom, selectAtom, useAtomValue } from '../../store.ts';
import { receivedAccountAtom, receivedOrdersAtom, receivedPositionsAtom, receivedValuesAtom } from './received.ts';
import { mergeNewest, newestOf } from './versions.ts';

/** Open positions that a page shows, at most; accounts may have 100. */
const OPEN_MAX = 200;
/** Orders of a token that its page shows. */
const ORDERS_OF_TOKEN = 50;

/** Cache keys of the user's trading: everything that a reconnect fetches again. */
export const tradingKeys = {
  account: [tradingCalls.account.path],
  orders: [tradingCalls.orders.path],
  positions: [tradingCalls.positions.path],
  profit: [tradingCalls.profit.path],
  stopReport: [tradingCalls.stopReport.path],
};

const accountQuery = earlyQueryAtom<typeof tradingCalls.account>(callQuery(tradingCalls.account, {}));
const openQuery = userQueryAtom<typeof tradingCalls.positions>(
  callQuery(tradingCalls.positions, { query: { state: 'open', limit: OPEN_MAX } }),
);

/** The user's trading account; null while unknown. */
const accountAtom: Atom<TradingAccount | null> = atom((get) => {
  const received = get(receivedAccountAtom);
  const { data } = get(accountQuery);
  return data === undefined ? received : newestOf(data, received);
});

/** Open positions, newest first; null while unknown. */
export const openPositionsAtom: Atom<readonly Position[] | null> = atom((get) => {
  const { data } = get(openQuery);
  if (data === undefined) return null;
  const values = get(receivedValuesAtom);
  return mergeNewest(data, get(receivedPositionsAtom), ({ status }) => status !== 'closed')
    .map((position) => {
      const value = values.get(position.id);
      return value !== undefined && value.at > (position.value?.at ?? '') ? { ...position, value } : position;
    })
    .sort((one, other) => other.openedAt.localeCompare(one.openedAt));
});

/** Addresses of tokens that the user holds in the present mode. */
const heldAtom = selectAtom(
  atom((get) => {
    const mode = get(accountAtom)?.mode ?? null;
    const held = get(openPositionsAtom) ?? [];
    return new Set(held.filter((one) => one.mode === mode).map(({ token }) => token.address));
  }),
  (held) => held,
  (one, other) => one.size === other.size && [...one].every((address) => other.has(address)),
);

const accountFetchedAtom = atom((get) => get(accountQuery).isFetched);

/** State of fetching the open positions. */
const openStateAtom = atom((get) => {
  const { error, isFetching, refetch } = get(openQuery);
  return { error: error === null ? null : error.message, loading: isFetching, reload: () => void refetch() };
});

/** Returns the trading account of the user; null while unknown. */
export function useTradingAccount(): TradingAccount | null {
  return useAtomValue(accountAtom);
}

/** Returns whether the trading account has been fetched, or could not be. */
export function useTradingAccountFetched(): boolean {
  return useAtomValue(accountFetchedAtom);
}

/** Returns the query of the account, for its error. */
export function useAccountQuery(): { error: string | null; loading: boolean; reload: () => void } {
  const { error, isFetching, refetch } = useAtomValue(accountQuery);
  return { error: error === null ? null : error.message, loading: isFetching, reload: () => void refetch() };
}

/** Returns the open positions of all modes, newest first; null while unknown. */
export function useOpenPositions(): readonly Position[] | null {
  return useAtomValue(openPositionsAtom);
}

export function useOpenPositionsState(): { error: string | null; loading: boolean; reload: () => void } {
  return useAtomValue(openStateAtom);
}

/** Returns whether the user holds this token in the present mode. Changes with this token alone. */
export function useIsHeld(address: string): boolean {
  return useAtomValue(useMemo(() => selectAtom(heldAtom, (held) => held.has(address)), [address]));
}

/** Returns the user's orders of a token, newest first. */
export function useOrdersOf(address: string): UserQuery<readonly Order[]> {
  const query = useUserQuery(tradingCalls.orders, { query: { address, limit: ORDERS_OF_TOKEN } });
  const received = useAtomValue(receivedOrdersAtom);
  const data = useMemo(
    () =>
      query.data &&
      mergeNewest(query.data, received, ({ token }) => token.address === address).sort((one, other) =>
        other.times.created.localeCompare(one.times.created),
      ),
    [query.data, received, address],
  );
  return { ...query, data };
}

/** Returns an order in its newest version. */
export function useNewestOrder(order: Order): Order {
  return newestOf(order, useAtomValue(receivedOrdersAtom).get(order.id));
}
