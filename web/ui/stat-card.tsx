import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from './class-names.ts';
import { MISSING } from './format.ts';
import { Sparkline } from './sparkline.tsx';

/** A figure: label, value, and a line of its last hour. An unknown value is a dash. */
export function StatCard(props: {
  label: string;
  /** Formatted, e.g. `1,234`; null while unknown. */
  value: string | null;
  /** A few words about the figure. */
  hint?: string;
  /** Oldest first. */
  spark?: readonly number[] | undefined;
  icon?: ReactNode;
  /** The value is a word or an address rather than a figure: smaller, over the whole width. */
  words?: boolean;
  /** Takes one line, without hint and spark, where there is little room. */
  line?: boolean;
  /** Link of the whole card. */
  href?: string;
}) {
  const { label, value, hint, spark, icon, words = false, line = false, href } = props;
  return (
    <div
      className={classNames(
        'relative flex min-w-0 flex-col rounded-lg border border-line bg-surface p-4',
        line &&
          'tight:h-9 tight:shrink-0 tight:flex-row tight:items-center tight:justify-between tight:gap-2 tight:px-2.5 tight:py-0',
        href !== undefined && 'transition-colors hover:bg-raised',
      )}
    >
      <div className="flex items-center gap-2 text-muted text-xs">
        {icon}
        {href === undefined ? (
          <span className="truncate">{label}</span>
        ) : (
          <Link
            href={href}
            className="truncate after:absolute after:inset-0 after:rounded-lg focus-visible:outline-0 focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            {label}
          </Link>
        )}
      </div>
      <div className={classNames('mt-1.5 flex items-end justify-between gap-3', line && 'tight:mt-0')}>
        <div
          className={classNames(
            'min-w-[4ch] truncate font-semibold tabular-nums tracking-tight',
            // As high as a figure, so that cards side by side have the same height.
            words ? 'min-h-8.5 text-lg leading-8.5' : 'text-2xl',
            line && 'tight:min-h-0 tight:min-w-0 tight:text-sm',
          )}
          {...(value === null ? { 'aria-label': `${label}: not known yet` } : {})}
        >
          {value ?? <span className="text-faint">{MISSING}</span>}
        </div>
        {/* The space is reserved before the line loads, so that the card never jumps. */}
        <div className={classNames('mb-1 h-7 min-w-0 max-w-28 flex-1', words && 'hidden', line && 'tight:hidden')}>
          {spark !== undefined && <Sparkline values={spark} tone="accent" area className="h-full w-full" />}
        </div>
      </div>
      {hint !== undefined && (
        <div className={classNames('mt-1 text-pretty text-faint text-xs', line && 'tight:hidden')}>{hint}</div>
      )}
    </div>
  );
}
