import { Lock } from 'lucide-react';
import type { LockView } from '../../../common/trading/limits/protections.ts';
import { serverClockAtom } from '../../live/atoms/clock.ts';
import { useAtomValue } from '../../store.ts';
import { Badge } from '../../ui/badge.tsx';
import { age, utcTime } from '../../ui/format.ts';
import { isInForce } from './locks.ts';

/** Shows that a protection locks buying, and for how long; renders nothing while it does not. */
export function LockBadge({ lock }: { lock: LockView | undefined }) {
  const now = useAtomValue(serverClockAtom);
  if (lock === undefined || !isInForce(lock, now)) return null;
  const { kind, until } = lock;
  const what = kind === 'stop-loss-guard' ? 'Locks automatic buying' : 'Locks buying';
  return (
    <Badge tone="warning" icon={<Lock size={12} strokeWidth={1.75} aria-hidden="true" />} className="self-start">
      {until === null ? what : `${what} until ${utcTime(until).slice(11, 16)} UTC, ${age(now, Date.parse(until))} left`}
    </Badge>
  );
}
