import type { ReactNode } from 'react';
import { Age } from '../live/hooks/age.tsx';
import { MISSING } from '../ui/format.ts';

/** Named figures, one a line. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-1.5 text-sm">{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 break-words text-right tabular-nums">{children}</dd>
    </div>
  );
}

/** `3m ago`; a dash for what never was. */
export function Ago({ at }: { at: string | null }) {
  if (at === null) return MISSING;
  return (
    <>
      <Age at={at} /> ago
    </>
  );
}
