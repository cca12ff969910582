import { ExternalLink, RefreshCw } from 'lucide-react';
import { clusterNames } from '../../common/client-config/model.ts';
import { chainExplorerUrl } from '../chain/config.ts';
import type { ChainState } from '../chain/use-chain.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { clockTime, utcTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { exactSol, formatBalance } from './amounts.ts';
import { TestSol } from './test-sol.tsx';
import type { Balance } from './use-balance.ts';

/** The wallet's balance on the chain. */
export function BalanceCard(props: { userId: string; address: string; chain: ChainState; balance: Balance }) {
  const { userId, address, chain, balance } = props;
  const ready = chain.state === 'ready' ? chain : null;
  const explorer = ready && chainExplorerUrl('address', address, ready.config);
  return (
    <Card title="WALLET BALANCE" actions={ready && <Badge>{clusterNames[ready.config.cluster]}</Badge>}>
      <ChainNotice chain={chain} balance={balance} />
      <Figure balance={balance} off={chain.state === 'none' || chain.state === 'failed'} />
      <div className="mt-4 flex flex-wrap gap-2 max-sm:flex-col">
        <Button disabled={ready === null} busy={balance.refreshing} onClick={() => void balance.refresh()}>
          <RefreshCw size={16} strokeWidth={1.75} aria-hidden="true" />
          {balance.lamports === null && balance.error !== null ? 'Retry' : 'Refresh Balance'}
        </Button>
        {explorer !== null && (
          <a href={explorer} target="_blank" rel="noreferrer" className={buttonClass()}>
            <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
            View on Explorer
          </a>
        )}
        {ready?.config.faucet === true && (
          <TestSol userId={userId} address={address} client={ready.client} onArrived={balance.reload} />
        )}
      </div>
    </Card>
  );
}

/** The reason for a missing or stale balance. */
function ChainNotice({ chain, balance }: { chain: ChainState; balance: Balance }) {
  switch (chain.state) {
    case 'none':
      return (
        <Notice tone="warning">
          This server has no Solana cluster configured, so there are no balances and no transfers. Creating and
          importing a wallet works.
        </Notice>
      );
    case 'failed':
      return (
        <Notice
          tone="warning"
          action={
            <Button size="sm" onClick={chain.retry}>
              Retry
            </Button>
          }
        >
          {chain.message}
        </Notice>
      );
    case 'loading':
      return null;
    case 'ready':
      return balance.error === null ? null : <Notice tone="warning">{balance.error}</Notice>;
  }
}

function Figure({ balance: { lamports, at, error }, off }: { balance: Balance; off: boolean }) {
  if (lamports === null) {
    return (
      <p className="mt-3 font-semibold text-2xl text-muted tracking-tight" aria-live="polite">
        {error !== null || off ? 'Unavailable' : 'LOADING...'}
      </p>
    );
  }
  const stale = error !== null || off;
  return (
    <div aria-live="polite">
      <p className="mt-3 font-semibold text-2xl tabular-nums tracking-tight" title={exactSol(lamports)}>
        <span className={stale ? 'text-muted' : ''}>{formatBalance(lamports)} SOL</span>
        {stale && (
          <span className="ml-2 align-middle">
            <Badge tone="warning">Stale</Badge>
          </span>
        )}
      </p>
      {at !== null && (
        <p className="mt-1 text-muted text-xs tabular-nums">
          Last updated{' '}
          <time dateTime={new Date(at).toISOString()} title={utcTime(at)}>
            {clockTime(at)}
          </time>
        </p>
      )}
    </div>
  );
}
