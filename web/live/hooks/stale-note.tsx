import { CloudOff, History } from 'lucide-react';
import { useAtomValue } from '../../store.ts';
import { age } from '../../ui/format.ts';
import { clockAtom } from '../atoms/clock.ts';
import { freshnessAtom } from '../atoms/freshness.ts';

/** Warns above data that it is old, or that events are missing from it (P2, F4). Renders nothing otherwise. */
export function StaleNote({ complete }: { complete: boolean }) {
  const freshness = useAtomValue(freshnessAtom);
  const now = useAtomValue(clockAtom);
  if (freshness.state === 'live' && complete) return null;
  // A reconnect of a second or two is not worth a note.
  if (freshness.state === 'reconnecting' && complete && freshness.age < 3_000) return null;
  const since = 'age' in freshness && freshness.age !== null ? age(now - freshness.age, now) : null;
  const Icon = freshness.state === 'live' ? History : CloudOff;
  return (
    <p
      role="status"
      className="flex items-center gap-2 rounded-md border border-risk-medium/30 bg-risk-medium/10 px-3 py-1.5 text-risk-medium text-xs"
    >
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {freshness.state === 'live'
        ? 'Catching up: some events are missing from this list.'
        : `Not live: this data is ${since === null ? 'old' : `${since} old`} and may have changed.`}
    </p>
  );
}
