import { ArrowLeftRight, ExternalLink } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Cluster, Trade } from '../../../common/tokens/model.ts';
import { useExplorerUrl } from '../../chain/config.ts';
import { Age } from '../../live/hooks/age.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { compact, MISSING } from '../../ui/format.ts';
import { Price } from '../../ui/price.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import type { UsedResource } from './resource.ts';

/** Shows the token's trades as they happen. */
export function TradesTab({ trades, cluster }: { trades: UsedResource<Trade[]>; cluster: Cluster }) {
  const [openedAt] = useState(() => Date.now());
  const columns = useMemo(() => columnsFor(cluster), [cluster]);
  return (
    <Framed resource={trades} name="transactions" title="Error Loading Transactions">
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon={ArrowLeftRight} title="No Transactions" text="This token has not been traded yet." />
        ) : (
          <DataTable
            columns={columns}
            rows={rows}
            rowId={({ id }) => id}
            box="max-h-[520px]"
            rowClass={({ at }) => Date.parse(at) > openedAt && 'animate-row-in'}
          />
        )
      }
    </Framed>
  );
}

function columnsFor(cluster: Cluster): readonly DataColumn<Trade>[] {
  return [
    { id: 'age', label: 'Age', cellClass: 'text-muted', cell: (trade) => <Age at={trade.at} /> },
    {
      id: 'side',
      label: 'Side',
      cellClass: ({ side }) => classNames('font-medium', side === 'buy' ? 'text-up' : 'text-down'),
      cell: ({ side }) => (side === 'buy' ? '▲ Buy' : '▼ Sell'),
    },
    { id: 'sol', label: 'SOL', align: 'right', cell: ({ sol }) => (sol === null ? MISSING : sol.toFixed(3)) },
    {
      id: 'tokens',
      label: 'Tokens',
      align: 'right',
      className: 'max-sm:hidden',
      cell: (trade) => compact(trade.tokens),
    },
    {
      id: 'price',
      label: 'Price',
      align: 'right',
      className: 'max-md:hidden',
      cell: (trade) => <Price value={averagePrice(trade)} />,
    },
    { id: 'wallet', label: 'Wallet', cell: (trade) => <Trader trade={trade} cluster={cluster} /> },
  ];
}

/** Returns the price of a trade itself, by its own figures; the price after it while these are unknown. */
function averagePrice({ sol, tokens, price }: Trade): number | null {
  return sol === null || tokens === 0 ? price : sol / tokens;
}

function Trader({ trade: { wallet, signature }, cluster }: { trade: Trade; cluster: Cluster }) {
  const url = useExplorerUrl('tx', signature, cluster);
  return (
    <span className="flex items-center justify-between gap-2">
      <CopyAddress address={wallet} label="wallet address" />
      {url !== null && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label="View transaction on explorer"
          className="text-muted hover:text-text"
        >
          <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
        </a>
      )}
    </span>
  );
}

/** Frames what `children` make of a resource: placeholder rows before the data, or an error with a retry instead of it. */
export function Framed<Data>(props: {
  resource: UsedResource<Data>;
  /** The data in a word, for screen readers. */
  name: string;
  /** Title of the error. */
  title: string;
  children: (data: Data) => ReactNode;
}) {
  const { resource, name, title, children } = props;
  const { data, error, reload, loading } = resource;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {data !== null && children(data)}
      {data === null && error === null && <SkeletonRows rows={6} label={`Loading ${name}`} />}
      {data === null && error !== null && (
        <Problem title={title} text={error.text} since={error.since} onRetry={reload} busy={loading} />
      )}
    </div>
  );
}
