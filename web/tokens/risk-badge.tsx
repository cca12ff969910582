import { riskLevel } from '../../common/tokens/levels.ts';
import type { Token } from '../../common/tokens/model.ts';
import { type RiskReason, riskReasonText } from '../../common/tokens/risk/reason.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useAtomValue } from '../store.ts';
import { RiskPill } from '../ui/risk-pill.tsx';

type Judged = Pick<Token, 'scamProbability' | 'riskCoverage' | 'riskReason' | 'createdAt'>;

/**
 * Shows the risk of a token; a high or an unknown one names its reason: '90 High Risk · drained', 'Unknown · too early · 0:14'.
 * `known`: text of the known checks, for places with room. `title`: default the level with reason and known checks.
 */
export function RiskBadge({
  token,
  known,
  title,
  className,
}: {
  token: Judged;
  known?: string;
  title?: string;
  className?: string;
}) {
  const { scamProbability, riskReason, createdAt } = token;
  const level = riskLevel(scamProbability);
  const isNamed = riskReason !== null && (level === 'High Risk' || level === 'Unknown');
  return (
    <RiskPill
      scamProbability={scamProbability}
      title={title ?? titleOf(token)}
      {...(known !== undefined && { known })}
      {...(isNamed && { reason: <RiskReasonText reason={riskReason} createdAt={createdAt} /> })}
      {...(className !== undefined && { className })}
    />
  );
}

/** Shows a reason in a few words. Only an age ticks, and repaints nothing but itself. */
export function RiskReasonText({ reason, createdAt }: { reason: RiskReason; createdAt: string | null }) {
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
