import { type RuleInput, startingPoints } from '../../common/rules/model.ts';
import { percent, sol } from '../auto-buy/amounts.ts';
import { Badge } from '../ui/badge.tsx';

/** Ready-made rules to begin with: choosing one fills the form. */
export function StartingPoints({ onChoose }: { onChoose: (start: RuleInput) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-muted text-xs">Start from</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {startingPoints.map((start) => (
          <button
            key={start.name}
            type="button"
            onClick={() => onChoose(start)}
            className="min-w-0 rounded-md border border-line-strong bg-bg px-3 py-2 text-left transition-colors hover:border-control"
          >
            <span className="flex items-center justify-between gap-2 font-medium text-sm">
              {start.name}
              <Badge tone={start.isActive ? 'accent' : 'neutral'}>{start.isActive ? 'Active' : 'Inactive'}</Badge>
            </span>
            <span className="mt-0.5 block text-muted text-xs tabular-nums">{summary(start)}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** In the order of the form. */
function summary({ buyAmount, minLiquidity, maxRisk, maxSlippage }: RuleInput): string {
  return [sol(buyAmount), sol(minLiquidity), percent(maxRisk), percent(maxSlippage)].join(' · ');
}
