import type { TokenDetail } from '../../../common/tokens/model.ts';
import { clockOffsetAtom } from '../../live/atoms/clock.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { MISSING, utcTime } from '../../ui/format.ts';

/** Shows the latency of a token from the chain to this screen, step by step. */
export function Latency({ token }: { token: TokenDetail }) {
  const live = useLiveMarket();
  const offset = useAtomValue(clockOffsetAtom);
  const seen = live.writer.paintedAt(token.address);
  const { created, received, stored, published } = token.times;
  const steps = [
    { name: 'Created', at: created, hint: 'on chain' },
    // Block times are whole seconds.
    { name: 'Received', at: received, hint: created === null ? 'by this server' : 'by this server, exact to ±1 s' },
    { name: 'Stored', at: stored, hint: 'acknowledged by the database' },
    { name: 'Published', at: published, hint: 'to the live feed' },
    {
      name: 'Painted',
      // Backfilled history is painted long after it happened: that is not latency.
      at: seen === null || published === null ? null : seen + offset,
      hint: seen === null ? 'measured for tokens that arrive while a list is open' : 'on this screen',
    },
  ];
  return (
    <section aria-label="Latency" className="mt-2 border-line border-t pt-3">
      <h3 className="text-muted text-xs">From chain to screen</h3>
      <ol className="mt-2 grid grid-cols-5 gap-1">
        {steps.map(({ name, at, hint }, index) => (
          <li key={name} title={`${name} ${hint}${at === null ? '' : `: ${utcTime(at)}`}`} className="min-w-0">
            <span aria-hidden="true" className="mb-1.5 flex items-center">
              <span className={`size-1.5 shrink-0 rounded-full ${at === null ? 'bg-line-strong' : 'bg-accent'}`} />
              {index < steps.length - 1 && <span className="h-px flex-1 bg-line-strong" />}
            </span>
            <span className="block truncate text-2xs text-muted">{name}</span>
            <span className="block truncate text-xs tabular-nums">
              {index === 0 ? (at === null ? MISSING : '0 ms') : sinceBefore(steps.slice(0, index), at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns the time since the latest known earlier step, e.g. `+120 ms`. */
function sinceBefore(before: readonly { at: number | null }[], at: number | null): string {
  const last = before.findLast((step) => step.at !== null)?.at ?? null;
  if (at === null || last === null) return MISSING;
  // Chain times are whole seconds, so a step may seem to precede its cause.
  const passed = Math.max(0, at - last);
  return passed < 10_000 ? `+${Math.round(passed)} ms` : `+${Math.round(passed / 1_000)} s`;
}
