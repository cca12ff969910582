import { lazy, Suspense, useEffect, useState } from 'react';
import { authCalls } from '../../common/auth/http.ts';
import { onPasswordNeeded, request } from '../http/client.ts';

/** On demand: few calls need it, and no page begins with one. */
const PasswordDialog = lazy(async () => ({ default: (await import('./password-dialog.tsx')).PasswordDialog }));

/** Asks for the password whenever a call needs a recent one (`confirm` of its contract); the call is then repeated. */
export function PasswordPrompt() {
  const [open, setOpen] = useState(false);
  // One question for all calls that wait for it.
  const [waiting] = useState<((confirmed: boolean) => void)[]>(() => []);

  function settle(confirmed: boolean): void {
    for (const resolve of waiting.splice(0)) resolve(confirmed);
    setOpen(false);
  }

  useEffect(() => {
    const stop = onPasswordNeeded(() => {
      setOpen(true);
      return new Promise((resolve) => waiting.push(resolve));
    });
    return () => {
      stop();
      for (const resolve of waiting.splice(0)) resolve(false);
    };
  }, [waiting]);

  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <PasswordDialog
        title="Is it you?"
        description="Please enter your password to continue. You will not be asked again for 5 minutes."
        verb="Continue"
        onClose={() => settle(false)}
        onPassword={async (proof) => {
          await request(authCalls.confirm, { body: proof });
          settle(true);
        }}
      />
    </Suspense>
  );
}
