import { useState } from 'react';
import type { Proof } from '../../../common/auth/model.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import { type PreviousWallet, RECOVERY_DAYS } from '../../../common/wallet/model.ts';
import { PasswordDialog } from '../../account/password-dialog.tsx';
import { request } from '../../http/client.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { shortAddress, utcTime } from '../../ui/format.ts';
import { toast } from '../../ui/toast-store.ts';
import { applyWallet } from './use-new-wallet.ts';

/** Replaced wallets with a key, while they can be recovered. Renders nothing without any. */
export function PreviousWallets({ userId, disabled = false }: { userId: string; disabled?: boolean }) {
  const store = useStore();
  const { data, error, loading, reload } = useUserQuery(walletCalls.previous, { params: { userId } });
  const [selected, setSelected] = useState<PreviousWallet | null>(null);

  async function recover({ id, walletAddress }: PreviousWallet, proof: Proof): Promise<void> {
    const { data: wallet } = await request(walletCalls.recover, { params: { userId }, body: { ...proof, id } });
    applyWallet(store, userId, wallet);
    toast({ title: 'Wallet Recovered', description: `${shortAddress(walletAddress)} is your wallet again.` });
  }

  if (data === undefined && error !== null) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
        Your previous wallets could not be loaded: {error}
        <Button size="sm" busy={loading} onClick={() => void reload()}>
          Retry
        </Button>
      </p>
    );
  }
  if (data === undefined || data.length === 0) return null;
  return (
    <Card title="Previous wallets" flush>
      <p className="px-4 pt-3 text-muted text-sm">
        A wallet that was replaced can be recovered for {RECOVERY_DAYS} days. Then its private key is deleted.
      </p>
      <ul aria-label="Previous wallets" className="mt-2">
        {data.map((wallet) => (
          <li
            key={wallet.id}
            className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2"
          >
            <CopyAddress address={wallet.walletAddress} label="previous wallet's address" />
            <span className="text-muted text-xs tabular-nums">
              until{' '}
              <time dateTime={wallet.recoverableUntil} title={utcTime(wallet.recoverableUntil)}>
                {dayOf(wallet.recoverableUntil)}
              </time>
            </span>
            <Button
              size="sm"
              className="ml-auto"
              disabled={disabled}
              aria-label={`Recover ${shortAddress(wallet.walletAddress)}`}
              onClick={() => setSelected(wallet)}
            >
              Recover
            </Button>
          </li>
        ))}
      </ul>
      {selected !== null && (
        <PasswordDialog
          title="Recover this wallet?"
          description={`${selected.walletAddress} becomes your wallet again. The present one, if it has a private key here, replaces it in this list.`}
          verb="Recover"
          onClose={() => setSelected(null)}
          onPassword={(proof) => recover(selected, proof)}
        />
      )}
    </Card>
  );
}

/** Formats a date in the user's time zone: `15 Dec 2026`. */
function dayOf(at: string): string {
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}
