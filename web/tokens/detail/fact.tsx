import type { ReactNode } from 'react';

/** A list of named figures. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="-my-2 divide-y divide-line">{children}</dl>;
}

/** One named figure; `below` stands under it at full width, e.g. a bar. */
export function Fact({ label, children, below }: { label: string; children: ReactNode; below?: ReactNode }) {
  return (
    <div className="py-2">
      <div className="flex min-h-5 items-baseline justify-between gap-4 text-sm">
        <dt className="shrink-0 text-muted text-xs">{label}</dt>
        <dd className="min-w-0 text-right tabular-nums">{children}</dd>
      </div>
      {below}
    </div>
  );
}
