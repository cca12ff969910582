import { clusterNames } from '../../common/config/model.ts';
import type { UsedChain } from '../chain/use-chain.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { TransferForm, type TransferProps } from './transfer-form.tsx';

/** Sends SOL from the wallet, where there is a key to sign with and a chain to send to. */
export function TransferCard({ hasKey, chain, ...rest }: TransferProps & { hasKey: boolean; chain: UsedChain }) {
  const ready = chain.state === 'ready';
  return (
    <Card title="TRANSFER SOL" actions={ready && <Badge>{clusterNames[chain.config.cluster]}</Badge>}>
      {!hasKey && (
        <Notice tone="info">
          Only the address of this wallet is known: it cannot send or buy from here. Import its private key to use it.
        </Notice>
      )}
      {hasKey && ready && <TransferForm {...rest} client={chain.client} config={chain.config} />}
      {hasKey && !ready && (
        <p className="text-muted text-sm">
          {chain.state === 'loading' ? 'Connecting to the Solana node…' : 'Transfers are off: there is no Solana node.'}
        </p>
      )}
    </Card>
  );
}
