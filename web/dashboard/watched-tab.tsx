import { Eye } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { request } from '../http/client.ts';
import { callQuery } from '../http/query.ts';
import { cursorOf } from '../live/connection/cursor.ts';
import { type Live, useLiveMarket } from '../live/live.ts';
import { atomWithQuery, useAtomValue } from '../store.ts';
import { PlainTokenTable } from '../tokens/plain-table.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Problem } from '../ui/problem.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useListSets, useNotBlacklisted } from '../watchlists/lists.ts';

/** Number of rows at first, and added by 'Show more'. */
const ROWS_STEP = 50;

/** Shows the tokens that the user watches, latest added first, live however old they are. */
export function WatchedTab({ onPaint }: { onPaint?: ((address: string) => void) | undefined }) {
  const watched = useWatchedTokens();
  const [rows, setRows] = useState(ROWS_STEP);
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface">
      {watched.addresses === null && watched.error !== null && (
        <Problem
          title="Error Loading Tokens"
          text="There was an error loading the token data. Please try again."
          onRetry={watched.reload}
          busy={watched.loading}
        />
      )}
      {watched.addresses === null && watched.error === null && (
        <SkeletonRows rows={8} label="Loading Watched Tokens" rowClassName="h-11" />
      )}
      {watched.addresses?.length === 0 && (
        <Empty
          icon={Eye}
          title="No Watched Tokens"
          text="Press Watch on a token's row or page to keep it here, however old it gets."
          action={<ButtonLink href="/app/tokens">All tokens</ButtonLink>}
        />
      )}
      {watched.addresses !== null && watched.addresses.length > 0 && (
        <PlainTokenTable label="Watched Tokens" addresses={watched.addresses} rows={rows} onPaint={onPaint} />
      )}
      {watched.addresses !== null && watched.addresses.length > rows && (
        <div className="border-line border-t p-2 text-center">
          <Button size="sm" onClick={() => setRows((before) => before + ROWS_STEP)}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns the number of watched tokens that are not blacklisted; null while unknown. */
export function useWatchedCount(): number | null {
  const sets = useListSets();
  return sets === null ? null : [...sets.watch].filter((address) => !sets.black.has(address)).length;
}

interface Watched {
  /** Null before the first response. */
  addresses: readonly string[] | null;
  error: Error | null;
  loading: boolean;
  reload: () => void;
}

function useWatchedTokens(): Watched {
  const live = useLiveMarket();
  const sets = useListSets();
  const query = useMemo(() => watchedQuery(live), [live]);
  const { data, error, isFetching, refetch } = useAtomValue(query);
  useEffect(() => live.onResync(() => void refetch()), [live, refetch]);
  const listed = useMemo(() => {
    if (data === undefined) return [];
    if (sets === null) return data.map((token) => token.address);
    const kept = new Set(data.map((token) => token.address));
    // By the list rather than the response, so that a row appears and disappears with its button.
    return [...sets.watch].filter((address) => kept.has(address) || live.model.state.tokens.has(address));
  }, [data, sets, live]);
  const addresses = useNotBlacklisted(listed);
  return { addresses: data === undefined ? null : addresses, error, loading: isFetching, reload: () => void refetch() };
}

/** Fetches the tokens and passes them to the live market, which updates them from then on. */
function watchedQuery(live: Live) {
  const call = watchlistCalls.tokens;
  const input = { params: { list: 'watch' as const } };
  return atomWithQuery(() => ({
    ...callQuery<typeof call>(call, input),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { data, headers } = await request(call, { ...input, signal });
      live.model.tokens(data, cursorOf(headers));
      live.writer.schedule();
      return data;
    },
    // The cache is as old as the last visit, and the market may have evicted these tokens since.
    refetchOnMount: 'always' as const,
  }));
}
