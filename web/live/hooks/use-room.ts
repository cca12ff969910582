import { useCallback, useEffect, useRef } from 'react';
import type { z } from 'zod';
import type { Call } from '../../../common/http.ts';
import type { Topic } from '../../../common/live/rooms.ts';
import type { RequestInput } from '../../http/client.ts';
import { callQuery } from '../../http/query.ts';
import { type QueryClient, queryClientAtom, useAtomValue, useStore } from '../../store.ts';
import { linkAtom } from '../atoms/atoms.ts';
import { type Said, useLiveMarket } from '../live.ts';
import { type UserQuery, useUserQuery } from './use-user-query.ts';

/** Hears a room while the component is there. `listener` may be another object at every render. */
export function useRoom(topic: Topic | null, listener: Partial<Said>): void {
  const live = useLiveMarket();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const leave = topic === null ? null : live.topics.join(topic);
    // Each by its name, so that every payload has its type.
    const stop = live.listen({
      trades: (payload) => latest.current.trades?.(payload),
      risk: (payload) => latest.current.risk?.(payload),
      userData: (payload) => latest.current.userData?.(payload),
      transaction: (payload) => latest.current.transaction?.(payload),
      alert: (payload) => latest.current.alert?.(payload),
      botStatus: (payload) => latest.current.botStatus?.(payload),
      adminStats: (payload) => latest.current.adminStats?.(payload),
      systemStatus: (payload) => latest.current.systemStatus?.(payload),
      maintenance: (payload) => latest.current.maintenance?.(payload),
      detectionStats: (payload) => latest.current.detectionStats?.(payload),
      resync: () => latest.current.resync?.(),
    } satisfies Said);
    return () => {
      stop();
      leave?.();
    };
  }, [live, topic]);
}

/**
 * What a call answers, kept up to date by what is said in a room: `hear` puts each event into the cache by `update`. Asked for
 * again whenever the connection comes back or events were lost, since these events have no numbers, and every minute while it
 * is down. A change must give the same when it is made twice: what is said while an answer is on its way is said to both.
 */
export function useRoomQuery<C extends Call>(
  call: C,
  input: Omit<RequestInput<C>, 'signal' | 'body'>,
  topic: Topic | null,
  hear: (update: (change: (before: z.output<C['output']>) => z.output<C['output']>) => void) => Partial<Said>,
): UserQuery<z.output<C['output']>> {
  const store = useStore();
  const query = useUserQuery(call, input);
  const { queryKey } = callQuery(call, input);
  const key = queryKey.join('?');
  const meanwhile = useRef<((before: z.output<C['output']>) => z.output<C['output']>)[]>([]);

  const askAgain = useCallback(() => {
    const client = store.get(queryClientAtom);
    // One that is on its way was asked a moment ago.
    void client.invalidateQueries({ queryKey: key.split('?'), exact: true }, { cancelRefetch: false });
  }, [store, key]);
  useRoom(topic, {
    ...hear((change) => {
      const client = store.get(queryClientAtom);
      if (client.isFetching({ queryKey, exact: true }) > 0) meanwhile.current.push(change);
      updateCached(client, queryKey, change);
    }),
    resync: askAgain,
  });
  useEffect(() => {
    if (query.loading) return;
    const client = store.get(queryClientAtom);
    for (const change of meanwhile.current.splice(0)) updateCached(client, key.split('?'), change);
  }, [store, key, query.loading]);

  const phase = useAtomValue(linkAtom).phase;
  useEffect(() => {
    if (phase === 'live') askAgain();
  }, [phase, askAgain]);
  return query;
}

/** An answer that was never fetched stays unknown. */
function updateCached<Data>(client: QueryClient, queryKey: string[], change: (before: Data) => Data): void {
  client.setQueryData<Data>(queryKey, (before) => (before === undefined ? before : change(before)));
}
