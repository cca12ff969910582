import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface InputProps extends ComponentProps<'input'> {
  /** A 16 px icon inside, before the text. */
  icon?: ReactNode;
  /** A small button or a unit inside, after the text. */
  trailing?: ReactNode;
}

/** Class names shared by all inputs and selects. */
export const controlClass = classNames(
  'w-full min-w-0 rounded-md border border-control/70 bg-bg text-base text-text placeholder:text-faint',
  'transition-colors hover:border-control focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0',
  'disabled:cursor-not-allowed disabled:opacity-50 aria-[invalid=true]:border-down',
);

/** An input without a visible label (use `aria-label`); forms use `Field`. */
export function Input({ icon, trailing, className, ...rest }: InputProps) {
  const input = (
    <input
      {...rest}
      className={classNames(
        controlClass,
        'h-9 px-3',
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

/** Parts around a control: label above, hint or error below. */
export interface FieldParts {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** Attributes that connect a control to its label and description. */
interface ControlAttributes {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby'?: string;
}

/** Label, control and message of a field; `children` renders the control with the given attributes. */
export function Labelled({
  label,
  hint,
  error,
  children,
}: FieldParts & { children: (attributes: ControlAttributes) => ReactNode }) {
  const id = useId();
  // An error replaces the hint, so that the form does not move.
  const below = error === undefined ? hint : error;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block font-medium text-muted text-xs">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        ...(below === undefined ? {} : { 'aria-describedby': `${id}-${error === undefined ? 'hint' : 'error'}` }),
      })}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint !== undefined && error === undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-faint text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error of a field. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="mt-1.5 flex animate-fade-in items-center gap-1.5 text-down text-xs">
      <CircleAlert size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {children}
    </p>
  );
}

/** An input with label, hint and error. */
export function Field({ label, hint, error, ...input }: InputProps & FieldParts) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => <Input {...input} {...attributes} />}
    </Labelled>
  );
}

/** A text area with label, hint and error. */
export function TextAreaField({ label, hint, error, className, ...area }: ComponentProps<'textarea'> & FieldParts) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea
          rows={3}
          {...area}
          {...attributes}
          className={classNames(controlClass, 'block min-h-18 resize-y px-3 py-1.5', className)}
        />
      )}
    </Labelled>
  );
}
