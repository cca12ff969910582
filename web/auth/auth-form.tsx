import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Field } from '../ui/field.tsx';

/** Typed credentials, kept while the visitor switches between the forms. */
export interface Draft {
  username: string;
  password: string;
}

export function UsernameField(props: Omit<ComponentProps<typeof Field>, 'label'>) {
  return <Field autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} label="Username" />;
}

/** A field for a code of two-step login. */
export function CodeField(props: Omit<ComponentProps<typeof Field>, 'label' | 'hint'>) {
  return (
    <Field
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      label="Code"
      hint="The 6 digits of your authenticator app, or a recovery code."
    />
  );
}

/** A password field with a button that shows it. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          aria-label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="grid size-7 place-items-center rounded-sm text-muted hover:text-text"
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    />
  );
}
