import { useMemo } from 'react';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import type { Order } from '../../../common/trading/order.ts';
import type { Position, PositionValue } from '../../../common/trading/position.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { callQuery, updateQuery } from '../../http/query.ts';
import { earlyQueryAtom, type UserQuery, userQueryAtom, useUserQuery } from '../../live/hooks/use-user-query.ts';
import { type Atom, atom, queryClientAtom, type Store, selectAtom, useAtomValue } from '../../store.ts';
import { pressedAtom } from './pressed.ts';
import { type Keyed, mergeNewest, newestOf, withNewest } from './versions.ts';

/** Open positions that a page shows, at most; accounts may have 100. */
const OPEN_MAX = 200;
/** Orders of a token that its page shows. */
const ORDERS_OF_TOKEN = 50;
/** Orders kept from events. A fetch after a reconnect covers older ones. */
const KEPT_MAX = 500;

/** Cache keys of the user's trading: everything that a reconnect fetches again. */
export const tradingKeys = {
  account: [tradingCalls.account.path],
  orders: [tradingCalls.orders.path],
  positions: [tradingCalls.positions.path],
  profit: [tradingCalls.profit.path],
  stopReport: [tradingCalls.stopReport.path],
};

const openCall = callQuery(tradingCalls.positions, { query: { state: 'open', limit: OPEN_MAX } });
const accountQuery = earlyQueryAtom<typeof tradingCalls.account>(callQuery(tradingCalls.account, {}));
const openQuery = userQueryAtom<typeof tradingCalls.positions>(openCall);

/** The user's trading account; null while unknown. */
const accountAtom: Atom<TradingAccount | null> = atom((get) => get(accountQuery).data ?? null);

/** Open positions, newest first; null while unknown. */
export const openPositionsAtom: Atom<readonly Position[] | null> = atom(
  (get) => get(openQuery).data?.toSorted((one, other) => other.openedAt.localeCompare(one.openedAt)) ?? null,
);

/** Orders received by events, and by responses to changes. Lists that were fetched are shown with these changes. */
export const receivedOrdersAtom = atom<Keyed<Order>>(new Map());

export function receiveOrder(store: Store, order: Order): void {
  store.set(receivedOrdersAtom, (known) => withNewest(known, order, KEPT_MAX));
}

/** Applies a position from an event: it is added, changed, or removed once it is closed. */
export function receivePosition(store: Store, position: Position): void {
  updateOpen(store, (open) => {
    const known = open.find(({ id }) => id === position.id);
    if (known !== undefined && known.version >= position.version) return open;
    const others = open.filter(({ id }) => id !== position.id);
    return position.status === 'closed' ? others : [...others, withValue(position, known?.value)];
  });
}

/** Applies the response to a change of a position. An event may have closed it before. */
export function receiveChanged(store: Store, position: Position): void {
  updateOpen(store, (open) =>
    open.map((known) =>
      known.id === position.id && known.version < position.version ? withValue(position, known.value) : known,
    ),
  );
}

/** Applies new values of open positions. */
export function receiveValues(store: Store, values: readonly { id: string; value: PositionValue }[]): void {
  const byId = new Map(values.map(({ id, value }) => [id, value]));
  updateOpen(store, (open) => open.map((position) => withValue(position, byId.get(position.id))));
}

function updateOpen(store: Store, change: (open: readonly Position[]) => readonly Position[]): void {
  updateQuery<readonly Position[]>(store.get(queryClientAtom), openCall.queryKey, (open) => open && change(open));
}

function withValue(position: Position, value: PositionValue | null | undefined): Position {
  return value != null && value.at > (position.value?.at ?? '') ? { ...position, value } : position;
}

export function receiveAccount(store: Store, account: TradingAccount): void {
  // The same version may have a newer budget.
  updateQuery<TradingAccount>(store.get(queryClientAtom), tradingKeys.account, (known) => newestOf(account, known));
}

/** Applies the report of a stop, unless that of a later stop, or a later version, is known. */
export function receiveReport(store: Store, report: StopReport): void {
  updateQuery<StopReport | null>(store.get(queryClientAtom), tradingKeys.stopReport, (known) => {
    if (known == null) return report;
    return known.at === report.at ? newestOf(report, known) : report.at > known.at ? report : known;
  });
}

/** Forgets the orders, when another user signs in. */
export function forgetReceived(store: Store): void {
  store.set(receivedOrdersAtom, new Map());
  store.set(pressedAtom, new Map());
}

/** Returns whether an order waits for the chain or for its turn. */
export function isPending(order: Order): boolean {
  return !isFinal(order.status);
}

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
