import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { NewWallet } from './use-new-wallet.ts';

const NO_KEY = 'Please enter your private key.';

/** A private key in hex, masked. The typed text stays when the import fails and is cleared when it succeeds. */
export function ImportForm({
  busy,
  icon,
  onImport,
}: {
  busy: NewWallet['busy'];
  icon: ReactNode;
  /** Resolves with the error text, or null when the wallet is stored. Never resolves when the user cancels. */
  onImport: (hex: string) => Promise<string | null>;
}) {
  const [hex, setHex] = useState('');
  const [touched, setTouched] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const blank = hex.trim() === '';

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTouched(true);
    if (blank || busy !== null) return;
    const problem = await onImport(hex.trim());
    setFailure(problem);
    if (problem !== null) return;
    setHex('');
    setTouched(false);
  }

  const error = failure ?? (touched && blank ? NO_KEY : undefined);
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label="Private key (hex)"
        type="password"
        hint="128 hex digits: the 64 bytes of a Solana secret key."
        error={error}
        value={hex}
        disabled={busy !== null}
        // Not a password of this site: the browser must not offer to save it.
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono text-sm"
        onBlur={() => setTouched(hex !== '')}
        onChange={(event) => {
          setHex(event.target.value);
          setTouched(true);
          setFailure(null);
        }}
      />
      <Button type="submit" className="self-start" disabled={blank || busy !== null}>
        {busy === 'importing' ? <Spinner /> : icon}
        {busy === 'importing' ? 'Importing Wallet...' : 'Import Wallet'}
      </Button>
    </form>
  );
}
