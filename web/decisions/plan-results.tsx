import { useState } from 'react';
import { decisionText } from '../../common/decisions/text.ts';
import { Age } from '../live/hooks/age.tsx';
import { symbolOfToken } from '../trading/format.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { Button } from '../ui/button.tsx';
import { DecisionsDialog } from './decisions-dialog.tsx';
import { usePlanResults } from './use-decisions.ts';

/** Shows on a plan's card what it has bought, its profit and its last answer, with the way to all of them. */
export function PlanResultsOfCard({ planId, name }: { planId: string; name: string }) {
  const results = usePlanResults(planId);
  const [isOpen, setIsOpen] = useState(false);
  if (results === undefined) return null;
  const last = results?.last ?? null;
  return (
    <section aria-label={`Results of ${name}`} className="rounded-md border border-line bg-bg px-3 py-2 text-sm">
      <div className="flex items-start justify-between gap-x-3">
        {results === null || results.bought === 0 ? (
          <p className="py-1 text-muted">Nothing bought yet</p>
        ) : (
          <p className="py-1 tabular-nums">
            Bought {results.bought} · open {results.open} · <ProfitText lamports={results.realisedLamports} /> realised
          </p>
        )}
        <Button size="sm" className="shrink-0" aria-label={`Why: decisions of ${name}`} onClick={() => setIsOpen(true)}>
          Why
        </Button>
      </div>
      {last !== null && (
        <p className="mt-1 text-pretty text-muted text-xs [overflow-wrap:anywhere]">
          <bdi className="font-medium text-text">{symbolOfToken({ ...last, name: null })}</bdi> ·{' '}
          <Age at={last.lastAt} /> ago · {decisionText(last)}
        </p>
      )}
      {isOpen && <DecisionsDialog planId={planId} name={name} onClose={() => setIsOpen(false)} />}
    </section>
  );
}
