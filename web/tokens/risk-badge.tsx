import { riskLevel } from '../../common/tokens/levels.ts';
import type { Token } from '../../common/tokens/model.ts';
import { type RiskReason, riskReasonText } from '../../common/tokens/risk/reason.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useAtomValue } from '../store.ts';
import { classNames } from '../ui/class-names.ts';
import { levelColor, RiskPill } from '../ui/risk-pill.tsx';

type Judged = Pick<Token, 'scamProbability' | 'riskCoverage' | 'riskReason' | 'createdAt'>;

/**
 * Shows the risk of a token in one line; a high or an unknown one names its reason: '90 High Risk · drained',
 * 'Unknown · too early · 0:14'. `known`: the known checks in a few words; `title`: the missing ones.
 */
export function RiskBadge({ token, known, title }: { token: Judged; known: string; title: string }) {
  const reason = namedReason(token);
  return (
    <RiskPill
      scamProbability={token.scamProbability}
      title={title}
      known={known}
      {...(reason !== null && { reason: <ReasonText reason={reason} createdAt={token.createdAt} /> })}
    />
  );
}

/**
 * Shows the risk of a token with the reason below it, for the narrow columns of lists. `short` leaves the word of the level to
 * screen readers on a phone, where the reason needs the room.
 */
export function StackedRisk(props: { token: Judged; className: string; short?: boolean }) {
  const { token, className, short = false } = props;
  const reason = namedReason(token);
  return (
    <span className={classNames('flex min-w-0 flex-col', className)}>
      <RiskPill scamProbability={token.scamProbability} title={titleOf(token)} short={short} />
      {reason !== null && (
        <span
          className={classNames(
            'max-w-[min(9rem,100%)] truncate text-2xs leading-3.5 tabular-nums in-data-[density=compact]:hidden',
            levelColor[riskLevel(token.scamProbability)],
          )}
        >
          <ReasonText reason={reason} createdAt={token.createdAt} />
        </span>
      )}
    </span>
  );
}

/** Returns the reason that a badge names; null at a low or a medium risk. */
function namedReason({ scamProbability, riskReason }: Judged): RiskReason | null {
  const level = riskLevel(scamProbability);
  return level === 'High Risk' || level === 'Unknown' ? riskReason : null;
}

/** Shows a reason in a few words. Only an age ticks, and repaints nothing but itself. */
function ReasonText({ reason, createdAt }: { reason: RiskReason; createdAt: string | null }) {
  if (reason !== 'too-early' || createdAt === null) return riskReasonText(reason, { createdAt: null, now: 0 });
  return <EarlyReason createdAt={Date.parse(createdAt)} />;
}

function EarlyReason({ createdAt }: { createdAt: number }) {
  const now = useAtomValue(serverClockAtom);
  return riskReasonText('too-early', { createdAt, now });
}

function titleOf({ scamProbability, riskCoverage, riskReason }: Judged): string {
  const score = scamProbability === null ? '' : ` ${Math.round(scamProbability)} of 100`;
  const reason = riskReason === null ? '' : `: ${riskReasonText(riskReason, { createdAt: null, now: 0 })}`;
  return `${riskLevel(scamProbability)}${score}${reason}. ${Math.round(riskCoverage)}% of the checks are known.`;
}
