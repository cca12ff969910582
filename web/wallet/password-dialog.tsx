import { type FormEvent, useId, useState } from 'react';
import { PasswordField } from '../auth/auth-form.tsx';
import { HttpError } from '../http/error.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useFocus } from './use-focus.ts';

export const NO_PASSWORD = 'Please enter your password.';

/**
 * Asks for the password before a protected action. A rejection is shown beside the field, and the dialog stays open.
 */
export function PasswordDialog({
  title,
  description,
  verb,
  onClose,
  onPassword,
}: {
  title: string;
  description: string;
  /** Label of the button. */
  verb: string;
  onClose: () => void;
  /** Runs the action. A rejection is shown. */
  onPassword: (password: string) => Promise<void>;
}) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const formId = useId();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (password === '') return setError(NO_PASSWORD);
    setBusy(true);
    try {
      await onPassword(password);
      onClose();
    } catch (reason) {
      setError(refusalText(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <FocusedPassword
          value={password}
          error={error}
          onChange={(value) => {
            setPassword(value);
            setError(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}

/** The password field of a dialog, focused when the dialog opens. */
export function FocusedPassword({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const field = useFocus();
  return (
    <PasswordField
      ref={field}
      label="Password"
      autoComplete="current-password"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Returns why the server refused, with the waiting time where it names one. */
export function refusalText(reason: unknown): string {
  if (!(reason instanceof HttpError)) return 'Something went wrong. Please try again.';
  if (reason.code !== 'too-many-requests' || reason.retryAfter === null) return reason.message;
  return `Too many attempts. Please wait ${duration(reason.retryAfter)} and try again.`;
}

function duration(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
