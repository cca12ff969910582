import { walletCalls } from '../../common/wallet/http.ts';
import { useUserId } from '../auth/session.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** A note that nothing is bought without a wallet or without its key. Renders nothing for a wallet with a key. */
export function WalletNeeded({ what }: { what: 'rules' | 'strategies' }) {
  const userId = useUserId();
  return userId === null ? null : <WalletNote userId={userId} what={what} />;
}

function WalletNote({ userId, what }: { userId: string; what: 'rules' | 'strategies' }) {
  const { data: wallet } = useUserQuery(walletCalls.get, { params: { userId } });
  // Unknown, so a warning could be wrong.
  if (wallet === undefined) return null;
  if (wallet.walletAddress === null) {
    return (
      <Notice
        tone="warning"
        title="Wallet Required"
        action={
          <ButtonLink href="/app/wallet" size="sm">
            Open wallet
          </ButtonLink>
        }
      >
        A wallet must be configured in settings before {what} can run.
      </Notice>
    );
  }
  if (wallet.hasKey) return null;
  return (
    <Notice
      tone="info"
      title="This wallet can't buy from here"
      action={
        <ButtonLink href="/app/wallet" size="sm">
          Open wallet
        </ButtonLink>
      }
    >
      Only the address of your wallet is known. Buying needs its private key, which you can add on the Wallet page.
    </Notice>
  );
}
