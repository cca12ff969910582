import { ArrowLeftRight } from 'lucide-react';
import { transactionCalls } from '../../common/transactions/http.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import { useUserId } from '../auth/session.ts';
import { Loaded } from '../http/loaded.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { LoadingTransactions, TransactionTable } from './transaction-table.tsx';

/** Rows on the dashboard. */
const LATEST = 10;

/** The user's latest transactions, for the dashboard. */
export function RecentTransactions() {
  const userId = useUserId();
  if (userId === null) return null;
  return (
    <Card flush>
      <LatestOf userId={userId} />
    </Card>
  );
}

function LatestOf({ userId }: { userId: string }) {
  const query = useUserQuery(transactionCalls.list, { params: { userId }, query: { limit: LATEST } });
  return (
    <Loaded query={query} problem="Error Loading Transactions" bare waiting={<LoadingTransactions />}>
      {(rows) => (rows.length === 0 ? <Nothing /> : <Latest rows={rows} />)}
    </Loaded>
  );
}

function Nothing() {
  return (
    <Empty
      icon={ArrowLeftRight}
      title="No Recent Transactions"
      text="Transfers, buys and sells of yours appear here."
      action={<ButtonLink href="/app/wallet">Open Wallet</ButtonLink>}
    />
  );
}

function Latest({ rows }: { rows: readonly Transaction[] }) {
  return (
    <>
      <TransactionTable label="Recent Transactions" rows={rows} />
      <div className="border-line border-t px-4 py-2 text-right">
        <ButtonLink href="/app/transactions" variant="ghost" size="sm">
          All transactions
        </ButtonLink>
      </div>
    </>
  );
}
