import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { NewWallet } from './use-new-wallet.ts';

const NO_KEY = 'Please enter your private key.';

/** A private key in hex, masked. What was typed stays when the import fails, and is gone when it worked. */
export function ImportForm({
  busy,
  icon,
  onImport,
}: {
  busy: NewWallet['busy'];
  icon: ReactNode;
  /** Answers what is wrong; null when the wallet is stored. It is never answered when the user decides against it. */
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
        // Not a password of this site: the browser must not offer to keep it.
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
