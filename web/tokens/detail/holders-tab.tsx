import { Users } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { Empty } from '../../ui/empty.tsx';
import { compact, share } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Bar } from '../cells.tsx';
import { Framed } from './trades-tab.tsx';
import { useHolders } from './use-detail.ts';

/** The largest wallets. */
export function HoldersTab({ address }: { address: string }) {
  const holders = useHolders(address);
  if (holders.data === null) {
    return (
      <Framed>
        {holders.error === null ? (
          <SkeletonRows rows={6} label="Loading holders" />
        ) : (
          <Problem
            title="Error Loading Holders"
            text={holders.error.text}
            since={holders.error.since}
            onRetry={holders.reload}
            busy={holders.loading}
          />
        )}
      </Framed>
    );
  }
  if (holders.data.length === 0) {
    return (
      <Framed>
        <Empty icon={Users} title="No Holder Data" text="Which wallets hold this token is not known yet." />
      </Framed>
    );
  }
  return (
    <Framed>
      <table className="w-full text-sm tabular-nums">
        <thead className="border-line border-b text-muted text-xs">
          <tr className="h-9 *:px-3 *:font-medium">
            <th scope="col" className="w-10 text-right">
              #
            </th>
            <th scope="col" className="text-left">
              Wallet
            </th>
            <th scope="col" className="text-right max-sm:hidden">
              Tokens
            </th>
            <th scope="col" className="w-2/5 text-right">
              Share of supply
            </th>
          </tr>
        </thead>
        <tbody>
          {holders.data.map((holder, index) => (
            <tr key={holder.wallet} className="h-9 border-line border-b *:px-3 last:border-b-0">
              <td className="text-right text-muted">{index + 1}</td>
              <td>
                <span className="flex min-w-0 items-center gap-2">
                  <CopyAddress address={holder.wallet} label="holder address" />
                  {holder.isCreator && <Badge tone="warning">Creator</Badge>}
                </span>
              </td>
              <td className="text-right max-sm:hidden">{compact(holder.tokens)}</td>
              <td>
                <span className="flex items-center justify-end gap-3">
                  <Bar share={Math.min(100, holder.share)} className="max-w-40 max-sm:hidden" />
                  <span className="w-14 text-right">{share(holder.share, 2)}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Framed>
  );
}
