import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface InputProps extends ComponentProps<'input'> {
  /** A 16 px icon inside, before the text. */
  icon?: ReactNode;
  /** A small button inside, after the text. */
  trailing?: ReactNode;
}

/** A bare input, for where a label is given otherwise (`aria-label`); forms use `Field`. */
export function Input({ icon, trailing, className, ...rest }: InputProps) {
  const input = (
    <input
      {...rest}
      className={classNames(
        'h-9 w-full min-w-0 rounded-md border border-control/70 bg-bg px-3 text-base text-text placeholder:text-faint',
        'transition-colors hover:border-control focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0',
        'disabled:cursor-not-allowed disabled:opacity-50 aria-[invalid=true]:border-down',
        icon !== undefined && 'pl-9',
        trailing !== undefined && 'pr-10',
        className,
      )}
    />
  );
  if (icon === undefined && trailing === undefined) return input;
  return (
    <span className="relative block">
      {icon !== undefined && (
        <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted">{icon}</span>
      )}
      {input}
      {trailing !== undefined && <span className="absolute inset-y-0 right-1 grid place-items-center">{trailing}</span>}
    </span>
  );
}

/** An input with its label above, a hint below, and beside it what is wrong with it. */
export function Field({
  label,
  hint,
  error,
  ...input
}: InputProps & { label: string; hint?: string; error?: string | undefined }) {
  const id = useId();
  // An error takes the hint's place, so that the form does not move.
  const below = error === undefined ? hint : error;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-muted text-xs">
        {label}
      </label>
      <Input
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        {...(below === undefined ? {} : { 'aria-describedby': `${id}-${error === undefined ? 'hint' : 'error'}` })}
      />
      {error !== undefined && (
        <p
          id={`${id}-error`}
          role="alert"
          className="mt-1.5 flex animate-fade-in items-center gap-1.5 text-down text-xs"
        >
          <CircleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
          {error}
        </p>
      )}
      {hint !== undefined && error === undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-faint text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}
