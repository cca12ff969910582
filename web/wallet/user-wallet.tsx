import { useState } from 'react';
import { walletCalls } from '../../common/wallet/http.ts';
import type { Wallet } from '../../common/wallet/model.ts';
import { useChain } from '../chain/use-chain.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Problem } from '../ui/problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CreateTab } from './manage/create-tab.tsx';
import { ManageTab } from './manage/manage-tab.tsx';
import { PreviousWallets } from './manage/previous-wallets.tsx';
import { UnsavedCard } from './manage/unsaved-card.tsx';
import { useHeldKey } from './manage/use-held-key.ts';
import { type UnsavedWallet, useNewWallet } from './manage/use-new-wallet.ts';

interface Props {
  userId: string;
  unsaved: UnsavedWallet | null;
  onUnsaved: (unsaved: UnsavedWallet | null) => void;
}

/** The signed-in user's wallet: shown in two tabs once loaded. */
export function UserWallet({ userId, unsaved, onUnsaved }: Props) {
  const { data, error, loading, reload } = useUserQuery(walletCalls.get, { params: { userId } });
  if (data !== undefined) return <WalletTabs userId={userId} wallet={data} unsaved={unsaved} onUnsaved={onUnsaved} />;
  if (error === null) {
    return (
      <div role="status" aria-label="Loading wallet" className="flex flex-col gap-3">
        <Skeleton className="h-10 w-full max-w-64" />
        <Skeleton className="h-64 rounded-lg" />
      </div>
    );
  }
  return (
    <div className="rounded-lg border border-line bg-surface">
      <Problem title="Your wallet could not be loaded" text={error} onRetry={() => void reload()} busy={loading} />
    </div>
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
          onTryAgain={() => void newWallet.tryAgain(unsaved)}
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
                  // Keyed by address: input and transfers of one wallet do not carry over to another.
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
