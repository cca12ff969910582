import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';

/** Bounds of the administrators' risk badge, as shares 0–1 (specification, section 4). */
const HIGH_ABOVE = 0.7;
const MEDIUM_ABOVE = 0.4;

/** A token's risk as administrators see it: `scamProbability` is 0–100, null while too little is known to say. */
export function RiskBadge({ scamProbability }: { scamProbability: number | null }) {
  if (scamProbability === null) return <Badge className="hatched text-risk-unknown">Risk unknown</Badge>;
  const share = scamProbability / 100;
  const { tone, look } = lookOf(share);
  return (
    <Badge tone={tone} className={classNames('tabular-nums', look)}>
      {Math.round(share * 100)}% Risk
    </Badge>
  );
}

function lookOf(share: number): { tone: BadgeTone; look?: string } {
  if (share > HIGH_ABOVE) return { tone: 'danger' };
  if (share > MEDIUM_ABOVE) return { tone: 'warning' };
  return { tone: 'neutral', look: 'border-risk-low/35 bg-risk-low/10 text-risk-low' };
}
