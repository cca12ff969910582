import { CircleHelp } from 'lucide-react';
import { decisionCalls } from '../../common/decisions/http.ts';
import type { Explanation } from '../../common/decisions/model.ts';
import { decisionText, explanationText } from '../../common/decisions/text.ts';
import { Loaded } from '../http/loaded.tsx';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { Age } from '../live/hooks/age.tsx';
import { useLiveEvent } from '../live/hooks/use-room.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useAtomValue } from '../store.ts';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';

/** Figures move all the time; an answer that changes is shown at once, ms. */
const POLL_MS = 3_000;

/** Shows what each of the user's plans waits for, or why it does not buy this token, at this moment. */
export function WhyTab({ address }: { address: string }) {
  const query = useUserQuery(decisionCalls.explain, { params: { address }, query: {} }, POLL_MS);
  useLiveEvent('decision', (answer) => {
    if (answer.address === address) void query.reload();
  });
  return (
    <Loaded query={query} problem="Reasons could not be loaded" waiting={<Skeleton className="h-40 rounded-lg" />}>
      {({ plans, isDeciding }) =>
        plans.length === 0 ? (
          <NoPlans address={address} />
        ) : (
          <Card>
            <ul aria-label="Your rules and strategies on this token" className="-my-3 divide-y divide-line">
              {plans.map((explanation) => (
                <li key={explanation.plan.id} className="py-3">
                  <PlanLine explanation={explanation} isDeciding={isDeciding} />
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </Loaded>
  );
}

function NoPlans({ address }: { address: string }) {
  return (
    <Card flush>
      <Empty
        icon={CircleHelp}
        title="No rules or strategies"
        text="With one, this shows what it waits for, or why it does not buy this token."
        action={
          <ButtonLink href={`/app/auto-buy?from=${encodeURIComponent(address)}`}>Create Auto-Buy Rule</ButtonLink>
        }
      />
    </Card>
  );
}

function PlanLine({ explanation, isDeciding }: { explanation: Explanation; isDeciding: boolean }) {
  const now = useAtomValue(serverClockAtom);
  const { plan, isActive, last } = explanation;
  const text = explanationText(explanation, isDeciding, now);
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{plan.name}</bdi>
        <span className="text-muted text-xs">{plan.kind === 'rule' ? 'Rule' : 'Strategy'}</span>
        {isActive ? last !== null && <OutcomeBadge outcome={last.outcome} /> : <Badge>Inactive</Badge>}
      </p>
      <p className="mt-1 text-pretty text-sm tabular-nums [overflow-wrap:anywhere]">{text}</p>
      {last !== null && (
        <p className="mt-0.5 text-pretty text-muted text-xs [overflow-wrap:anywhere]">
          Last decision <Age at={last.lastAt} /> ago{decisionText(last) !== text && `: ${decisionText(last)}`}
        </p>
      )}
    </>
  );
}
