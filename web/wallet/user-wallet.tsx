import { useState } from 'react';
import { type ChainConfig, clusterNames } from '../../common/client-config/model.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import type { Wallet } from '../../common/wallet/model.ts';
import type { ChainClient } from '../chain/chain.ts';
import { type ChainState, useChain } from '../chain/use-chain.ts';
import { Loaded } from '../http/loaded.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { BalanceCard } from './balance-card.tsx';
import { DetailsCard } from './details-card.tsx';
import { CreateTab } from './manage/create-tab.tsx';
import { PreviousWallets } from './manage/previous-wallets.tsx';
import { UnsavedCard } from './manage/unsaved-card.tsx';
import { type HeldKey, useHeldKey } from './manage/use-held-key.ts';
import { type UnsavedWallet, useNewWallet } from './manage/use-new-wallet.ts';
import { TransferForm, type TransferProps, toastFailure, toastSuccess } from './transfer/transfer-form.tsx';
import { TransferStatus } from './transfer/transfer-status.tsx';
import { useTransfer } from './transfer/use-transfer.ts';
import { useBalance } from './use-balance.ts';

interface Props {
  userId: string;
  unsaved: UnsavedWallet | null;
  onUnsaved: (unsaved: UnsavedWallet | null) => void;
}

/** The signed-in user's wallet in two tabs, with its loading and error states. */
export function UserWallet({ userId, unsaved, onUnsaved }: Props) {
  const query = useUserQuery(walletCalls.get, { params: { userId } });
  return (
    <Loaded
      query={query}
      problem="Your wallet could not be loaded"
      waiting={
        <div role="status" aria-label="Loading wallet" className="flex flex-col gap-3">
          <Skeleton className="h-10 w-full max-w-64" />
          <Skeleton className="h-64 rounded-lg" />
        </div>
      }
    >
      {(wallet) => <WalletTabs userId={userId} wallet={wallet} unsaved={unsaved} onUnsaved={onUnsaved} />}
    </Loaded>
  );
}

function WalletTabs({ userId, wallet, unsaved, onUnsaved }: Props & { wallet: Wallet }) {
  const chain = useChain();
  const held = useHeldKey(wallet.walletAddress);
  const [chosen, setChosen] = useState<'create' | 'manage' | null>(null);
  const newWallet = useNewWallet(userId, {
    stored(key) {
      held.hold(key, false);
      setChosen('manage');
    },
    unsaved: onUnsaved,
  });
  const exists = wallet.walletAddress !== null;
  const busy = newWallet.busy !== null;
  return (
    <>
      {unsaved !== null && (
        <UnsavedCard
          unsaved={unsaved}
          busy={newWallet.busy === 'creating'}
          onRetry={() => void newWallet.retry(unsaved)}
          onDiscard={() => onUnsaved(null)}
        />
      )}
      <Tabs
        label="Wallet"
        tab={exists ? (chosen ?? 'manage') : 'create'}
        onTab={(id) => setChosen(id === 'create' ? 'create' : 'manage')}
        tabs={[
          {
            id: 'create',
            label: exists ? 'Create New' : 'Create Wallet',
            disabled: busy,
            content: <CreateTab wallet={wallet} newWallet={newWallet} />,
          },
          {
            id: 'manage',
            label: 'Manage',
            disabled: busy || !exists,
            content:
              wallet.walletAddress === null ? null : (
                <ManageTab
                  // Keyed by address, so that input and progress of one wallet are not shown for another.
                  key={wallet.walletAddress}
                  userId={userId}
                  address={wallet.walletAddress}
                  hasKey={wallet.hasKey}
                  chain={chain}
                  held={held}
                />
              ),
          },
        ]}
      />
      <PreviousWallets userId={userId} disabled={busy} />
    </>
  );
}

/** Address and key, balance, and transfers of the wallet. */
function ManageTab(props: { userId: string; address: string; hasKey: boolean; chain: ChainState; held: HeldKey }) {
  const { userId, address, hasKey, chain, held } = props;
  const balance = useBalance(chain.state === 'ready' ? chain.client : null, address);
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-3">
        <DetailsCard userId={userId} address={address} hasKey={hasKey} held={held} />
        <BalanceCard userId={userId} address={address} chain={chain} balance={balance} />
      </div>
      <TransferCard
        userId={userId}
        address={address}
        hasKey={hasKey}
        chain={chain}
        balance={balance}
        privateKey={held.privateKey}
      />
    </div>
  );
}

/** The transfer form, which needs a key to sign with and a chain to send to. */
function TransferCard({ hasKey, chain, ...rest }: TransferProps & { hasKey: boolean; chain: ChainState }) {
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
