import type { ChainState } from '../../chain/use-chain.ts';
import { BalanceCard } from '../balance-card.tsx';
import { DetailsCard } from '../details-card.tsx';
import { TransferCard } from '../transfer/transfer-card.tsx';
import { useBalance } from '../use-balance.ts';
import type { HeldKey } from './use-held-key.ts';

/** Address and key, balance, and transfers of the current wallet. */
export function ManageTab({
  userId,
  address,
  hasKey,
  chain,
  held,
}: {
  userId: string;
  address: string;
  hasKey: boolean;
  chain: ChainState;
  held: HeldKey;
}) {
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
