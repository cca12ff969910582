import { ArrowLeftRight, RotateCw, SearchX } from 'lucide-react';
import { useState } from 'react';
import { counted } from '../../common/counted.ts';
import { transactionStatusName, transactionTypeNames } from '../../common/transactions/columns.ts';
import {
  type TransactionStatus,
  type TransactionType,
  transactionStatuses,
  transactionTypes,
} from '../../common/transactions/model.ts';
import { useUserId } from '../auth/session.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { Select } from '../ui/select.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { ExportButton } from './export-button.tsx';
import { LoadingTransactions, TransactionTable } from './transaction-table.tsx';
import { type TransactionFilter, type TransactionList, useTransactions } from './use-transactions.ts';

/** The user's transfers and trades, with their state on the chain. */
export default function TransactionsPage() {
  usePageTitle('Transactions');
  const userId = useUserId();
  // The session may end while the page is open; the redirect to the login is already under way.
  return userId === null ? null : <UserTransactions userId={userId} />;
}

function UserTransactions({ userId }: { userId: string }) {
  const [filter, setFilter] = useState<TransactionFilter>({});
  const list = useTransactions(userId, filter);
  const { total, loading, reload } = list;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="text-muted text-sm tabular-nums lg:min-w-[14ch]">
          {total !== null && counted(total, 'transaction')}
        </p>
        <Filters filter={filter} onChange={setFilter} />
        <div className="ml-auto flex items-center gap-2">
          <ExportButton userId={userId} filter={filter} disabled={total === null || total === 0} />
          <Tooltip content="Fetch the list again">
            <Button size="icon" onClick={reload} busy={loading} aria-label="Refresh">
              <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
            </Button>
          </Tooltip>
        </div>
      </div>
      <List
        list={list}
        filtered={filter.type !== undefined || filter.status !== undefined}
        onAll={() => setFilter({})}
      />
    </div>
  );
}

const ALL = 'all';
const typeOptions: { value: TransactionType | typeof ALL; label: string }[] = [
  { value: ALL, label: 'All types' },
  ...transactionTypes.map((value) => ({ value, label: transactionTypeNames[value] })),
];
const statusOptions: { value: TransactionStatus | typeof ALL; label: string }[] = [
  { value: ALL, label: 'All statuses' },
  ...transactionStatuses.map((value) => ({ value, label: transactionStatusName(value) })),
];

function Filters({ filter, onChange }: { filter: TransactionFilter; onChange: (filter: TransactionFilter) => void }) {
  return (
    <div className="flex gap-2 *:w-36">
      <Select
        aria-label="Type"
        value={filter.type ?? ALL}
        options={typeOptions}
        onChange={(type) => onChange({ ...filter, type: type === ALL ? undefined : type })}
      />
      <Select
        aria-label="Status"
        value={filter.status ?? ALL}
        options={statusOptions}
        onChange={(status) => onChange({ ...filter, status: status === ALL ? undefined : status })}
      />
    </div>
  );
}

function List({ list, filtered, onAll }: { list: TransactionList; filtered: boolean; onAll: () => void }) {
  const { rows, error, loading, reload, hasMore, loadMore, loadingMore } = list;
  if (rows === undefined) {
    return (
      <Card flush>
        {error === null ? (
          <LoadingTransactions />
        ) : (
          <Problem title="Error Loading Transactions" text={error} onRetry={reload} busy={loading} />
        )}
      </Card>
    );
  }
  return (
    <>
      {error !== null && (
        <Notice tone="warning" title="This list may be out of date">
          {error}
        </Notice>
      )}
      <Card flush>
        {rows.length > 0 ? (
          <TransactionTable label="Transactions" rows={rows} />
        ) : filtered ? (
          <Empty
            icon={SearchX}
            title="No Matching Transactions"
            text="None of your transactions has this type and status."
            action={<Button onClick={onAll}>Show All</Button>}
          />
        ) : (
          <Empty
            icon={ArrowLeftRight}
            title="No Transactions"
            text={
              <>
                You haven't made any transactions yet.
                <br />
                Set up auto-buy rules or use the bot to begin.
              </>
            }
            action={<ButtonLink href="/app/auto-buy">Set Up Auto-Buy Rules</ButtonLink>}
          />
        )}
      </Card>
      {hasMore && (
        <Button className="self-center" onClick={loadMore} busy={loadingMore}>
          Load more
        </Button>
      )}
    </>
  );
}
