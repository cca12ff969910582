import type { ChainConfig } from '../../../common/client-config/model.ts';
import { clusterNames } from '../../../common/client-config/model.ts';
import type { ChainClient } from '../../chain/chain.ts';
import type { ChainState } from '../../chain/use-chain.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { reportFailure, reportSuccess, TransferForm, type TransferProps } from './transfer-form.tsx';
import { TransferStatus } from './transfer-status.tsx';
import { useTransfer } from './use-transfer.ts';

/** Sends SOL from the wallet, when a key and a chain are available. */
export function TransferCard({ hasKey, chain, ...rest }: TransferProps & { hasKey: boolean; chain: ChainState }) {
  const ready = chain.state === 'ready';
  return (
    <Card title="TRANSFER SOL" actions={ready && <Badge>{clusterNames[chain.config.cluster]}</Badge>}>
      {!hasKey && (
        <Notice tone="info">
          Only the address of this wallet is known: it cannot send or buy from here. Import its private key to use it.
        </Notice>
      )}
      {!hasKey && ready && <OpenTransfer {...rest} client={chain.client} config={chain.config} />}
      {hasKey && ready && <TransferForm {...rest} client={chain.client} config={chain.config} />}
      {hasKey && !ready && (
        <p className="text-muted text-sm">
          {chain.state === 'loading' ? 'Connecting to the Solana node…' : 'Transfers are off: there is no Solana node.'}
        </p>
      )}
    </Card>
  );
}

/** A transfer of the previous wallet may still be under way: it is followed and shown. */
function OpenTransfer({
  userId,
  balance,
  client,
  config,
}: TransferProps & { client: ChainClient; config: ChainConfig }) {
  const { flow, state } = useTransfer(userId, client, config, {
    rereadBalance: balance.reread,
    onDone: reportSuccess,
    onFailed: reportFailure,
  });
  return <TransferStatus state={state} config={config} onForget={flow.forget} />;
}
