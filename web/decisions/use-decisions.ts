import { useEffect, useEffectEvent } from 'react';
import { decisionCalls } from '../../common/decisions/http.ts';
import type { Decision, PlanResults } from '../../common/decisions/model.ts';
import { useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { type FetchPage, lastIdOf } from '../http/pages.ts';
import { refetch } from '../http/query.ts';
import { isLiveAtom } from '../live/atoms/atoms.ts';
import { type Pages, usePages } from '../live/hooks/use-pages.ts';
import { type UserQuery, useUserQuery } from '../live/hooks/use-user-query.ts';
import { useLiveMarket } from '../live/live.ts';
import { queryClientAtom, type Store, useAtomValue, useStore } from '../store.ts';
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
export function applyLastAnswer(store: Store, decision: Decision): void {
  const { plan, address, symbol, outcome, reason, waits, lastAt } = decision;
  const last = { address, symbol, outcome, reason, waits, lastAt };
  const none = { planId: plan.id, bought: 0, open: 0, realisedLamports: 0 };
  store.get(queryClientAtom).setQueriesData<PlanResults[]>({ queryKey: decisionKeys.results }, (before) => {
    if (before === undefined) return before;
    const known = before.find(({ planId }) => planId === plan.id) ?? { ...none, last: null };
    return [...before.filter((one) => one !== known), { ...known, last }];
  });
}

/** Fetches data again when an answer that it depends on is received. */
export function useReloadByAnswers(query: Pick<UserQuery<unknown>, 'reload'>, isOf: (answer: Decision) => boolean) {
  const received = useAtomValue(receivedDecisionsAtom);
  const last = [...received.values()].findLast(isOf);
  const reload = useEffectEvent(() => void query.reload());
  useEffect(() => {
    if (last !== undefined) reload();
  }, [last]);
}

/** Returns the answers of a plan, newest first, page by page, live. */
export function usePlanDecisions(planId: string): Pages<Decision> {
  const pages = usePages({
    queryKey: [...decisionKeys.list, planId],
    fetchPage: fetchDecisions(planId),
    size: PAGE_SIZE,
    pollMs: 0,
  });
  const received = useAtomValue(receivedDecisionsAtom);
  return { ...pages, data: pages.data && withReceived(pages.data, received, ({ plan }) => plan.id === planId) };
}

function fetchDecisions(plan: string): FetchPage<Decision> {
  return async (before, limit, signal) => {
    const query = { plan, limit, before: before ?? undefined };
    const { data } = await request(decisionCalls.list, { query, signal });
    return { rows: data, total: null, next: lastIdOf(data, limit) };
  };
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
