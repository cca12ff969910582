import { useCallback } from 'react';
import type { UserData } from '../../common/live/user-data.ts';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import type { WatchEntry, WatchlistName } from '../../common/watchlists/model.ts';
import { sessionAtom } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { atom, type QueryClient, queryClientAtom, type Store, useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { dismissToast, toast } from '../ui/toast-store.ts';
import { applyUserData, userKeys } from '../users/user-cache.ts';

/** Labels of the lists. */
export const listLabels: Record<WatchlistName, string> = { watch: 'Watchlist', white: 'Whitelist', black: 'Blacklist' };

/** List that excludes another one: a token is white or black at most, also on the server. */
const opposite: Record<WatchlistName, WatchlistName | null> = { watch: null, white: 'black', black: 'white' };

/** Pending changes: one of each kind per address, so that a double click is one change. */
const pendingAtom = atom<ReadonlySet<string>>(new Set<string>());

interface Change {
  list: WatchlistName;
  address: string;
  /** Whether to add the token, or to remove it. */
  on: boolean;
}

/** Returns a function that adds a token to a list of the user or removes it. */
export function useChangeList(): (change: Change) => void {
  const store = useStore();
  return useCallback((change: Change) => void changeList(store, change), [store]);
}

/** Changes a list at once on screen, then on the server. A failure reverts it and shows a toast. Never rejects. */
async function changeList(store: Store, change: Change): Promise<void> {
  const { list, address, on } = change;
  const session = store.get(sessionAtom);
  const key = `${opposite[list] === null ? list : 'white or black'}:${address}`;
  if (session === null || session === 'unknown' || store.get(pendingAtom).has(key)) return;
  store.set(pendingAtom, (before) => new Set(before).add(key));
  const client = store.get(queryClientAtom);
  const isSame = () => {
    const now = store.get(sessionAtom);
    return now !== null && now !== 'unknown' && now.id === session.id;
  };
  // A response from before the change must not revert it.
  await client.cancelQueries({ queryKey: userKeys.watchlists });
  const undo = applyToCache(client, change);
  try {
    const saved = await send(change);
    if (!isSame()) return;
    for (const one of changesOf(change, saved)) applyUserData(client, session.id, one);
    toastDone(store, change);
  } catch (reason) {
    if (!isSame()) return;
    undo();
    const text = reason instanceof HttpError ? reason.message : 'Something went wrong. Nothing was changed.';
    const what = on ? 'added to' : 'removed from';
    toast({
      title: 'Error',
      description: `The token was not ${what} your ${listLabels[list]}: ${text}`,
      variant: 'destructive',
    });
  } finally {
    store.set(pendingAtom, (before) => new Set([...before].filter((one) => one !== key)));
    // Only without pending changes: a response without them would revert them on screen.
    if (isSame() && store.get(pendingAtom).size === 0) {
      void client.invalidateQueries({ queryKey: userKeys.watchlists });
    }
  }
}

async function send({ list, address, on }: Change): Promise<WatchEntry | null> {
  const input = { params: { list, address } };
  if (on) return (await request(watchlistCalls.add, input)).data;
  await request(watchlistCalls.remove, input);
  return null;
}

/** Returns the changes that the server made, as it sends them to the user's other tabs. */
function changesOf({ list, address }: Change, saved: WatchEntry | null): UserData[] {
  if (saved === null) return [{ subject: 'watchlists', op: 'deleted', item: { list, address } }];
  const from = opposite[list];
  const left: UserData[] = from ? [{ subject: 'watchlists', op: 'deleted', item: { list: from, address } }] : [];
  return [...left, { subject: 'watchlists', op: 'saved', item: saved }];
}

/** Applies a change to the cache. Returns the function that reverts it and keeps later changes by others. */
function applyToCache(client: QueryClient, { list, address, on }: Change): () => void {
  const touches = (one: WatchEntry) => one.address === address && (one.list === list || one.list === opposite[list]);
  const before = (client.getQueryData<WatchEntry[]>(userKeys.watchlists) ?? []).filter(touches);
  const show = (change: (entries: WatchEntry[]) => WatchEntry[]) =>
    client.setQueryData<WatchEntry[]>(userKeys.watchlists, (entries) => entries && change(entries));
  const known = before.find((one) => one.list === list);
  const entry = known ?? { list, address, addedAt: new Date().toISOString() };
  show((entries) => {
    const rest = entries.filter((one) => !touches(one) || (!on && one.list !== list));
    return on ? [entry, ...rest] : rest;
  });
  return () => show((entries) => byTime([...before, ...entries.filter((one) => !touches(one))]));
}

/** Sorts entries, latest added first. */
function byTime(entries: WatchEntry[]): WatchEntry[] {
  return entries.sort((one, other) => (one.addedAt < other.addedAt ? 1 : -1));
}

function toastDone(store: Store, change: Change): void {
  const { list, on } = change;
  const title = `${on ? 'Added to' : 'Removed from'} ${listLabels[list]}`;
  if (list !== 'black' || !on) {
    toast({ title });
    return;
  }
  // The row has just vanished from under the pointer, so the undo must be in sight.
  const id: string = toast({
    title,
    description: 'It is hidden from your lists and never bought for you.',
    action: (
      <Button
        size="sm"
        onClick={() => {
          dismissToast(id);
          void changeList(store, { ...change, on: false });
        }}
      >
        Undo
      </Button>
    ),
  });
}
