import { useAtomValue } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type Freshness, freshnessAtom } from '../atoms/freshness.ts';

const looks: Record<Freshness['state'], { label: string; dot: string }> = {
  live: { label: 'Live', dot: 'bg-accent animate-breathe' },
  reconnecting: { label: 'Reconnecting', dot: 'bg-risk-medium' },
  polling: { label: 'Polling', dot: 'bg-risk-medium' },
  offline: { label: 'Offline', dot: 'bg-down' },
  'wrong-version': { label: 'Reload', dot: 'bg-down' },
};

/** Round trips of a connection that is no longer quick, and of a slow one, ms. */
const SLOW = 150;
const VERY_SLOW = 400;

/** Shows Live, Reconnecting, Polling or Offline in the header of every page (P2). */
export function ConnectionState() {
  const freshness = useAtomValue(freshnessAtom);
  const { label, dot } = looks[freshness.state];
  const figure = figureOf(freshness);
  return (
    <Tooltip content={explain(freshness)} side="bottom">
      <button
        type="button"
        data-state={freshness.state}
        aria-label={`Connection: ${label}${figure ? `, ${figure}` : ''}`}
        onClick={freshness.state === 'wrong-version' ? () => window.location.reload() : undefined}
        className="inline-flex h-7 shrink-0 cursor-default items-center gap-2 rounded-full border border-line px-2.5 font-medium text-xs"
      >
        <span aria-hidden="true" className={classNames('size-2 shrink-0 rounded-full', dot)} />
        <span className="text-text">{label}</span>
        {/* On a narrow phone the page title needs the room. */}
        {figure !== null && (
          <span
            className={classNames(
              'min-w-[5ch] text-right tabular-nums',
              colorOf(freshness),
              freshness.state === 'live' && 'max-[420px]:hidden',
            )}
          >
            {figure}
          </span>
        )}
      </button>
    </Tooltip>
  );
}

function colorOf(freshness: Freshness): string {
  const roundTrip = freshness.state === 'live' ? freshness.roundTrip : null;
  if (roundTrip === null || roundTrip < SLOW) return 'text-muted';
  return roundTrip < VERY_SLOW ? 'text-risk-medium' : 'text-down';
}

function figureOf(freshness: Freshness): string | null {
  switch (freshness.state) {
    case 'live':
      return freshness.roundTrip === null ? '– ms' : `${Math.round(freshness.roundTrip)} ms`;
    case 'polling':
      return `${Math.floor(freshness.age / 1_000)}s old`;
    case 'reconnecting':
    case 'offline':
    case 'wrong-version':
      return null;
  }
}

function explain(freshness: Freshness): string {
  switch (freshness.state) {
    case 'live':
      return 'Updates arrive at once. The figure is the round trip to the server.';
    case 'reconnecting':
      return 'The live feed is interrupted and reconnects. The data may be a few seconds old.';
    case 'polling':
      return 'The live feed is down. Lists are fetched every 30 to 60 seconds until it is back; the figure is their age.';
    case 'offline':
      return 'The server cannot be reached. The data is old, and nothing new arrives.';
    case 'wrong-version':
      return 'The server has a newer version of this page. Click to reload it.';
  }
}
