import type { ReactNode } from 'react';
import { MISSING } from './format.ts';
import { Sparkline } from './sparkline.tsx';

/** One figure of the day: label, value, and a thin line of its last hour. A dash stands for what is not known yet. */
export function StatCard({
  label,
  value,
  hint,
  spark,
  icon,
}: {
  label: string;
  /** Already written out, e.g. `1,234`; null while unknown. */
  value: string | null;
  /** A few words about what is counted. */
  hint?: string;
  /** Oldest first. */
  spark?: readonly number[] | undefined;
  icon?: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface p-4">
      <div className="flex items-center gap-2 text-muted text-xs">
        {icon}
        <span className="truncate">{label}</span>
      </div>
      <div className="mt-1.5 flex items-end justify-between gap-3">
        <div
          className="min-w-[4ch] font-semibold text-2xl tabular-nums tracking-tight"
          {...(value === null ? { 'aria-label': `${label}: not known yet` } : {})}
        >
          {value ?? <span className="text-faint">{MISSING}</span>}
        </div>
        {/* The place is kept while the line is not there, so that the card never jumps. */}
        <div className="mb-1 h-7 min-w-0 max-w-28 flex-1">
          {spark !== undefined && <Sparkline values={spark} tone="accent" area className="h-full w-full" />}
        </div>
      </div>
      {hint !== undefined && <div className="mt-1 text-pretty text-faint text-xs">{hint}</div>}
    </div>
  );
}
