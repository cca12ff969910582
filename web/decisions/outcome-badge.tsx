import type { DecisionOutcome } from '../../common/decisions/model.ts';
import { outcomeNames } from '../../common/decisions/text.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

const tones: Record<DecisionOutcome, BadgeTone> = {
  bought: 'accent',
  ordered: 'might-run',
  tried: 'warning',
  'not-bought': 'neutral',
};

/** Shows how an answer of a plan stands. */
export function OutcomeBadge({ outcome }: { outcome: DecisionOutcome }) {
  return <Badge tone={tones[outcome]}>{outcomeNames[outcome]}</Badge>;
}
