import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { NewWallet } from './use-new-wallet.ts';

const importSchema = z.object({ hex: z.string().trim().min(1, 'Please enter your private key.') });

/** A masked field for a private key in hex. The input stays when the import fails, and is cleared when it succeeds. */
export function ImportForm({
  busy,
  icon,
  onImport,
}: {
  busy: NewWallet['busy'];
  icon: ReactNode;
  /** Resolves with an error text, or null when the wallet is stored. Never resolves when the user cancels. */
  onImport: (hex: string) => Promise<string | null>;
}) {
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
