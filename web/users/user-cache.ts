import { useEffect } from 'react';
import { alertCalls } from '../../common/alerts/http.ts';
import { alertRuleCalls } from '../../common/alerts/rules/http.ts';
import type { UserData } from '../../common/live/user-data.ts';
import { presetCalls } from '../../common/presets/http.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import { settingsCalls } from '../../common/settings/http.ts';
import type { Settings } from '../../common/settings/model.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import { userCalls } from '../../common/users/http.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import type { WatchEntry } from '../../common/watchlists/model.ts';
import { webhookCalls } from '../../common/webhook/http.ts';
import { useUserId } from '../auth/session.ts';
import { addressOf } from '../http/client.ts';
import { updateQuery } from '../http/query.ts';
import { isLiveAtom } from '../live/atoms/atoms.ts';
import { useLiveMarket } from '../live/live.ts';
import { type QueryClient, queryClientAtom, useAtomValue, useStore } from '../store.ts';

/** Cache keys of a user's data, as `callQuery` creates them. */
export const userKeys = {
  rules: [ruleCalls.list.path],
  strategies: [strategyCalls.list.path],
  presets: [presetCalls.list.path],
  watchlists: [watchlistCalls.list.path],
  settings: [settingsCalls.get.path],
  telegram: [telegramCalls.link.path],
  alerts: [alertCalls.list.path],
  alertRules: [alertRuleCalls.list.path],
  webhook: [webhookCalls.get.path],
  tokensOf: (list: WatchEntry['list']) => [addressOf(watchlistCalls.tokens, { list }, {})],
  wallet: (userId: string) => [addressOf(walletCalls.get, { userId }, {})],
  previousWallets: (userId: string) => [addressOf(walletCalls.previous, { userId }, {})],
  user: (id: string) => [addressOf(userCalls.get, { id }, {})],
  transactions: (userId: string) => [addressOf(transactionCalls.list, { userId }, {})],
};

/** Applies one change to the cache, so that every page shows it at once. Idempotent. */
export function applyUserData(client: QueryClient, userId: string, change: UserData): void {
  switch (change.subject) {
    case 'rules':
      changeList(client, userKeys.rules, change, sameId);
      return;
    case 'strategies':
      changeList(client, userKeys.strategies, change, sameId);
      return;
    case 'presets':
      // Fetched again rather than changed here: they are few, and a new one stands last.
      void client.invalidateQueries({ queryKey: userKeys.presets });
      return;
    case 'alert-rules':
      // Fetched again, since their counts of the hour change as well.
      void client.invalidateQueries({ queryKey: userKeys.alertRules });
      return;
    case 'webhook':
      updateQuery(client, userKeys.webhook, () => change.item);
      return;
    case 'watchlists':
      changeList(client, userKeys.watchlists, change, sameEntry);
      void client.invalidateQueries({ queryKey: userKeys.tokensOf(change.item.list) });
      return;
    case 'settings':
      updateQuery(client, userKeys.settings, () => change.item);
      return;
    case 'telegram':
      updateQuery(client, userKeys.telegram, () => change.item);
      return;
    case 'wallet':
      updateQuery(client, userKeys.wallet(userId), () => change.item);
      updateQuery<Settings>(client, userKeys.settings, (before) => before && { ...before, wallet: change.item });
      void client.invalidateQueries({ queryKey: userKeys.previousWallets(userId) });
      void client.invalidateQueries({ queryKey: userKeys.user(userId) });
  }
}

/** Refetches all data of the user, after events may have been missed. */
export function refreshUserData(client: QueryClient, userId: string): void {
  const keys = [
    userKeys.rules,
    userKeys.strategies,
    userKeys.presets,
    userKeys.watchlists,
    ...(['watch', 'white', 'black'] as const).map(userKeys.tokensOf),
    userKeys.settings,
    userKeys.telegram,
    userKeys.alerts,
    userKeys.alertRules,
    userKeys.webhook,
    userKeys.wallet(userId),
    userKeys.previousWallets(userId),
    userKeys.user(userId),
    userKeys.transactions(userId),
  ];
  for (const queryKey of keys) void client.invalidateQueries({ queryKey });
}

const sameId = (one: { id: string }, other: { id: string }) => one.id === other.id;
const sameEntry = (one: Pick<WatchEntry, 'list' | 'address'>, other: Pick<WatchEntry, 'list' | 'address'>) =>
  one.list === other.list && one.address === other.address;

/**
 * Replaces a saved item in its place, or adds it at the top; removes a deleted one. A list that was never fetched stays
 * unknown.
 */
function changeList<Item extends Named, Named>(
  client: QueryClient,
  key: string[],
  change: { op: 'saved'; item: Item } | { op: 'deleted'; item: Named },
  same: (one: Named, other: Named) => boolean,
): void {
  updateQuery<Item[]>(client, key, (before) => {
    if (change.op === 'deleted') return before?.filter((one) => !same(one, change.item));
    const { item } = change;
    const isKnown = before?.some((one) => same(one, item));
    return isKnown ? before?.map((one) => (same(one, item) ? item : one)) : before && [item, ...before];
  });
}

/** Applies changes of the user's data by other tabs, the server and the chain. Called once, around the signed-in pages. */
export function useUserEvents(): void {
  const store = useStore();
  const live = useLiveMarket();
  const userId = useUserId();
  const isLive = useAtomValue(isLiveAtom);

  useEffect(() => {
    if (userId === null) return;
    const client = store.get(queryClientAtom);
    const ends = [
      live.on('user-data', (change) => applyUserData(client, userId, change)),
      live.on('transaction', () => void client.invalidateQueries({ queryKey: userKeys.transactions(userId) })),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [store, live, userId]);

  // These events have no numbers: changes from before the room was joined are only found by a fetch.
  useEffect(() => {
    if (userId !== null && isLive) refreshUserData(store.get(queryClientAtom), userId);
  }, [store, userId, isLive]);
}
