import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'wouter';
import { z } from 'zod';
import { RECOVERY_DAYS, type Wallet, walletAddressSchema } from '../../common/wallet/model.ts';
import { HttpError, serverFieldErrors } from '../http/error.ts';
import { toastError, useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaveSettings } from './use-settings.ts';

const walletSchema = z.object({ walletAddress: walletAddressSchema });

export function useWalletForm(wallet: Wallet) {
  return useForm({
    resolver: zodResolver(walletSchema),
    values: { walletAddress: wallet.walletAddress ?? '' },
    resetOptions: { keepDirtyValues: true },
  });
}

type WalletForm = ReturnType<typeof useWalletForm>;

/** The wallet's address. Its key is created and stored on the Wallet page. */
export function WalletTab({ wallet, form }: { wallet: Wallet; form: WalletForm }) {
  const { pending, store, replacement, setReplacement } = useStoreAddress(form);
  const submit = form.handleSubmit(({ walletAddress }) => {
    if (wallet.hasKey && walletAddress !== wallet.walletAddress) setReplacement(walletAddress);
    else void store({ walletAddress });
  });
  return (
    <Card title="Wallet">
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Notice tone="danger">
          Never share a private key with anyone. This page stores the address only; keys are created and stored on the{' '}
          <Link href="/app/wallet" className="font-medium underline underline-offset-2">
            Wallet page
          </Link>
          .
        </Notice>
        <Field
          label="Wallet address"
          hint="The wallet is used for automated transactions through the bot."
          error={form.formState.errors.walletAddress?.message}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-sm"
          {...form.register('walletAddress')}
        />
        {wallet.walletAddress !== null && (
          <p className="text-muted text-sm">
            {wallet.hasKey
              ? 'The private key of this wallet, added on the Wallet page, is stored on the server, encrypted.'
              : 'Only the address of this wallet is known: it cannot buy from here.'}
          </p>
        )}
        <Button type="submit" variant="primary" busy={pending} className="self-start">
          Save Wallet
        </Button>
      </form>
      <Confirm
        open={replacement !== null}
        title="Replace your wallet?"
        verb="Replace wallet"
        busy={pending}
        onCancel={() => setReplacement(null)}
        onConfirm={() => replacement !== null && void store({ walletAddress: replacement, replaceKey: true })}
      >
        <p>
          Your current wallet has a private key here. The new one would be an address alone, which cannot buy from here.
          You can restore the current wallet on the Wallet page for {RECOVERY_DAYS} days; after that its key is deleted.
        </p>
      </Confirm>
    </Card>
  );
}

/** Stores the address. `replacement` is the one that would replace a wallet with a key, until the user confirms it. */
function useStoreAddress(form: WalletForm) {
  const save = useSaveSettings();
  const [replacement, setReplacement] = useState<string | null>(null);
  const { pending, run: store } = useMutation(
    async (change: { walletAddress: string; replaceKey?: boolean }) => {
      try {
        await save(change);
      } catch (reason) {
        // Another tab has stored a key in the meantime.
        if (!(reason instanceof HttpError && reason.code === 'wallet-has-key')) throw reason;
        setReplacement(change.walletAddress);
        return;
      }
      setReplacement(null);
      form.reset({ walletAddress: change.walletAddress });
      toast({ title: 'Wallet Saved', description: 'Your wallet address has been saved successfully' });
    },
    (reason) => {
      const [error] = serverFieldErrors(reason, ['walletAddress']);
      if (error === undefined) toastError(reason);
      else form.setError(error[0], { message: error[1] });
    },
  );
  return { pending, store, replacement, setReplacement };
}
