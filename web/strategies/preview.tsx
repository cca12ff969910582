import { useEffect, useId, useRef } from 'react';
import { counted } from '../../common/counted.ts';
import { type Preview as Outcome, PREVIEW_HOURS } from '../../common/strategies/preview.ts';
import { shortSol } from '../trading/format.ts';
import { ProfitText } from '../trading/profit-text.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { count } from '../ui/format.ts';
import { Problem } from '../ui/problem.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { PreviewTable } from './preview-table.tsx';
import { type PreviewState, type PreviewTarget, usePreview } from './use-preview.ts';

/** The section 'What would have happened': simulated purchases of the rule or strategy in the form. */
export function Preview(props: PreviewTarget) {
  const preview = usePreview(props);
  const headingId = useId();
  const section = useRef<HTMLElement>(null);
  const isAsked = useRef(false);
  const { loading } = preview;
  // The result of a press comes into view; one of a changed value must not move the form under the pointer.
  useEffect(() => {
    if (loading || !isAsked.current) return;
    isAsked.current = false;
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [loading]);
  const run = () => {
    isAsked.current = true;
    preview.run();
  };
  return (
    <section
      ref={section}
      aria-labelledby={headingId}
      className="@container min-w-0 rounded-lg border border-line bg-surface"
    >
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2">
        <h3 id={headingId} className="font-semibold text-base">
          What would have happened
        </h3>
        <Button size="sm" onClick={run} busy={loading} disabled={!preview.valid}>
          Run preview
        </Button>
      </header>
      <div aria-live="polite">
        <Result preview={preview} kind={props.kind} />
      </div>
    </section>
  );
}

function Result(props: { preview: PreviewState; kind: PreviewTarget['kind'] }) {
  const {
    preview: { data, loading, error, valid, run },
    kind,
  } = props;
  if (!valid) return <Note>Correct the values of this {kind} to see what it would have bought.</Note>;
  if (error !== null) {
    return <Problem className="py-6" title="Error Running Preview" text={error} onRetry={run} busy={loading} />;
  }
  if (data === null && loading) return <SkeletonRows rows={3} label="Going through the stored prices" />;
  if (data === null) {
    return (
      <Note>
        Runs this {kind} over the stored prices of the last {PREVIEW_HOURS} h. Nothing is bought.
      </Note>
    );
  }
  return (
    <div className={classNames('transition-opacity', loading && 'opacity-50')}>
      <p className="text-pretty px-4 font-medium text-sm tabular-nums">
        {summary(data)}
        {data.total > data.uncomputed && (
          <>
            {': '}
            <ProfitText lamports={data.sums.resultLamports} /> after all fees, without budget
          </>
        )}
      </p>
      <Note>{notes(data).join(' ')}</Note>
      {data.buys.length > 0 && <PreviewTable buys={data.buys} />}
    </div>
  );
}

function Note({ children }: { children: React.ReactNode }) {
  return <p className="max-w-[80ch] px-4 pt-1 pb-3 text-muted text-xs tabular-nums">{children}</p>;
}

function summary({ total, checked }: Outcome): string {
  const tokens = counted(checked, 'token');
  return total === 0
    ? `Would have bought none of ${tokens} in the last ${PREVIEW_HOURS} h`
    : `Would have bought ${count(total)} of ${tokens} in the last ${PREVIEW_HOURS} h`;
}

/** Returns the limits of the simulation that matter for reading its figures. */
function notes(outcome: Outcome): string[] {
  const { total, buys, leftOut, unknown, tooLarge, refusedByRisk } = outcome;
  return [
    ...moneyNotes(outcome),
    ...(leftOut > 0 ? [`Only the newest tokens were checked; ${count(leftOut)} older ones were left out.`] : []),
    ...(unknown > 0
      ? [`${count(unknown)} ${unknown === 1 ? 'was' : 'were'} not bought because a required value is unknown.`]
      : []),
    ...(tooLarge > 0
      ? [`${count(tooLarge)} more would move the price beyond your slippage, so they are not bought.`]
      : []),
    ...(refusedByRisk > 0
      ? [`Whatever the risk, ${count(refusedByRisk)} more would be bought; their present risk refuses them.`]
      : []),
    ...(total > buys.length ? [`The newest ${count(buys.length)} purchases are listed.`] : []),
    'Risk is the current value; prices are per minute. Budget and limits of your account are not applied.',
  ];
}

function moneyNotes({ total, uncomputed, sums: { feesLamports, rentLamports } }: Outcome): string[] {
  const paid = `Each trade pays fees and its own impact on the price; ${shortSol(feesLamports)} SOL of fees in all.`;
  return [
    ...(total > uncomputed ? [paid] : []),
    ...(rentLamports > 0 ? [`${shortSol(rentLamports)} SOL of rent come back when the rest is sold.`] : []),
    ...(uncomputed > 0
      ? [`${count(uncomputed)} ${uncomputed === 1 ? 'has' : 'have'} no result: the depth of the market is unknown.`]
      : []),
  ];
}
