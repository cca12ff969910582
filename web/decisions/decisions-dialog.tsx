import { CircleHelp } from 'lucide-react';
import { Link } from 'wouter';
import { decisionCalls } from '../../common/decisions/http.ts';
import type { Decision } from '../../common/decisions/model.ts';
import { answerText } from '../../common/decisions/text.ts';
import { reason, reasonText } from '../../common/trading/reasons.ts';
import { Loaded } from '../http/loaded.tsx';
import { Age } from '../live/hooks/age.tsx';
import { useLiveEvent } from '../live/hooks/use-room.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { symbolOfToken } from '../trading/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { count, shortAddress, utcTime } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import { usePlanDecisions } from './use-decisions.ts';

/** Shows the tokens that a plan has considered in the last 7 days, each with the last answer, and how many were lost for each reason. */
export function DecisionsDialog({ planId, name, onClose }: { planId: string; name: string; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Why · ${name}`}
      description="Tokens of the last 7 days, newest first, with the last answer to each. Tokens whose conditions were never met are not listed."
    >
      <Counts planId={planId} />
      <Decisions planId={planId} />
    </Dialog>
  );
}

/** Interval in which the counts follow without an answer, ms. */
const COUNTS_MS = 5_000;

function Counts({ planId }: { planId: string }) {
  const query = useUserQuery(decisionCalls.counts, { query: { plan: planId } }, COUNTS_MS);
  useLiveEvent('decision', ({ plan }) => {
    if (plan.id === planId) void query.reload();
  });
  const { data } = query;
  if (data === undefined || data.considered === 0) return null;
  const { considered, dropped, reasons } = data;
  return (
    <section aria-label="Reasons of the last 7 days" className="mb-3 text-xs">
      <p className="tabular-nums">
        {count(considered)} considered
        {dropped > 0 && <span className="text-muted"> · {count(dropped)} answers counted without details</span>}
      </p>
      <p className="mt-2 text-muted">Tokens not bought, by the last reason. Each counts once.</p>
      <ul className="mt-1 divide-y divide-line rounded-md border border-line">
        {reasons.map(({ code, count: tokens }) => (
          <li key={code} className="flex items-baseline justify-between gap-3 px-2 py-1">
            <span className="min-w-0 text-pretty">{reasonText(reason(code))}</span>
            <span className="text-muted tabular-nums">{count(tokens)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Decisions({ planId }: { planId: string }) {
  const pages = usePlanDecisions(planId);
  return (
    <Loaded
      query={pages}
      problem="Decisions could not be loaded"
      bare
      waiting={<Skeleton className="h-40 rounded-md" />}
    >
      {(rows) =>
        rows.length === 0 ? (
          <Empty
            icon={CircleHelp}
            title="No decisions yet"
            text="A token is listed here once its conditions were met, bought or not."
          />
        ) : (
          <>
            <ul aria-label="Decisions" className="divide-y divide-line">
              {rows.map((decision) => (
                <li key={decision.id} className="py-2">
                  <DecisionLine decision={decision} />
                </li>
              ))}
            </ul>
            {pages.hasMore && (
              <Button className="mt-3 w-full" onClick={pages.loadMore} busy={pages.loadingMore}>
                Load More
              </Button>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function DecisionLine({ decision }: { decision: Decision }) {
  const { address, symbol, outcome, firstAt, lastAt, count: changes, isResumed } = decision;
  const why = answerText(decision);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <Link href={`/app/tokens/${address}`} className="min-w-0 font-medium hover:text-accent">
          <bdi className="[overflow-wrap:anywhere]">{symbolOfToken({ address, symbol, name: null })}</bdi>
        </Link>
        <code className="text-muted text-xs">{shortAddress(address)}</code>
        <OutcomeBadge outcome={outcome} />
        <span className="ml-auto text-muted text-xs tabular-nums">
          {/* The list is in the order of the first answers. */}
          <Age at={firstAt} />
          {changes > 1 && <span title={`Last answer: ${utcTime(lastAt)}`}> · {count(changes)} answers</span>}
        </span>
      </p>
      {(why !== null || isResumed) && (
        <p className="mt-0.5 text-pretty text-muted text-xs [overflow-wrap:anywhere]">
          {why}
          {isResumed && ' Its windows began before a restart of the server.'}
        </p>
      )}
    </>
  );
}
