import { zodResolver } from '@hookform/resolvers/zod';
import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { RECOVERY_DAYS, type Wallet } from '../../../common/wallet/model.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { NewWallet } from './use-new-wallet.ts';

/** Creates a wallet, or imports one by its private key. Asks before either replaces a wallet with a key. */
export function CreateTab({ wallet, newWallet }: { wallet: Wallet; newWallet: NewWallet }) {
  /** The action that would replace the current wallet, until the user confirms it. */
  const [replacement, setReplacement] = useState<{ verb: string; run: () => void } | null>(null);
  const { busy, create, importKey } = newWallet;

  function confirmThen(verb: string, run: () => void): void {
    if (wallet.hasKey) setReplacement({ verb, run });
    else run();
  }

  return (
    <div className="flex flex-col gap-3">
      <Notice tone="danger" title="SECURITY WARNING">
        Never share your private key with anyone. Anyone who has it can take everything from the wallet.
      </Notice>
      {wallet.walletAddress !== null && (
        <Notice tone="warning">
          Creating a new wallet overrides the current one, so back up its private key first.
        </Notice>
      )}
      <div className="grid gap-3 lg:grid-cols-2">
        <Card title="Create a new wallet">
          <p className="text-muted text-sm">
            A new key pair is created in your browser. Its private key is sent to the server once and stored encrypted.
            {wallet.walletAddress === null &&
              ' Creating a new wallet later overrides this one, so back up the key first.'}
          </p>
          <Button
            variant="primary"
            className="mt-4"
            disabled={busy !== null}
            onClick={() => confirmThen('Create wallet', () => void create())}
          >
            {busy === 'creating' ? <Spinner /> : <Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
            {busy === 'creating' ? 'Creating Wallet...' : 'Generate Wallet'}
          </Button>
        </Card>
        <Card title="Import a wallet">
          <ImportForm
            busy={busy}
            icon={<KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />}
            onImport={(hex) =>
              new Promise((resolve) => confirmThen('Import wallet', () => void importKey(hex).then(resolve)))
            }
          />
        </Card>
      </div>
      <Confirm
        open={replacement !== null}
        title="Replace your wallet?"
        verb={replacement?.verb ?? ''}
        onCancel={() => setReplacement(null)}
        onConfirm={() => {
          replacement?.run();
          setReplacement(null);
        }}
      >
        <p>
          Your current wallet has a private key here. The new wallet replaces it: balance, transfers and trades are then
          those of the new one.
        </p>
        <p className="mt-2">
          The current wallet stays recoverable on this page for {RECOVERY_DAYS} days. Then its key is deleted, so back
          it up if there is anything in it.
        </p>
      </Confirm>
    </div>
  );
}

const importSchema = z.object({ hex: z.string().trim().min(1, 'Please enter your private key.') });

/** A masked field for a private key in hex. The input stays when the import fails, and is cleared when it succeeds. */
function ImportForm(props: {
  busy: NewWallet['busy'];
  icon: ReactNode;
  /** Resolves with an error text, or null when the wallet is stored. Never resolves when the user cancels. */
  onImport: (hex: string) => Promise<string | null>;
}) {
  const { busy, icon, onImport } = props;
  const form = useForm({ resolver: zodResolver(importSchema), defaultValues: { hex: '' }, mode: 'onChange' });
  const blank = form.watch('hex').trim() === '';
  const submit = form.handleSubmit(({ hex }) => {
    if (busy !== null) return;
    // Not awaited, since it may never resolve.
    void onImport(hex).then((error) => (error === null ? form.reset() : form.setError('hex', { message: error })));
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label="Private key (hex)"
        type="password"
        hint="128 hex digits: the 64 bytes of a Solana secret key."
        error={form.formState.errors.hex?.message}
        disabled={busy !== null}
        // Not a password of this site, so password managers must not offer to save it.
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono text-sm"
        {...form.register('hex')}
      />
      <Button type="submit" className="self-start" disabled={blank || busy !== null}>
        {busy === 'importing' ? <Spinner /> : icon}
        {busy === 'importing' ? 'Importing Wallet...' : 'Import Wallet'}
      </Button>
    </form>
  );
}
