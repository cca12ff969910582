import { ArrowLeftRight, RotateCw, SearchX } from 'lucide-react';
import { useState } from 'react';
import { counted } from '../../common/counted.ts';
import { csvColumns, csvRow, transactionStatusName, transactionTypeNames } from '../../common/transactions/columns.ts';
import { TRANSACTIONS_LIMIT_MAX } from '../../common/transactions/http.ts';
import {
  type Transaction,
  type TransactionStatus,
  type TransactionType,
  transactionStatuses,
  transactionTypes,
} from '../../common/transactions/model.ts';
import { useUserId } from '../auth/session.ts';
import { ExportButton } from '../http/export-button.tsx';
import { Loaded, LoadMore } from '../http/loaded.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import type { Pages } from '../live/hooks/use-pages.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Select } from '../ui/select.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { LoadingTransactions, TransactionTable } from './transaction-table.tsx';
import { fetchTransactions, type TransactionFilter, useTransactions } from './use-transactions.ts';

/** The user's transfers and trades, with their state on the chain. */
export default function TransactionsPage() {
  usePageTitle('Transactions');
  const userId = useUserId();
  // The session may end while the page is open; the redirect to the login is already under way.
  return userId === null ? null : <UserTransactions userId={userId} />;
}

const csvFormat = { columns: csvColumns, toRow: csvRow };

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
          <ExportButton
            name="transactions"
            format={csvFormat}
            lists={[fetchTransactions(userId, filter)]}
            pageMax={TRANSACTIONS_LIMIT_MAX}
            disabled={total === null || total === 0}
          />
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

function List(props: { list: Pages<Transaction>; filtered: boolean; onAll: () => void }) {
  const { list, filtered, onAll } = props;
  return (
    <Loaded
      query={list}
      problem="Error Loading Transactions"
      outdated="list"
      waiting={
        <Card flush>
          <LoadingTransactions />
        </Card>
      }
    >
      {(rows) => (
        <>
          <Card flush>
            {rows.length === 0 ? (
              <Nothing filtered={filtered} onAll={onAll} />
            ) : (
              <TransactionTable label="Transactions" rows={rows} />
            )}
          </Card>
          <LoadMore {...list} />
        </>
      )}
    </Loaded>
  );
}

function Nothing({ filtered, onAll }: { filtered: boolean; onAll: () => void }) {
  return filtered ? (
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
  );
}
