import { useState } from 'react';
import type { PlanResults } from '../../common/decisions/model.ts';
import { decisionText } from '../../common/decisions/text.ts';
import { Age } from '../live/hooks/age.tsx';
import { symbolOfToken } from '../trading/format.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { Button } from '../ui/button.tsx';
import { MISSING } from '../ui/format.ts';
import { DecisionsDialog } from './decisions-dialog.tsx';
import { usePlanResults } from './use-decisions.ts';

/** Shows on a plan's card what it has bought, its profit and its last answer, with the way to all of them. */
export function PlanResultsOfCard({ planId, name }: { planId: string; name: string }) {
  const results = usePlanResults(planId);
  const [isOpen, setIsOpen] = useState(false);
  const last = results?.last ?? null;
  return (
    <section
      aria-label={`Results of ${name}`}
      className="@container rounded-md border border-line bg-bg px-3 py-2 text-sm"
    >
      {/* On a narrow card the figures take two lines. */}
      <div className="flex @max-xs:min-h-12 items-start justify-between gap-x-3">
        <Bought results={results} />
        <Button size="sm" className="shrink-0" aria-label={`Why: decisions of ${name}`} onClick={() => setIsOpen(true)}>
          Why
        </Button>
      </div>
      {/* As high with any answer and without one: the buttons below must not move under the pointer. */}
      <p className="mt-1 line-clamp-2 h-8 text-pretty text-muted text-xs [overflow-wrap:anywhere]">
        {last !== null && (
          <>
            <bdi className="font-medium text-text">{symbolOfToken({ ...last, name: null })}</bdi> ·{' '}
            <Age at={last.lastAt} /> ago · {decisionText(last)}
          </>
        )}
        {last === null && results !== undefined && 'No token considered yet'}
      </p>
      {isOpen && <DecisionsDialog planId={planId} name={name} onClose={() => setIsOpen(false)} />}
    </section>
  );
}

/** Shows what a plan has bought; undefined: not known yet. */
function Bought({ results }: { results: PlanResults | null | undefined }) {
  if (results === undefined) return <p className="py-1 text-muted">{MISSING}</p>;
  if (results === null || results.bought === 0) return <p className="py-1 text-muted">Nothing bought yet</p>;
  return (
    <p className="py-1 tabular-nums">
      Bought {results.bought} · open {results.open} · <ProfitText lamports={results.realisedLamports} /> realised
    </p>
  );
}
