import { FlaskConical } from 'lucide-react';
import { statsAtom } from '../live/atoms/atoms.ts';
import { useAtomValue } from '../store.ts';
import { Badge } from '../ui/badge.tsx';
import { utcTime } from '../ui/format.ts';

/** Shows that the market is simulated; renders nothing while that is unknown. */
export function MarketBadge() {
  const stats = useAtomValue(statsAtom);
  if (stats?.simulated !== true) return null;
  return (
    <span className="inline-flex" title="These tokens are made by the simulator. They exist on no chain.">
      <Badge tone="warning" icon={<FlaskConical size={12} strokeWidth={1.75} aria-hidden="true" />}>
        {/* On narrow screens the icon alone: the page title needs the room, and each row has the same mark. */}
        <span className="max-sm:sr-only">Simulated market</span>
      </Badge>
    </span>
  );
}

/** Shows the dollar rate of SOL, with its source and time. */
export function SolRate() {
  const stats = useAtomValue(statsAtom);
  const rate = stats?.solUsd;
  if (rate == null) return null;
  return (
    <span
      className="text-muted text-xs tabular-nums max-lg:hidden"
      title={`1 SOL in US dollars, by ${rate.source} at ${utcTime(rate.at)}`}
    >
      SOL <span className="font-medium text-text">${rate.rate.toFixed(2)}</span>
    </span>
  );
}
