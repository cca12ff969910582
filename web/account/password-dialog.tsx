import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Proof } from '../../common/auth/model.ts';
import { CodeField, PasswordField } from '../auth/auth-form.tsx';
import { useHasSecondFactor } from '../auth/session.ts';
import { HttpError } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { FormDialog } from '../ui/dialog.tsx';

/** Form of a password, and of a code while two-step login is on. */
export const proofFormSchema = z.object({
  password: z.string().min(1, 'Please enter your password.'),
  code: z.string(),
});

/**
 * Asks for the password that an action needs, and for a code while two-step login is on. A failure appears beside its field,
 * and the dialog stays open.
 */
export function PasswordDialog(props: {
  title: string;
  description: string;
  /** Label of the submit button. */
  verb: string;
  onClose: () => void;
  /** Runs the action. A rejection is shown. */
  onPassword: (proof: Proof) => Promise<void>;
}) {
  const { title, description, verb, onClose, onPassword } = props;
  const withCode = useHasSecondFactor();
  const form = useForm({ resolver: zodResolver(proofFormSchema), defaultValues: { password: '', code: '' } });
  const { pending, run } = useMutation(
    async ({ password, code }: z.output<typeof proofFormSchema>) => {
      await onPassword(withCode ? { password, code } : { password });
      onClose();
    },
    (reason) => form.setError(isAboutCode(reason) ? 'code' : 'password', { message: passwordErrorText(reason) }),
  );
  const submit = form.handleSubmit((values) => run(values));
  return (
    <FormDialog onClose={onClose} busy={pending} title={title} description={description} verb={verb} onSubmit={submit}>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        error={form.formState.errors.password?.message}
        {...form.register('password')}
      />
      {withCode && <CodeField error={form.formState.errors.code?.message} {...form.register('code')} />}
    </FormDialog>
  );
}

/** Returns whether a call failed because of the code of two-step login. */
function isAboutCode(reason: unknown): boolean {
  return reason instanceof HttpError && reason.details.code !== undefined;
}

/** Returns the server's error text, with the time to wait when there is one. */
export function passwordErrorText(reason: unknown): string {
  if (!(reason instanceof HttpError)) return 'Something went wrong. Please try again.';
  if (reason.code !== 'too-many-requests' || reason.retryAfter === null) return reason.message;
  return `Too many attempts. Please wait ${duration(reason.retryAfter)} and try again.`;
}

function duration(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
