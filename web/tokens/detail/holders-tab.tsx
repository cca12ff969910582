import { Users } from 'lucide-react';
import type { Holder, TokenDetail } from '../../../common/tokens/model.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { compact, count, share } from '../../ui/format.ts';
import { Bar } from '../cells.tsx';
import { Framed } from './framed.tsx';
import { useHolders } from './use-detail.ts';

const columns: readonly DataColumn<Holder>[] = [
  {
    id: 'place',
    label: '#',
    align: 'right',
    className: 'w-10',
    cellClass: 'text-muted',
    cell: (_, index) => index + 1,
  },
  {
    id: 'wallet',
    label: 'Wallet',
    cell: (holder) => (
      <span className="flex min-w-0 items-center gap-2">
        <CopyAddress address={holder.wallet} label="holder address" />
        {holder.isCreator && <Badge tone="warning">Creator</Badge>}
      </span>
    ),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    align: 'right',
    className: 'max-sm:hidden',
    cell: (holder) => compact(holder.tokens),
  },
  {
    id: 'share',
    label: 'Share of supply',
    align: 'right',
    className: 'w-2/5',
    cell: (holder) => (
      <span className="flex items-center justify-end gap-3">
        <Bar share={Math.min(100, holder.share)} className="max-w-40 max-sm:hidden" />
        <span className="w-14 text-right">{share(holder.share, 2)}</span>
      </span>
    ),
  },
];

/** Shows the largest wallets of a token. */
export function HoldersTab({ token }: { token: TokenDetail }) {
  return (
    <Framed resource={useHolders(token.address)} name="holders" title="Error Loading Holders">
      {(holders) =>
        holders.length === 0 ? (
          <Empty icon={Users} title="No Holder Data" text="The wallets that hold this token are not known yet." />
        ) : (
          <>
            <DataTable columns={columns} rows={holders} rowId={({ wallet }) => wallet} />
            <p className="border-line border-t px-4 py-2 text-muted text-xs">{accuracyOf(token)}</p>
          </>
        )
      }
    </Framed>
  );
}

/** Returns what the balances come from, and when they can be wrong. */
function accuracyOf({ holdersFrom, tradesMissed }: TokenDetail): string {
  if (holdersFrom === 'accounts') return 'Read from accounts now and then, not with every trade.';
  if (holdersFrom === 'past-trades') return 'As of the last counted trade; older trades are no longer stored.';
  const trades =
    tradesMissed === 0
      ? ''
      : ` At least ${count(tradesMissed)} ${tradesMissed === 1 ? 'trade was' : 'trades were'} missed, so balances can be wrong.`;
  return `Counted from the observed trades: transfers between wallets are not followed.${trades}`;
}
