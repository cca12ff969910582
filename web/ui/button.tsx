import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'destructive';
export type ButtonSize = 'md' | 'sm' | 'icon';

const filledOff = 'disabled:not-aria-busy:bg-text/8 disabled:not-aria-busy:text-faint';

/** Looks of each variant; a disabled one has no color, so that it does not seem to take a press. */
const variants: Record<ButtonVariant, string> = {
  primary: `bg-accent text-on-accent font-semibold hover:bg-accent/88 active:bg-accent/76 ${filledOff}`,
  secondary:
    'border border-line-strong bg-surface text-text hover:bg-raised hover:border-control active:bg-line disabled:not-aria-busy:border-line disabled:not-aria-busy:bg-transparent disabled:not-aria-busy:text-faint',
  ghost:
    'text-muted hover:text-text hover:bg-text/6 active:bg-text/10 disabled:not-aria-busy:bg-transparent disabled:not-aria-busy:text-faint',
  destructive: `bg-down text-on-destructive font-semibold hover:bg-down/88 active:bg-down/76 ${filledOff}`,
};

const sizes: Record<ButtonSize, string> = { md: 'h-9 px-3.5 text-base', sm: 'h-7 px-2.5 text-xs', icon: 'size-8' };

/** Returns the class names of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md'): string {
  return classNames(
    'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors',
    'disabled:cursor-not-allowed',
    variants[variant],
    sizes[size],
  );
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner in place of the label, keeps the width, and takes no clicks. */
  busy?: boolean;
}

export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classNames(buttonClass(variant, size), className)}
    >
      {/* Hidden rather than removed, so that the button keeps its width and its name. */}
      <span className={classNames('inline-flex items-center gap-2', busy && 'opacity-0')}>{children}</span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center" aria-hidden="true">
          <Spinner />
        </span>
      )}
    </button>
  );
}

/** An internal link that looks like a button. */
export function ButtonLink(props: {
  href: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Link href={props.href} className={classNames(buttonClass(props.variant, props.size), props.className)}>
      {props.children}
    </Link>
  );
}
