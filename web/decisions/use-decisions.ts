import { useEffect, useMemo } from 'react';
import { decisionCalls } from '../../common/decisions/http.ts';
import type { Decision, PlanResults } from '../../common/decisions/model.ts';
import { sessionAtom, useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { FIRST_PAGE, lastIdOf, type PageRequest, type PageState, pageState } from '../http/pages.ts';
import { refetch } from '../http/query.ts';
import { isLiveAtom } from '../live/atoms/atoms.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useLiveMarket } from '../live/live.ts';
import { atomWithInfiniteQuery, queryClientAtom, type Store, useAtomValue, useStore } from '../store.ts';
import { forgetDecisions, receiveDecision, receivedDecisionsAtom, withReceived } from './received.ts';

const PAGE_SIZE = 50;

/** Cache keys of answers: everything that a reconnect fetches again. */
const decisionKeys = { list: [decisionCalls.list.path], results: [decisionCalls.results.path] };

/** Returns the results of a plan; null without any, undefined before the first response. */
export function usePlanResults(planId: string): PlanResults | null | undefined {
  const { data } = useUserQuery(decisionCalls.results, {});
  return data && (data.find((one) => one.planId === planId) ?? null);
}

/** Shows a received answer as the last one of its plan. */
export function applyLastAnswer(store: Store, { plan, address, symbol, outcome, reason, lastAt }: Decision): void {
  const last = { address, symbol, outcome, reason, lastAt };
  const none = { planId: plan.id, bought: 0, open: 0, realisedLamports: 0 };
  store.get(queryClientAtom).setQueriesData<PlanResults[]>({ queryKey: decisionKeys.results }, (before) => {
    if (before === undefined) return before;
    const known = before.find(({ planId }) => planId === plan.id) ?? { ...none, last: null };
    return [...before.filter((one) => one !== known), { ...known, last }];
  });
}

/** Answers of a plan, as far as they are loaded. */
interface PlanDecisions extends PageState {
  /** Newest first; undefined before the first response. */
  rows: Decision[] | undefined;
  error: string | null;
}

function pagesOf(planId: string) {
  return atomWithInfiniteQuery((get) => {
    const session = get(sessionAtom);
    return {
      queryKey: [...decisionKeys.list, planId],
      queryFn: async ({ pageParam, signal }: PageRequest) => {
        const query = { plan: planId, limit: PAGE_SIZE, ...(pageParam === null ? {} : { before: pageParam }) };
        return (await request(decisionCalls.list, { query, signal })).data;
      },
      initialPageParam: FIRST_PAGE,
      getNextPageParam: (last: Decision[]) => lastIdOf(last, PAGE_SIZE),
      enabled: session !== null && session !== 'unknown',
    };
  });
}

/** Returns the answers of a plan, page by page, live. */
export function usePlanDecisions(planId: string): PlanDecisions {
  const pages = useMemo(() => pagesOf(planId), [planId]);
  const result = useAtomValue(pages);
  const { data, error } = result;
  const received = useAtomValue(receivedDecisionsAtom);
  const rows = useMemo(
    () => data && withReceived(data.pages.flat(), received, ({ plan }) => plan.id === planId),
    [data, received, planId],
  );
  return { ...pageState(result), rows, error: error?.message ?? null };
}

/** Applies events about the user's plans. Called once, around the signed-in pages, which join the user's room. */
export function useDecisionEvents(): void {
  const store = useStore();
  const live = useLiveMarket();
  const userId = useUserId();
  const isLive = useAtomValue(isLiveAtom);

  useEffect(() => {
    if (userId === null) return;
    const ends = [
      live.on('decision', (decision) => {
        receiveDecision(store, decision);
        applyLastAnswer(store, decision);
      }),
      live.on('position', ({ origin }) => {
        if (origin.kind !== 'manual') refetch(store, decisionKeys.results);
      }),
      live.onResync(() => refetch(store, ...Object.values(decisionKeys))),
    ];
    return () => {
      for (const end of ends) end();
      forgetDecisions(store);
    };
  }, [store, live, userId]);

  // These events have no numbers: changes from before the room was joined are only found by a fetch.
  useEffect(() => {
    if (userId !== null && isLive) refetch(store, ...Object.values(decisionKeys));
  }, [store, userId, isLive]);
}
