import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import type { Call } from '../../common/http.ts';
import type { Topic } from '../../common/live.ts';
import type { RequestInput } from '../http/client.ts';
import { callQuery } from '../http/query.ts';
import { type QueryClient, queryClientAtom, useAtomValue, useStore } from '../store.ts';
import { type UserQuery, useUserQuery } from '../users/use-user-query.ts';
import { linkAtom } from './atoms.ts';
import { type Said, useLiveMarket } from './live.ts';

/** Hears a room while the component is there. `listener` may be another object at every render. */
export function useRoom(topic: Topic | null, listener: Partial<Said>): void {
  const live = useLiveMarket();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  const names = Object.keys(listener)
    .toSorted((one, other) => one.localeCompare(other))
    .join();
  useEffect(() => {
    const leave = topic === null ? null : live.topics.join(topic);
    const relay = (name: string) => (payload: never) => {
      // The names are those of `Said`, each with its own payload: no type follows a name that is only known at run time.
      const hear = latest.current[name as keyof Said] as ((payload: never) => void) | undefined;
      hear?.(payload);
    };
    const stop = live.listen(Object.fromEntries(names.split(',').map((name) => [name, relay(name)])));
    return () => {
      stop();
      leave?.();
    };
  }, [live, topic, names]);
}

/**
 * What a call answers, kept up to date by what is said in a room: `hear` puts each event into the cache by `update`. Asked for
 * again whenever the connection comes back, since these events have no numbers, and every minute while it is down.
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
  useRoom(
    topic,
    hear((change) => updateCached(store.get(queryClientAtom), queryKey, change)),
  );
  const phase = useAtomValue(linkAtom).phase;
  const key = queryKey.join('?');
  useEffect(() => {
    if (phase === 'live') void store.get(queryClientAtom).invalidateQueries({ queryKey: key.split('?'), exact: true });
  }, [store, phase, key]);
  return query;
}

/** An answer that was never fetched stays unknown. */
function updateCached<Data>(client: QueryClient, queryKey: string[], change: (before: Data) => Data): void {
  client.setQueryData<Data>(queryKey, (before) => (before === undefined ? before : change(before)));
}
