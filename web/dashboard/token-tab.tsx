import { ArrowRight, type LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import type { UsedList } from '../live/hooks/use-list.ts';
import { PlainTokenTable } from '../tokens/plain-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { Problem } from '../ui/problem.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useNotBlacklisted } from '../watchlists/lists.ts';

/** Maximum number of rows of a tab; the list page has the rest. */
const TAB_ROWS = 30;

export interface TokenTabTexts {
  label: string;
  icon: LucideIcon;
  empty: string;
  emptyText: string;
}

interface TokenTabProps {
  texts: TokenTabTexts;
  list: UsedList;
  /** Whether the parts of the page above the rows have loaded: one that came later would move the rows. */
  settled: boolean;
  onPaint?: ((address: string) => void) | undefined;
}

/** Shows one of the dashboard's lists, or its loading, error or empty state. */
export function TokenTab(props: TokenTabProps) {
  const addresses = useNotBlacklisted(props.list.addresses);
  const list = { ...props.list, addresses };
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface">
      <TabState {...props} list={list} />
      {props.settled && list.addresses.length > 0 && (
        <Link
          href="/app/tokens"
          className="flex h-10 items-center justify-center gap-1.5 rounded-b-lg border-line border-t font-medium text-muted text-xs transition-colors hover:bg-raised hover:text-text focus-visible:-outline-offset-2"
        >
          All tokens
          <ArrowRight size={14} strokeWidth={1.75} aria-hidden="true" />
        </Link>
      )}
    </div>
  );
}

function TabState({ texts: { label, icon, empty, emptyText }, list, settled, onPaint }: TokenTabProps) {
  if (list.fetchedAt === null && list.error !== null) {
    return (
      <Problem
        title="Error Loading Tokens"
        text="There was an error loading the token data. Please try again."
        onRetry={list.reload}
        busy={list.loading}
      />
    );
  }
  if (list.fetchedAt === null || !settled)
    return <SkeletonRows rows={8} label={`Loading ${label}`} rowClassName="h-11" />;
  if (list.addresses.length === 0) return <Empty icon={icon} title={empty} text={emptyText} />;
  return <PlainTokenTable label={label} addresses={list.addresses} rows={TAB_ROWS} onPaint={onPaint} />;
}
