import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { authCalls } from '../../common/auth/http.ts';
import { currentPasswordSchema, PASSWORD_MIN, passwordSchema } from '../../common/auth/model.ts';
import { CodeField, PasswordField } from '../auth/auth-form.tsx';
import { useHasSecondFactor } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { serverFieldErrors } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast-store.ts';
import { passwordErrorText } from './password-dialog.tsx';

const formSchema = z
  .object({
    currentPassword: currentPasswordSchema,
    newPassword: passwordSchema,
    confirmPassword: z.string(),
    code: z.string(),
  })
  .refine((form) => form.newPassword === form.confirmPassword, {
    error: "Passwords don't match",
    path: ['confirmPassword'],
    when: () => true,
  });

/** Replaces the password, which ends the user's other sessions. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const withCode = useHasSecondFactor();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '', code: '' },
  });
  const { pending, run } = useMutation(
    async ({ currentPassword, newPassword, code }: z.output<typeof formSchema>) => {
      const body = { currentPassword, newPassword, ...(withCode ? { code } : {}) };
      await request(authCalls.changePassword, { body });
      toast({ title: 'Password changed', description: 'Your other sessions have ended.' });
      onClose();
    },
    (reason) => {
      const failures = serverFieldErrors(reason, ['currentPassword', 'newPassword', 'code']);
      for (const [name, message] of failures) setError(name, { message });
      if (failures.length === 0) setError('currentPassword', { message: passwordErrorText(reason) });
    },
  );
  const submit = handleSubmit((form) => run(form));
  const { errors } = formState;
  return (
    <FormDialog
      onClose={onClose}
      busy={pending}
      title="Change password"
      description="Your other sessions end. This one goes on."
      verb="Change password"
      onSubmit={submit}
    >
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        error={errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      <PasswordField
        label="New password"
        hint={`At least ${PASSWORD_MIN} characters; 12 or more are better.`}
        autoComplete="new-password"
        error={errors.newPassword?.message}
        {...register('newPassword')}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      {withCode && <CodeField error={errors.code?.message} {...register('code')} />}
    </FormDialog>
  );
}
