import { ArrowLeftRight, ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Cluster, Trade } from '../../../common/tokens/model.ts';
import { Age } from '../../live/hooks/age.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { Empty } from '../../ui/empty.tsx';
import { compact, MISSING, price } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { explorerUrl } from '../links.ts';
import { useTrades } from './use-detail.ts';

/** The token's trades as they happen. */
export function TradesTab({ address, cluster }: { address: string; cluster: Cluster }) {
  const trades = useTrades(address);
  const [openedAt] = useState(() => Date.now());
  if (trades.data === null && trades.error !== null) {
    return (
      <Framed>
        <Problem
          title="Error Loading Transactions"
          text={trades.error.text}
          since={trades.error.since}
          onRetry={trades.reload}
          busy={trades.loading}
        />
      </Framed>
    );
  }
  if (trades.data === null) {
    return (
      <Framed>
        <SkeletonRows rows={6} label="Loading transactions" />
      </Framed>
    );
  }
  if (trades.data.length === 0) {
    return (
      <Framed>
        <Empty icon={ArrowLeftRight} title="No Transactions" text="Nobody has traded this token yet." />
      </Framed>
    );
  }
  return (
    <Framed>
      <div className="scroll-quiet max-h-[520px] overflow-auto">
        <table className="w-full text-sm tabular-nums">
          <thead className="sticky top-0 z-10 bg-surface text-muted text-xs shadow-[inset_0_-1px_0_var(--color-line)]">
            <tr className="h-9 *:px-3 *:font-medium">
              <th scope="col" className="text-left">
                Age
              </th>
              <th scope="col" className="text-left">
                Side
              </th>
              <th scope="col" className="text-right">
                SOL
              </th>
              <th scope="col" className="text-right max-sm:hidden">
                Tokens
              </th>
              <th scope="col" className="text-right max-md:hidden">
                Price
              </th>
              <th scope="col" className="text-left">
                Wallet
              </th>
            </tr>
          </thead>
          <tbody>
            {trades.data.map((trade) => (
              <TradeRow key={trade.id} trade={trade} cluster={cluster} arrived={Date.parse(trade.at) > openedAt} />
            ))}
          </tbody>
        </table>
      </div>
    </Framed>
  );
}

function TradeRow({ trade, cluster, arrived }: { trade: Trade; cluster: Cluster; arrived: boolean }) {
  const url = trade.signature === null ? null : explorerUrl('tx', trade.signature, cluster);
  const bought = trade.side === 'buy';
  return (
    <tr className={classNames('h-8 border-line border-b *:px-3 last:border-b-0', arrived && 'animate-row-in')}>
      <td className="text-muted">
        <Age at={trade.at} />
      </td>
      <td className={classNames('font-medium', bought ? 'text-up' : 'text-down')}>{bought ? '▲ Buy' : '▼ Sell'}</td>
      <td className="text-right">{trade.sol === null ? MISSING : trade.sol.toFixed(3)}</td>
      <td className="text-right max-sm:hidden">{compact(trade.tokens)}</td>
      <td className="text-right max-md:hidden">{price(trade.price)}</td>
      <td>
        <span className="flex items-center justify-between gap-2">
          <CopyAddress address={trade.wallet} label="wallet address" />
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
      </td>
    </tr>
  );
}

export function Framed({ children }: { children: ReactNode }) {
  return <div className="overflow-hidden rounded-lg border border-line bg-surface">{children}</div>;
}
