import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ChainConfig } from '../../common/client-config/model.ts';
import { solText, solToLamports } from '../../common/tokens/units.ts';
import {
  transactionStatusName,
  transactionTokenName,
  transactionTypeNames,
} from '../../common/transactions/columns.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import { clusterExplorerUrl, useChainConfig } from '../chain/config.ts';
import { Age } from '../live/hooks/age.tsx';
import { detailPath } from '../tokens/links.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { CopyAddress } from '../ui/copy-address.tsx';
import { MISSING, price } from '../ui/format.ts';
import { Spinner } from '../ui/spinner.tsx';

const columns = ['Token', 'Type', 'Amount', 'Price', 'Status', 'Date'] as const;

/** Where there is little room each row has lines of two; else there are columns. */
const rowClass =
  'grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 px-4 py-2.5 @4xl:table-row *:@4xl:px-3 *:@4xl:py-2 *:@4xl:align-top';

/** Transactions, newest first. */
export function TransactionTable({ label, rows }: { label: string; rows: readonly Transaction[] }) {
  const { chain } = useChainConfig();
  return (
    <div className="@container">
      <table aria-label={label} className="block w-full text-sm tabular-nums @4xl:table">
        <thead className="text-muted text-xs @max-4xl:sr-only">
          <tr className="h-9 border-line border-b *:px-3 *:font-medium">
            {columns.map((name) => (
              <th key={name} scope="col" className={name === 'Amount' || name === 'Price' ? 'text-right' : 'text-left'}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Explorer</span>
            </th>
          </tr>
        </thead>
        <tbody className="block divide-y divide-line @4xl:table-row-group">
          {rows.map((transaction) => (
            <Row key={transaction.id} transaction={transaction} chain={chain} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ transaction, chain }: { transaction: Transaction; chain: ChainConfig | null | undefined }) {
  return (
    <tr className={rowClass}>
      <td className="min-w-0 font-medium">
        <TokenName transaction={transaction} />
      </td>
      <td className="min-w-0 @max-4xl:order-3 whitespace-nowrap">
        {transactionTypeNames[transaction.type]}
        {transaction.counterparty !== null && (
          <span className="flex items-center gap-1 text-muted text-xs">
            {transaction.type === 'transfer_out' ? 'to' : 'from'}
            <CopyAddress address={transaction.counterparty} label="counterparty address" />
          </span>
        )}
      </td>
      <td className="text-right @max-4xl:order-2">
        <Amount transaction={transaction} />
      </td>
      <td
        className={classNames(
          'text-right @max-4xl:order-6 @max-4xl:col-span-2 @max-4xl:text-left',
          transaction.price === null && '@max-4xl:hidden',
        )}
      >
        <span className="text-muted @4xl:hidden">at </span>
        {transaction.price === null ? MISSING : `${price(transaction.price)} SOL`}
      </td>
      <td className="@max-4xl:order-4 @max-4xl:text-right">
        <Status transaction={transaction} />
      </td>
      <td className="whitespace-nowrap text-muted @max-4xl:order-7">
        <Age at={transaction.createdAt} /> ago
      </td>
      <td className="text-right @max-4xl:order-8">
        <ExplorerLink transaction={transaction} chain={chain} />
      </td>
    </tr>
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

/** What left the wallet has a minus, what came in a plus. */
function Amount({ transaction: { type, status, amount, fee } }: { transaction: Transaction }) {
  if (amount === null) return MISSING;
  const isOut = type === 'transfer_out' || type === 'buy';
  return (
    <>
      <span className={classNames('whitespace-nowrap', amountLook(status, isOut))}>
        {isOut ? '−' : '+'}
        {exactSol(amount)} SOL
      </span>
      {fee !== null && <span className="block whitespace-nowrap text-muted text-xs">fee {exactSol(fee)}</span>}
    </>
  );
}

/** What has not moved, or not yet, does not look like money that did. */
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

function ExplorerLink({
  transaction: { signature, cluster },
  chain,
}: {
  transaction: Transaction;
  chain: ChainConfig | null | undefined;
}) {
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
