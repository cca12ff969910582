import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { sessionAtom } from '../auth/session.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { useAtomValue } from '../store.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { SpinnerPage } from '../ui/spinner.tsx';
import { UnsavedCard } from './manage/unsaved-card.tsx';
import type { UnsavedWallet } from './manage/use-new-wallet.ts';
import { UserWallet } from './user-wallet.tsx';

/** Creates, imports and manages the wallet. The page stays when the session ends, since it may hold the only copy of a key. */
export default function WalletPage() {
  usePageTitle('Wallet');
  const session = useAtomValue(sessionAtom);
  const [unsaved, setUnsaved] = useState<UnsavedWallet | null>(null);
  if (session === 'unknown') return <SpinnerPage label="Loading your session" />;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-muted text-sm">Create or import a Solana wallet for trading tokens</p>
      {session === null ? (
        <>
          <NeedsLogin />
          {unsaved !== null && (
            <UnsavedCard unsaved={unsaved} busy={false} onRetry={null} onDiscard={() => setUnsaved(null)} />
          )}
        </>
      ) : (
        // Keyed by user, so that one user's state is never shown to another.
        <UserWallet key={session.id} userId={session.id} unsaved={unsaved} onUnsaved={setUnsaved} />
      )}
    </div>
  );
}

function NeedsLogin() {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <Empty
        icon={LogIn}
        title="You need to log in"
        text="Please log in to manage your wallet"
        action={
          <ButtonLink href="/auth" variant="primary">
            Log in
          </ButtonLink>
        }
      />
    </div>
  );
}
