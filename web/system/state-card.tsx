import type { ReactNode } from 'react';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { Age } from '../live/hooks/age.tsx';
import { useAtomValue } from '../store.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { MISSING, utcTime } from '../ui/format.ts';
import type { StateLabel } from './labels.ts';

/** A part of the system: its name, a badge with its state, and its figures. */
export function StateCard({ title, state, children }: { title: string; state?: StateLabel; children: ReactNode }) {
  return (
    <Card title={title} {...(state === undefined ? {} : { actions: <Badge tone={state.tone}>{state.text}</Badge> })}>
      <div className="flex flex-col gap-3">{children}</div>
    </Card>
  );
}

/** Labelled figures, one per line. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-1.5 text-sm">{children}</dl>;
}

/** One figure with its label. `whole` keeps the figure on one line, so that the label wraps in its place. */
export function Fact({ label, whole = false, children }: { label: string; whole?: boolean; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className={classNames('text-muted', whole ? 'min-w-0' : 'shrink-0')}>{label}</dt>
      <dd className={classNames('text-right tabular-nums', whole ? 'shrink-0' : 'min-w-0 break-words')}>{children}</dd>
    </div>
  );
}

/** The time since an event: `3m ago`; a dash for null. */
export function Ago({ at }: { at: string | null }) {
  if (at === null) return MISSING;
  return (
    <>
      <Age at={at} /> ago
    </>
  );
}

/** A countdown to an event, with the exact time in UTC on hover; a dash for null. */
export function Until({ at }: { at: string | null }) {
  const now = useAtomValue(serverClockAtom);
  if (at === null) return MISSING;
  const left = Date.parse(at) - now;
  return (
    <time dateTime={at} title={utcTime(at)}>
      {left <= 0 ? 'now' : `in ${remaining(left)}`}
    </time>
  );
}

/** Formats a duration with seconds, so that a countdown visibly moves: `40s`, `3m 20s`. */
function remaining(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m ${seconds % 60}s`;
}
