import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { authCalls } from '../../common/auth/http.ts';
import { type Credentials, credentialsSchema } from '../../common/auth/model.ts';
import { request } from '../http/client.ts';
import { serverFieldErrors } from '../http/error.ts';
import { useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { toast } from '../ui/toast-store.ts';
import { type Draft, PasswordField } from './auth-form.tsx';
import { failureToast } from './failure-toast.ts';
import { startSession } from './session.ts';

/** Logs in with an existing account. */
export function LoginForm({ draft, onDraft }: { draft: Draft; onDraft: (draft: Draft) => void }) {
  const store = useStore();
  const { register, handleSubmit, setError, getValues, formState } = useForm({
    resolver: zodResolver(credentialsSchema),
    defaultValues: draft,
  });

  async function login(credentials: Credentials): Promise<void> {
    try {
      const { data: user } = await request(authCalls.login, { body: credentials });
      toast({
        title: 'Login successful',
        description: `Welcome back, ${user.username}!${user.isAdmin ? ' (Admin)' : ''}`,
      });
      startSession(store, user);
    } catch (reason) {
      for (const [name, message] of serverFieldErrors(reason, ['username', 'password'])) setError(name, { message });
      failureToast('Login failed', reason);
    }
  }

  const { errors, isSubmitting } = formState;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onChange={() => onDraft(getValues())}
      onSubmit={(event) => void handleSubmit(login)(event)}
    >
      <Field
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...register('username')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <Button type="submit" variant="primary" busy={isSubmitting} className="mt-1 h-10 w-full">
        Access Dashboard
      </Button>
    </form>
  );
}
