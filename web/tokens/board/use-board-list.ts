import { useEffect, useMemo, useRef, useState } from 'react';
import { type FeedCursor, TOTAL_COUNT_HEADER } from '../../../common/live/protocol.ts';
import { type ListChoice, tokenCalls } from '../../../common/tokens/http.ts';
import { compareRanks, type Rank, rankOf } from '../../../common/tokens/order.ts';
import { request } from '../../http/client.ts';
import { listErrorText } from '../../http/error.ts';
import { callQuery } from '../../http/query.ts';
import { isLiveAtom } from '../../live/atoms/atoms.ts';
import { cursorOf } from '../../live/connection/cursor.ts';
import { pollEvery } from '../../live/connection/polling.ts';
import { useListUpdates } from '../../live/hooks/use-list-updates.ts';
import { type Live, useLiveMarket } from '../../live/live.ts';
import { atom, atomWithQuery, useAtomValue, useSetAtom } from '../../store.ts';
import { useNotBlacklisted } from '../../watchlists/lists.ts';
import { type Controls, choiceOf } from '../list/controls.ts';
import { useRows } from '../list/use-rows.ts';

/** Tokens of a column, at most. */
const COLUMN_ROWS = 100;
/** Interval of the server's list, ms: events update the tokens that are known, others come in with it. */
const EVERY_MS = 5_000;

/** Begin of the keys of all columns' queries. */
export const boardKey = 'board';

/** The tokens of a column. */
export interface BoardList {
  /** Null before the first response. */
  addresses: readonly string[] | null;
  /** Number of tokens on the server; null while unknown. */
  total: number | null;
  error: string | null;
  loading: boolean;
  reload: () => void;
}

/** Returns the list of a choice for a column: the first tokens in its order, live. */
export function useBoardList(controls: Controls): BoardList {
  const live = useLiveMarket();
  const key = JSON.stringify(choiceOf(controls));
  const held = useRef<({ key: string } & ReturnType<typeof columnAtoms>) | null>(null);
  // By key: a new atom would fetch again.
  if (held.current?.key !== key) held.current = { key, ...columnAtoms(live, choiceOf(controls)) };
  const { data, error, isFetching, refetch } = useAtomValue(held.current.query);
  const followed = useListUpdates(
    choiceOf(controls),
    () => data?.position ?? null,
    () => void refetch(),
  );
  const setPolls = useSetAtom(held.current.polls);
  // The feed, or the events of the list, bring in newcomers; a token that rises by its figure comes in with a response.
  const { sort, order, limits } = controls;
  const rises = sort !== 'detected' && !(sort === 'migrated' && limits.stage === 'pool');
  const polls = rises || (key !== '{}' && !followed.follows);
  useEffect(() => setPolls(polls), [setPolls, polls]);
  const [none] = useState<readonly string[]>([]);
  const rows = useRows(controls, { addresses: data?.addresses ?? none, border: data?.border ?? null });
  const sorted = useMemo(
    () =>
      rows
        .toSorted((one, other) => compareRanks(rankOf(one, sort), rankOf(other, sort), order))
        .slice(0, COLUMN_ROWS)
        .map(({ address }) => address),
    [rows, sort, order],
  );
  const visible = useNotBlacklisted(sorted);
  return {
    addresses: data === undefined ? null : visible,
    total: followed.total ?? data?.total ?? null,
    error: error === null ? null : listErrorText(error),
    loading: isFetching,
    reload: () => void refetch(),
  };
}

interface Fetched {
  addresses: readonly string[];
  /** Place of the last token; null when the response has all. */
  border: Rank | null;
  total: number | null;
  position: FeedCursor | null;
}

/** Fetches the tokens and passes them to the live market, which updates them from then on. */
function columnAtoms(live: Live, choice: ListChoice) {
  const input = { query: { ...choice, limit: COLUMN_ROWS } };
  const polls = atom(true);
  const query = atomWithQuery((get) => ({
    queryKey: [boardKey, ...callQuery(tokenCalls.list, input).queryKey],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Fetched> => {
      const { data, headers } = await request(tokenCalls.list, { ...input, signal });
      const position = cursorOf(headers);
      live.model.tokens(data, position);
      live.writer.schedule();
      const total = headers.get(TOTAL_COUNT_HEADER);
      const last = data.length < COLUMN_ROWS ? undefined : data.at(-1);
      return {
        addresses: data.map(({ address }) => address),
        border: last === undefined ? null : rankOf(last, choice.sort ?? 'detected'),
        total: total === null ? null : Number(total),
        position,
      };
    },
    refetchOnMount: 'always' as const,
    refetchInterval: get(isLiveAtom) ? get(polls) && EVERY_MS : pollEvery.listPage,
    gcTime: 0,
  }));
  return { query, polls };
}
