import { useEffect } from 'react';
import { decisionCalls } from '../../common/decisions/http.ts';
import type { Decision, PlanResults } from '../../common/decisions/model.ts';
import { useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { type FetchPage, FIRST_PAGE, lastIdOf, type Page } from '../http/pages.ts';
import { refetch, updateQuery } from '../http/query.ts';
import { isLiveAtom } from '../live/atoms/atoms.ts';
import { type Pages, usePages } from '../live/hooks/use-pages.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useLiveMarket } from '../live/live.ts';
import { type InfiniteData, queryClientAtom, type Store, useAtomValue, useStore } from '../store.ts';

const PAGE_SIZE = 50;
/** Rows of the first page with the answers received since. */
const FIRST_PAGE_MAX = 250;

/** Cache keys of answers: everything that a reconnect fetches again. */
const decisionKeys = { list: [decisionCalls.list.path], results: [decisionCalls.results.path] };

/** Returns the results of a plan; null without any, undefined before the first response. */
export function usePlanResults(planId: string): PlanResults | null | undefined {
  const { data } = useUserQuery(decisionCalls.results, {});
  return data && (data.find((one) => one.planId === planId) ?? null);
}

/** Applies a received answer: it is the last one of its plan, and the newest one of its token in the plan's list. */
export function receiveDecision(store: Store, decision: Decision): void {
  const client = store.get(queryClientAtom);
  const { plan, address, symbol, outcome, reason, waits, lastAt } = decision;
  const last = { address, symbol, outcome, reason, waits, lastAt };
  const none = { planId: plan.id, bought: 0, open: 0, realisedLamports: 0 };
  client.setQueriesData<PlanResults[]>({ queryKey: decisionKeys.results }, (before) => {
    if (before === undefined) return before;
    const known = before.find(({ planId }) => planId === plan.id) ?? { ...none, last: null };
    return [...before.filter((one) => one !== known), { ...known, last }];
  });
  updateQuery<InfiniteData<Page<Decision>>>(
    client,
    listKey(plan.id),
    (before) => before && withAnswer(before, decision),
  );
}

/** Replaces an older answer to the same token, or adds a new one at the top. */
function withAnswer(list: InfiniteData<Page<Decision>>, answer: Decision): InfiniteData<Page<Decision>> {
  const newest = (row: Decision) => (row.id === answer.id && row.lastAt < answer.lastAt ? answer : row);
  const pages = list.pages.map((page) => ({ ...page, rows: page.rows.map(newest) }));
  const [first, ...older] = pages;
  const isKnown = pages.some((page) => page.rows.some(({ id }) => id === answer.id));
  if (first === undefined || isKnown || answer.id < (first.rows[0]?.id ?? '')) return { ...list, pages };
  const rows = [answer, ...first.rows];
  if (rows.length <= FIRST_PAGE_MAX) return { ...list, pages: [{ ...first, rows }, ...older] };
  // Without the rest, which is fetched again on demand: the list must not grow for as long as it is open.
  const kept = rows.slice(0, PAGE_SIZE);
  return { pages: [{ ...first, rows: kept, next: lastIdOf(kept, PAGE_SIZE) }], pageParams: [FIRST_PAGE] };
}

/** Returns the answers of a plan, newest first, page by page, live. */
export function usePlanDecisions(planId: string): Pages<Decision> {
  return usePages({ queryKey: listKey(planId), fetchPage: fetchDecisions(planId), size: PAGE_SIZE, pollMs: 0 });
}

function listKey(planId: string): string[] {
  return [...decisionKeys.list, planId];
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
      live.on('decision', (decision) => receiveDecision(store, decision)),
      live.on('position', ({ origin }) => {
        if (origin.kind !== 'manual') refetch(store, decisionKeys.results);
      }),
      live.onResync(() => refetch(store, ...Object.values(decisionKeys))),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [store, live, userId]);

  // These events have no numbers: changes from before the room was joined are only found by a fetch.
  useEffect(() => {
    if (userId !== null && isLive) refetch(store, ...Object.values(decisionKeys));
  }, [store, userId, isLive]);
}
