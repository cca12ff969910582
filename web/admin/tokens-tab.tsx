import { Coins, SearchX } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import { counted } from '../../common/counted.ts';
import { listedAt } from '../../common/tokens/order.ts';
import { StaleNote } from '../live/hooks/stale-note.tsx';
import { useLiveMarket } from '../live/live.ts';
import { TokenMaintenance } from '../maintenance/token-maintenance.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { TokenRow } from './token-row.tsx';
import { type TokenList, useTokenList } from './use-token-list.ts';

/** Longest search text the server accepts. */
const SEARCH_MAX = 100;

/** Maintenance of stored tokens, and the searchable list of them. */
export default function TokensTab() {
  const [text, setText] = useState('');
  const search = text.trim();
  const list = useTokenList(search);
  const { total } = list;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <TokenMaintenance />
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput
          label="Search by name, symbol or address"
          value={text}
          onChange={setText}
          maxLength={SEARCH_MAX}
          busy={list.loading}
        />
        <p role="status" className="text-muted text-sm tabular-nums">
          {total !== null && counted(total, 'token')}
        </p>
      </div>
      <Tokens list={list} search={search} />
    </div>
  );
}

function Tokens({ list, search }: { list: TokenList; search: string }) {
  const { fetchedAt, error, loading, reload, addresses } = list;
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
          {error} The data shown may be out of date.
        </Notice>
      )}
      <Card flush>
        {addresses.length === 0 ? <Nothing search={search} /> : <Rows addresses={addresses} search={search} />}
      </Card>
      <More list={list} />
    </>
  );
}

function Nothing({ search }: { search: string }) {
  return search === '' ? (
    <Empty icon={Coins} title="No Tokens" text="No token is stored. New tokens appear here when they are detected." />
  ) : (
    <Empty icon={SearchX} title="No Matching Tokens" text="No name, symbol or address contains this text." />
  );
}

/** The rows. While the pointer or the focus is inside, they keep their place and new tokens are held back. */
function Rows({ addresses, search }: { addresses: readonly string[]; search: string }) {
  const [isReading, listeners] = useReading();
  const { shown, waiting } = useHold(addresses, isReading, search);
  return (
    <div className="relative" {...listeners}>
      {waiting > 0 && (
        // Above the rows, because a line among them would move them.
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

/** Returns whether the mouse or the focus is inside the element with these listeners. A touch only scrolls, so it does not count. */
function useReading() {
  const [pointer, setPointer] = useState(false);
  const [focus, setFocus] = useState(false);
  const listeners = {
    onPointerEnter: (event: { pointerType: string }) => setPointer(event.pointerType === 'mouse'),
    onPointerLeave: () => setPointer(false),
    onFocus: () => setFocus(true),
    onBlur: (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocus(false);
    },
  };
  return [pointer || focus, listeners] as const;
}

function More({ list: { hasMore, loadMore, loadingMore, moreError } }: { list: TokenList }) {
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

interface Held {
  /** Choice of the list when it was held; another choice ends the hold. */
  choice: string;
  addresses: readonly string[];
  /** Time of the newest token then, epoch ms: newer ones wait, older ones were loaded by scrolling and are shown. */
  newest: number;
}

/** Holds a list still while it is read: rows keep their position and stay live, and new tokens are counted. */
function useHold(
  addresses: readonly string[],
  hold: boolean,
  choice: string,
): { shown: readonly string[]; waiting: number } {
  const { model } = useLiveMarket();
  const [held, setHeld] = useState<Held | null>(null);
  const at = (address: string) => {
    const token = model.state.tokens.get(address);
    return token ? listedAt(token) : 0;
  };

  const wanted = hold && addresses.length > 0;
  if (wanted && held?.choice !== choice) {
    setHeld({ choice, addresses, newest: Math.max(...addresses.map(at)) });
  } else if (!hold && held !== null) setHeld(null);

  if (!hold || held === null || held.choice !== choice) return { shown: addresses, waiting: 0 };
  const known = new Set(held.addresses);
  const others = addresses.filter((address) => !known.has(address));
  const older = others.filter((address) => at(address) <= held.newest);
  return {
    shown: older.length > 0 ? [...held.addresses, ...older] : held.addresses,
    waiting: others.length - older.length,
  };
}
