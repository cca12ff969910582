import { Coins, SearchX } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import { StaleNote } from '../live/hooks/stale-note.tsx';
import { TokenMaintenance } from '../maintenance/token-maintenance.tsx';
import { useHold } from '../tokens/list/use-hold.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { TokenRow } from './token-row.tsx';
import { type TokenRows, useTokenRows } from './use-token-rows.ts';

/** The longest text the server takes. */
const SEARCH_MAX = 100;

/** Maintenance of the store of tokens, and the tokens in it. */
export default function TokensTab() {
  const [text, setText] = useState('');
  const wanted = text.trim();
  const used = useTokenRows(wanted);
  const { total } = used;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <TokenMaintenance />
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput
          label="Search by name, symbol or address"
          value={text}
          onChange={setText}
          maxLength={SEARCH_MAX}
          busy={used.loading}
        />
        <p role="status" className="text-muted text-sm tabular-nums">
          {total !== null && `${count(total)} ${total === 1 ? 'token' : 'tokens'}`}
        </p>
      </div>
      <Tokens used={used} wanted={wanted} />
    </div>
  );
}

function Tokens({ used, wanted }: { used: TokenRows; wanted: string }) {
  const { fetchedAt, error, loading, reload, addresses } = used;
  if (fetchedAt === null) {
    return (
      <Card flush>
        {error === null ? (
          <SkeletonRows rows={6} label="Loading tokens" rowClassName="h-24" />
        ) : (
          <Problem title="Failed to fetch tokens" text={error} onRetry={reload} busy={loading} />
        )}
      </Card>
    );
  }
  return (
    <>
      <StaleNote complete />
      {error !== null && (
        <Notice
          tone="warning"
          title="Failed to fetch tokens"
          action={
            <Button size="sm" busy={loading} onClick={reload}>
              Retry
            </Button>
          }
        >
          {error} What is shown may be out of date.
        </Notice>
      )}
      <Card flush>
        {addresses.length === 0 ? <Nothing wanted={wanted} /> : <Rows addresses={addresses} wanted={wanted} />}
      </Card>
      <More used={used} />
    </>
  );
}

function Nothing({ wanted }: { wanted: string }) {
  return wanted === '' ? (
    <Empty icon={Coins} title="No Tokens" text="Nothing is stored. New tokens show here as they are detected." />
  ) : (
    <Empty icon={SearchX} title="No Matching Tokens" text="No name, symbol or address begins with this text." />
  );
}

/** Rows stay where they are while the pointer or the focus is among them: what arrives meanwhile waits. */
function Rows({ addresses, wanted }: { addresses: readonly string[]; wanted: string }) {
  const [held, noticed] = useReading();
  const { shown, waiting } = useHold(addresses, held, wanted);
  return (
    <div className="relative" {...noticed}>
      {waiting > 0 && (
        // Above the rows rather than among them, which must not move.
        <p
          role="status"
          className="absolute -top-3 right-4 rounded-full border border-line-strong bg-raised px-2.5 py-0.5 text-2xs text-muted tabular-nums"
        >
          {count(waiting)} new {waiting === 1 ? 'token waits' : 'tokens wait'} until you leave the list.
        </p>
      )}
      <ul aria-label="Tokens" className="divide-y divide-line">
        {shown.map((address) => (
          <li key={address}>
            <TokenRow address={address} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Whether the mouse or the focus is within an element that is given these listeners; a finger on it scrolls. */
function useReading() {
  const [pointer, setPointer] = useState(false);
  const [focus, setFocus] = useState(false);
  const noticed = {
    onPointerEnter: (event: { pointerType: string }) => setPointer(event.pointerType === 'mouse'),
    onPointerLeave: () => setPointer(false),
    onFocus: () => setFocus(true),
    onBlur: (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocus(false);
    },
  };
  return [pointer || focus, noticed] as const;
}

function More({ used: { hasMore, loadMore, loadingMore, moreError } }: { used: TokenRows }) {
  return (
    <>
      {moreError !== null && (
        <Notice tone="warning" title="Failed to fetch tokens">
          {moreError}
        </Notice>
      )}
      {hasMore && (
        <Button className="self-center" onClick={loadMore} busy={loadingMore}>
          Load more
        </Button>
      )}
    </>
  );
}
