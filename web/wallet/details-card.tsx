import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { Proof } from '../../common/auth/model.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { PasswordDialog } from '../account/password-dialog.tsx';
import { request } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { copyToClipboard } from '../ui/clipboard.ts';
import { Notice } from '../ui/notice.tsx';
import { CopyLine } from './copy-line.tsx';
import type { HeldKey } from './manage/use-held-key.ts';

/** Address and key of the wallet. The key is masked, and fetched with the password on demand. */
export function DetailsCard(props: { userId: string; address: string; hasKey: boolean; held: HeldKey }) {
  const { userId, address, hasKey, held } = props;
  const [dialog, setDialog] = useState<'reveal' | 'copy' | null>(null);

  async function fetchKey(proof: Proof): Promise<void> {
    const { data } = await request(walletCalls.reveal, { params: { userId }, body: proof });
    held.hold(data, dialog === 'reveal');
    if (dialog === 'copy') await copyToClipboard(data.privateKey, 'Private key');
  }

  const { privateKey, shown } = held;
  return (
    <Card title="WALLET DETAILS">
      <div className="flex flex-col gap-3">
        <CopyLine
          label="Public address"
          text={address}
          onCopy={() => void copyToClipboard(address, 'Public address')}
        />
        {hasKey ? (
          <CopyLine
            label="Private key"
            text={privateKey}
            masked={!shown}
            onCopy={() => (privateKey === null ? setDialog('copy') : void copyToClipboard(privateKey, 'Private key'))}
            actions={
              shown ? (
                <Button variant="ghost" size="sm" onClick={held.drop}>
                  <EyeOff size={14} strokeWidth={1.75} aria-hidden="true" />
                  Hide
                </Button>
              ) : (
                <Button
                  variant="ghost"
                  size="sm"
                  onClick={() => (privateKey === null ? setDialog('reveal') : held.show())}
                >
                  <Eye size={14} strokeWidth={1.75} aria-hidden="true" />
                  Reveal
                </Button>
              )
            }
          />
        ) : (
          <Notice tone="info">
            Only the address of this wallet is known here. To send or buy from it, import its private key.
          </Notice>
        )}
        {shown && (
          <p className="text-muted text-xs">The key is hidden again after a minute, or when you leave this tab.</p>
        )}
      </div>
      {dialog !== null && (
        <PasswordDialog
          title={dialog === 'reveal' ? 'Reveal private key' : 'Copy private key'}
          description="Anyone with the private key owns everything in the wallet. Make sure that you are not observed."
          verb={dialog === 'reveal' ? 'Reveal' : 'Copy'}
          onClose={() => setDialog(null)}
          onPassword={fetchKey}
        />
      )}
    </Card>
  );
}
