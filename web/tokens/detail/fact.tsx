import type { ReactNode } from 'react';

/** A list of labelled figures. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="-my-2 divide-y divide-line">{children}</dl>;
}

/** One labelled figure; `below` is placed under it at full width, e.g. a bar. */
export function Fact({ label, children, below }: { label: string; children?: ReactNode; below?: ReactNode }) {
  // A group of a description list may contain only terms and descriptions.
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 py-2 text-sm">
      <dt className="min-h-5 text-muted text-xs leading-5">{label}</dt>
      {children !== undefined && <dd className="min-w-0 text-right tabular-nums">{children}</dd>}
      {below !== undefined && below !== false && <dd className="col-span-2 min-w-0">{below}</dd>}
    </div>
  );
}
