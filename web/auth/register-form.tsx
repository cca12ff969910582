import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { authCalls } from '../../common/auth/http.ts';
import {
  PASSWORD_MIN,
  type RegisterForm as Registration,
  registerFormSchema,
  USERNAME_MIN,
} from '../../common/auth/model.ts';
import { request } from '../http/client.ts';
import { serverFieldErrors } from '../http/error.ts';
import { useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { type Draft, PasswordField, UsernameField } from './auth-form.tsx';
import { failureToast } from './failure-toast.ts';
import { startSession } from './session.ts';

/** Creates an account and signs in with it. */
export function RegisterForm({ draft, onDraft }: { draft: Draft; onDraft: (draft: Draft) => void }) {
  const store = useStore();
  const { register, handleSubmit, setError, getValues, formState } = useForm({
    resolver: zodResolver(registerFormSchema),
    defaultValues: { ...draft, confirmPassword: '' },
  });

  async function createAccount({ username, password }: Registration): Promise<void> {
    try {
      const { data: user } = await request(authCalls.register, { body: { username, password } });
      toast({ title: 'Registration successful', description: `Welcome, ${user.username}!` });
      startSession(store, user);
    } catch (reason) {
      for (const [name, message] of serverFieldErrors(reason, ['username', 'password'])) setError(name, { message });
      failureToast('Registration failed', reason);
    }
  }

  function keepDraft(): void {
    const { username, password } = getValues();
    onDraft({ username, password });
  }

  const { errors, isSubmitting } = formState;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onChange={keepDraft}
      onSubmit={(event) => void handleSubmit(createAccount)(event)}
    >
      <UsernameField
        hint={`At least ${USERNAME_MIN} characters.`}
        error={errors.username?.message}
        {...register('username')}
      />
      <PasswordField
        label="Password"
        hint={`At least ${PASSWORD_MIN} characters.`}
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      <Button type="submit" variant="primary" busy={isSubmitting} className="mt-1 h-10 w-full">
        Create Account
      </Button>
    </form>
  );
}
