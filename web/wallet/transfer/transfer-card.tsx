import type { ChainConfig } from '../../../common/client-config/model.ts';
import { clusterNames } from '../../../common/client-config/model.ts';
import type { ChainClient } from '../../chain/chain.ts';
import type { ChainState } from '../../chain/use-chain.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TransferForm, type TransferProps, toastFailure, toastSuccess } from './transfer-form.tsx';
import { TransferStatus } from './transfer-status.tsx';
import { useTransfer } from './use-transfer.ts';

/** The transfer form, which needs a key to sign with and a chain to send to. */
export function TransferCard({ hasKey, chain, ...rest }: TransferProps & { hasKey: boolean; chain: ChainState }) {
  const ready = chain.state === 'ready';
  return (
    <Card title="TRANSFER SOL" actions={ready && <Badge>{clusterNames[chain.config.cluster]}</Badge>}>
      {!hasKey && (
        <Notice tone="info">
          Only the address of this wallet is known: it cannot send or buy from here. Import its private key to use it.
        </Notice>
      )}
      {!hasKey && ready && <PendingTransferStatus {...rest} client={chain.client} config={chain.config} />}
      {hasKey && ready && <TransferForm {...rest} client={chain.client} config={chain.config} />}
      {hasKey && !ready && (
        <p className="text-muted text-sm">
          {chain.state === 'loading' ? 'Connecting to the Solana node…' : 'Transfers are off: there is no Solana node.'}
        </p>
      )}
    </Card>
  );
}

/** The status of a transfer of the previous wallet, which may still be pending. */
function PendingTransferStatus({
  userId,
  balance,
  client,
  config,
}: TransferProps & { client: ChainClient; config: ChainConfig }) {
  const { flow, state } = useTransfer(userId, client, config, {
    reloadBalance: balance.reload,
    onDone: toastSuccess,
    onFailed: toastFailure,
  });
  return <TransferStatus state={state} config={config} onForget={flow.forget} />;
}
