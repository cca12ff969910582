import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { RECOVERY_DAYS, type Wallet, walletAddressSchema } from '../../common/wallet/model.ts';
import { HttpError } from '../http/error.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';
import { useSaveSettings } from './use-settings.ts';

/** The wallet's address alone; its key is made and kept on the Wallet page. */
export function WalletTab({
  wallet,
  draft,
  onDraft,
}: {
  wallet: Wallet;
  /** What is typed; null while it is the stored address. */
  draft: string | null;
  onDraft: (draft: string | null) => void;
}) {
  const save = useSaveSettings();
  const saving = useSaving();
  const [error, setError] = useState<string>();
  /** The address that would replace a wallet with a key, while the user is asked. */
  const [asked, setAsked] = useState<string | null>(null);
  const value = draft ?? wallet.walletAddress ?? '';

  async function store(walletAddress: string, replaceKey: boolean): Promise<void> {
    await saving.run(
      async () => {
        await save({ walletAddress, ...(replaceKey ? { replaceKey } : {}) });
        setAsked(null);
        onDraft(null);
        toast({ title: 'Wallet Saved', description: 'Your wallet address has been saved successfully' });
      },
      (reason) => {
        if (!(reason instanceof HttpError)) return false;
        // Another tab has stored a key in the meantime.
        if (reason.code === 'wallet-has-key') setAsked(walletAddress);
        else if (reason.details.walletAddress?.[0] !== undefined) setError(reason.details.walletAddress[0]);
        else return false;
        return true;
      },
    );
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const parsed = walletAddressSchema.safeParse(value);
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message);
    if (!parsed.success) return;
    if (wallet.hasKey && parsed.data !== wallet.walletAddress) setAsked(parsed.data);
    else void store(parsed.data, false);
  }

  return (
    <Card title="Wallet">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Notice tone="danger">
          Never share a private key with anyone. This page stores the address only; keys are made and kept on the{' '}
          <Link href="/app/wallet" className="font-medium underline underline-offset-2">
            Wallet page
          </Link>
          .
        </Notice>
        <Field
          label="Wallet address"
          hint="The wallet is used for automated transactions through the bot."
          error={error}
          value={value}
          onChange={(event) => {
            onDraft(event.target.value);
            setError(undefined);
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-sm"
        />
        {wallet.walletAddress !== null && (
          <p className="text-muted text-sm">
            {wallet.hasKey
              ? 'The private key of this wallet is kept here, encrypted.'
              : 'Only the address of this wallet is known: it cannot buy from here.'}
          </p>
        )}
        <Button type="submit" variant="primary" busy={saving.busy} className="self-start">
          Save Wallet
        </Button>
      </form>
      <Confirm
        open={asked !== null}
        title="Replace your wallet?"
        verb="Replace wallet"
        busy={saving.busy}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked !== null && void store(asked, true)}
      >
        <p>
          Your present wallet has a private key here. The new one would be an address alone, which cannot buy from here.
          The present wallet can be had back on the Wallet page for {RECOVERY_DAYS} days; after that its key is deleted.
        </p>
      </Confirm>
    </Card>
  );
}
