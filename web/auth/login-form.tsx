import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { authCalls } from '../../common/auth/http.ts';
import { loginSchema } from '../../common/auth/model.ts';
import { request } from '../http/client.ts';
import { HttpError, serverFieldErrors } from '../http/error.ts';
import { useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { CodeField, type Draft, PasswordField, UsernameField } from './auth-form.tsx';
import { failureToast } from './failure-toast.ts';
import { startSession } from './session.ts';

const formSchema = loginSchema.extend({ code: z.string() });

/** Logs in with an existing account. Asks for a code once the server needs one (two-step login). */
export function LoginForm({ draft, onDraft }: { draft: Draft; onDraft: (draft: Draft) => void }) {
  const store = useStore();
  const { register, handleSubmit, setError, setFocus, getValues, formState } = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { ...draft, code: '' },
  });
  const [asksCode, setAsksCode] = useState(false);
  useEffect(() => {
    if (asksCode) setFocus('code');
  }, [asksCode, setFocus]);

  async function login({ code, ...credentials }: z.output<typeof formSchema>): Promise<void> {
    try {
      const body = { ...credentials, ...(asksCode ? { code } : {}) };
      const { data: user } = await request(authCalls.login, { body });
      toast({
        title: 'Login successful',
        description: `Welcome back, ${user.username}!${user.isAdmin ? ' (Admin)' : ''}`,
      });
      startSession(store, user);
    } catch (reason) {
      if (reason instanceof HttpError && reason.code === 'code-needed' && !asksCode) {
        setAsksCode(true);
        return;
      }
      for (const [name, message] of serverFieldErrors(reason, ['username', 'password', 'code'])) {
        setError(name, { message });
      }
      failureToast('Login failed', reason);
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
      onSubmit={(event) => void handleSubmit(login)(event)}
    >
      <UsernameField error={errors.username?.message} {...register('username')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      {asksCode && <CodeField error={errors.code?.message} {...register('code')} />}
      <Button type="submit" variant="primary" busy={isSubmitting} className="mt-1 h-10 w-full">
        Access Dashboard
      </Button>
    </form>
  );
}
