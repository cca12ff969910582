import { serverClockAtom } from '../live/atoms/clock.ts';
import { useAtomValue } from '../store.ts';
import { MISSING, utcTime } from '../ui/format.ts';

/** How long until something, counting down; the exact time in UTC on hover. */
export function Until({ at }: { at: string | null }) {
  const now = useAtomValue(serverClockAtom);
  if (at === null) return MISSING;
  const left = Date.parse(at) - now;
  return (
    <time dateTime={at} title={utcTime(at)}>
      {left <= 0 ? 'now' : `in ${written(left)}`}
    </time>
  );
}

/** `40s`, `3m 20s`: whoever waits wants to see it come nearer. */
function written(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m ${seconds % 60}s`;
}
