import { useCallback, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { z } from 'zod';
import type { Call } from '../../../common/http.ts';
import type { RoomEventName, RoomPayload } from '../../../common/live/events.ts';
import { rooms, type Topic } from '../../../common/live/rooms.ts';
import { useUserId } from '../../auth/session.ts';
import type { RequestInput } from '../../http/client.ts';
import { callQuery, updateQuery } from '../../http/query.ts';
import { queryClientAtom, useAtomValue, useStore } from '../../store.ts';
import { isLiveAtom } from '../atoms/atoms.ts';
import { useLiveMarket } from '../live.ts';
import { type UserQuery, useUserQuery } from './use-user-query.ts';

/** Joins a room while the component is mounted; no room for null. */
export function useRoom(topic: Topic | null): void {
  const live = useLiveMarket();
  // Before the connection of a page's first render begins: its first fetches must find the room joined.
  useLayoutEffect(() => (topic === null ? undefined : live.topics.join(topic)), [live, topic]);
}

/** Joins the room of the signed-in user. Called once, around the signed-in pages. */
export function useUserRoom(): void {
  const userId = useUserId();
  useRoom(userId === null ? null : rooms.user(userId));
}

/** Handles an event while the component is mounted. `handler` may change at every render. */
export function useLiveEvent<Name extends RoomEventName>(
  event: Name,
  handler: (payload: RoomPayload<Name>) => void,
): void {
  const live = useLiveMarket();
  const handle = useEffectEvent(handler);
  useEffect(() => live.on(event, (payload) => handle(payload)), [live, event]);
}

/**
 * Returns the response of a call, updated by an event of a room: `change` computes the new data. Fetched again when the
 * connection comes back and when events were lost, since room events have no numbers, and every minute while the
 * connection is down. `change` must be idempotent: an event that arrives during a fetch is applied before and after it.
 */
export function useRoomQuery<C extends Call, Name extends RoomEventName>(
  call: C,
  input: Omit<RequestInput<C>, 'signal' | 'body'>,
  topic: Topic | null,
  event: Name,
  change: (before: z.output<C['output']>, payload: RoomPayload<Name>) => z.output<C['output']>,
): UserQuery<z.output<C['output']>> {
  const store = useStore();
  const live = useLiveMarket();
  const query = useUserQuery(call, input);
  const { queryKey } = callQuery(call, input);
  const key = queryKey.join('?');
  const refetch = useCallback(() => {
    const client = store.get(queryClientAtom);
    // A fetch in progress is recent enough.
    void client.invalidateQueries({ queryKey: key.split('?'), exact: true }, { cancelRefetch: false });
  }, [store, key]);
  useRoom(topic);
  useLiveEvent(event, (payload) =>
    updateQuery<z.output<C['output']>>(store.get(queryClientAtom), queryKey, (before) =>
      before === undefined ? before : change(before, payload),
    ),
  );
  useEffect(() => live.onResync(refetch), [live, refetch]);
  const isLive = useAtomValue(isLiveAtom);
  useEffect(() => {
    if (isLive) refetch();
  }, [isLive, refetch]);
  return query;
}
