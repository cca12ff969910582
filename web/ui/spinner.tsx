import { classNames } from './class-names.ts';

/** A turning ring in the color of the text; needs a text beside it. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg
      className={classNames('size-4 animate-spin motion-reduce:animate-none', className)}
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeOpacity="0.22" strokeWidth="1.75" />
      <path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  );
}

/** A centered spinner, announced to screen readers. */
export function SpinnerPage({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center text-muted">
      <Spinner className="size-6 text-accent" />
      <span className="sr-only">{label}</span>
    </div>
  );
}
