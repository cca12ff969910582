import { useAtomValue } from '../../store.ts';
import { age, MISSING, utcTime } from '../../ui/format.ts';
import { serverClockAtom } from '../atoms/clock.ts';

/** Shows a ticking age, with the exact time in UTC on hover. A separate component, so that a tick repaints only it. */
export function Age({ at, className }: { at: string | number | null; className?: string }) {
  const now = useAtomValue(serverClockAtom);
  if (at === null) return <span className={className}>{MISSING}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={utcTime(at)} className={className}>
      {age(at, now)}
    </time>
  );
}
