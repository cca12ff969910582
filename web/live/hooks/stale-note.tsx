import { CloudOff, History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAtomValue } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { age } from '../../ui/format.ts';
import { clockAtom } from '../atoms/clock.ts';
import { freshnessAtom } from '../atoms/freshness.ts';

/** Time for which a reconnect is not worth a note, ms. */
const BRIEF_MS = 3_000;
/** Time for which missing events are not worth a note, ms: nearly all arrive within it. */
const CATCHING_UP_MS = 500;

/** Returns whether a state has lasted for `ms`. */
function useLasting(isOn: boolean, ms: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => setHasLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [isOn, ms]);
  return isOn && hasLasted;
}

/**
 * Warns above data that it is old, or that events are missing from it (P2, F4). Renders nothing otherwise. A note that is
 * over in a moment takes no room: rows would move down and up again under the pointer.
 */
export function StaleNote({ complete }: { complete: boolean }) {
  const freshness = useAtomValue(freshnessAtom);
  const now = useAtomValue(clockAtom);
  const isLive = freshness.state === 'live';
  const isCatchingUp = useLasting(isLive && !complete, CATCHING_UP_MS);
  const isBrief = isLive || (freshness.state === 'reconnecting' && freshness.age < BRIEF_MS);
  if (isLive ? !isCatchingUp : isBrief && complete) return null;
  const since = 'age' in freshness && freshness.age !== null ? age(now - freshness.age, now) : null;
  const Icon = isLive ? History : CloudOff;
  return (
    <p
      role="status"
      className={classNames(
        'flex items-center gap-2 rounded-md border border-risk-medium/30 px-3 py-1.5 text-risk-medium text-xs',
        isBrief
          ? 'pointer-events-none fixed top-14 right-4 z-20 bg-raised shadow-raised max-md:top-26 max-md:right-3'
          : 'bg-caution/12',
      )}
    >
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {isLive
        ? 'Catching up: some events are missing from this list.'
        : `Not live: this data is ${since === null ? 'old' : `${since} old`} and may have changed.`}
    </p>
  );
}
