import { ExternalLink } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { ChainConfig } from '../../common/client-config/model.ts';
import { solText, solToLamports } from '../../common/tokens/units.ts';
import { tradingModeNames } from '../../common/trading/account.ts';
import {
  transactionStatusName,
  transactionTokenName,
  transactionTypeNames,
} from '../../common/transactions/columns.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import { clusterExplorerUrl, useChainConfig } from '../chain/config.ts';
import { Age } from '../live/hooks/age.tsx';
import { detailPath } from '../tokens/links.ts';
import { OrderById } from '../trading/order/order-dialog.tsx';
import { ProfitText } from '../trading/profit-text.tsx';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { CopyAddress } from '../ui/copy-address.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { MISSING } from '../ui/format.ts';
import { Price } from '../ui/price.tsx';
import { Spinner } from '../ui/spinner.tsx';

type Chain = ChainConfig | null | undefined;

/** Transactions, newest first. */
export function TransactionTable({ label, rows }: { label: string; rows: readonly Transaction[] }) {
  const { chain } = useChainConfig();
  // Not in its row, which new columns would mount again.
  const [orderId, setOrderId] = useState<string | null>(null);
  const columns = useMemo(() => columnsFor(chain, setOrderId), [chain]);
  return (
    <>
      <DataTable label={label} look="stacked" columns={columns} rows={rows} rowId={({ id }) => id} />
      {orderId !== null && <OrderById id={orderId} onClose={() => setOrderId(null)} />}
    </>
  );
}

function columnsFor(chain: Chain, onOrder: (id: string) => void): DataColumn<Transaction>[] {
  return [
    ...columns,
    {
      id: 'explorer',
      label: 'Explorer',
      labelHidden: true,
      align: 'right',
      cellClass: '@max-4xl:order-8',
      cell: (transaction) => {
        const { orderId } = transaction;
        return (
          <span className="inline-flex items-center gap-3">
            {orderId !== null && <OrderButton onOpen={() => onOrder(orderId)} />}
            <ExplorerLink transaction={transaction} chain={chain} />
          </span>
        );
      },
    },
  ];
}

const columns: readonly DataColumn<Transaction>[] = [
  {
    id: 'token',
    label: 'Token',
    cellClass: 'min-w-0 font-medium',
    cell: (transaction) => <TokenName transaction={transaction} />,
  },
  {
    id: 'type',
    label: 'Type',
    cellClass: 'min-w-0 whitespace-nowrap @max-4xl:order-3',
    cell: ({ type, counterparty }) => (
      <>
        {transactionTypeNames[type]}
        {counterparty !== null && (
          <span className="flex items-center gap-1 text-muted text-xs">
            {type === 'transfer_out' ? 'to' : 'from'}
            <CopyAddress address={counterparty} label="counterparty address" />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'amount',
    label: 'Amount',
    align: 'right',
    cellClass: '@max-4xl:order-2',
    cell: (transaction) => <Amount transaction={transaction} />,
  },
  {
    id: 'price',
    label: 'Price',
    align: 'right',
    cellClass: (row) =>
      classNames(
        'whitespace-nowrap @max-4xl:order-6 @max-4xl:col-span-2 @max-4xl:text-left',
        row.price === null && '@max-4xl:hidden',
      ),
    cell: (row) => (
      <>
        <span className="text-muted @4xl:hidden">at </span>
        <Price value={row.price} />
        {row.price !== null && ' SOL'}
      </>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    cellClass: '@max-4xl:order-4 @max-4xl:text-right',
    cell: (transaction) => <Status transaction={transaction} />,
  },
  {
    id: 'date',
    label: 'Date',
    cellClass: 'whitespace-nowrap text-muted @max-4xl:order-7',
    cell: ({ createdAt }) => (
      <>
        <Age at={createdAt} /> ago
      </>
    ),
  },
];

/** Placeholder of the table while it loads. */
export function LoadingTransactions() {
  return (
    <div role="status" className="flex items-center justify-center gap-3 py-12 text-muted text-sm">
      <Spinner className="size-5 text-accent" />
      Loading transactions
    </div>
  );
}

function TokenName({ transaction }: { transaction: Transaction }) {
  const name = transactionTokenName(transaction);
  if (transaction.token === null) return name;
  return (
    <Link
      href={detailPath(transaction.token.address)}
      title={transaction.token.name ?? transaction.token.address}
      className="block max-w-[24ch] truncate hover:text-accent"
    >
      {name}
    </Link>
  );
}

/** The amount in SOL, with a minus for outgoing and a plus for incoming transactions, its fee, and the profit of a sale. */
function Amount({ transaction: { type, status, amount, fee, profit } }: { transaction: Transaction }) {
  if (amount === null) return MISSING;
  const isOut = type === 'transfer_out' || type === 'buy';
  return (
    <>
      <span className={classNames('whitespace-nowrap', amountLook(status, isOut))}>
        {isOut ? '−' : '+'}
        {exactSol(amount)} SOL
      </span>
      {fee !== null && <span className="block whitespace-nowrap text-muted text-xs">fee {exactSol(fee)}</span>}
      {profit !== null && (
        <span className="block whitespace-nowrap text-muted text-xs">
          profit <ProfitText lamports={solToLamports(profit)} />
        </span>
      )}
    </>
  );
}

/** Returns muted classes for amounts that have not moved, so that only confirmed ones look like it. */
function amountLook(status: Transaction['status'], isOut: boolean): string {
  if (status !== 'confirmed') return 'text-muted';
  return isOut ? '' : 'text-up';
}

function exactSol(sol: number): string {
  return solText(BigInt(solToLamports(sol)));
}

const statusLooks: Record<string, { tone: BadgeTone; icon?: ReactNode }> = {
  Confirmed: { tone: 'accent' },
  Pending: { tone: 'warning', icon: <Spinner className="size-3" /> },
  Failed: { tone: 'danger' },
};

function Status({ transaction: { status, failure } }: { transaction: Transaction }) {
  const name = transactionStatusName(status);
  const { tone, icon } = statusLooks[name] ?? { tone: 'neutral' };
  return (
    <>
      <Badge tone={tone} icon={icon}>
        {name}
      </Badge>
      {failure !== null && (
        <span className="mt-0.5 block @4xl:max-w-[36ch] max-w-[22ch] text-muted text-xs">{failure}</span>
      )}
    </>
  );
}

/** Opens the order of a buy or sell: its costs, times and attempts. */
function OrderButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="text-muted text-xs underline decoration-line underline-offset-2 hover:text-text"
    >
      Details
    </button>
  );
}

function ExplorerLink({ transaction: { signature, cluster }, chain }: { transaction: Transaction; chain: Chain }) {
  if (cluster === null) return <span className="text-muted text-xs">{tradingModeNames.paper}</span>;
  const url = clusterExplorerUrl('tx', signature, cluster, chain);
  if (url === null) {
    return <span className="text-muted text-xs">{chain === undefined ? '' : 'On another network'}</span>;
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-1 text-muted text-xs hover:text-text"
    >
      <span className="@4xl:sr-only">View on explorer</span>
      <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
    </a>
  );
}
