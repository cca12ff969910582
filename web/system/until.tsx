import { serverClockAtom } from '../live/clock.ts';
import { useAtomValue } from '../store.ts';
import { age, MISSING, utcTime } from '../ui/format.ts';

/** How long until something, counting down; the exact time in UTC on hover. */
export function Until({ at }: { at: string | null }) {
  const now = useAtomValue(serverClockAtom);
  if (at === null) return MISSING;
  const left = Date.parse(at) - now;
  return (
    <time dateTime={at} title={utcTime(at)}>
      {left <= 0 ? 'now' : `in ${age(0, left)}`}
    </time>
  );
}
