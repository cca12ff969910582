import { riskLevel } from '../../../../common/tokens/levels.ts';
import { isRisky } from '../../../../common/tokens/lists.ts';
import type { Risk, RiskFactor, TokenDetail } from '../../../../common/tokens/model.ts';
import { type ReasonTimes, type RiskReason, riskReasonText } from '../../../../common/tokens/risk/reason.ts';
import { serverClockAtom } from '../../../live/atoms/clock.ts';
import { useAtomValue } from '../../../store.ts';
import { classNames } from '../../../ui/class-names.ts';
import { LevelShape, levelColor } from '../../../ui/risk-pill.tsx';
import { cleanEvidence } from '../../text.ts';

/** Number of findings shown; the Risk Analysis tab has all. */
const FINDINGS = 3;
/** Points from which a finding is red. */
const HEAVY = 20;

const looks = {
  'Low Risk': 'border-line bg-surface',
  'Medium Risk': 'border-risk-medium/40 bg-caution/12',
  'High Risk': 'border-risk-high/40 bg-risk-high/10',
  Unknown: 'border-line bg-surface',
} as const;

/** Opens the page of a token: the verdict in one sentence, and its three worst findings. An alert above 50. */
export function VerdictCard({ token }: { token: TokenDetail }) {
  const { risk } = token;
  const level = riskLevel(risk.score);
  const worst = worstFindings(risk);
  // Without a finding: what a low risk still needs.
  const missing = risk.score === null ? risk.factors.find(({ id }) => id === 'unproven') : undefined;
  return (
    <section aria-label="Verdict" className={classNames('rounded-lg border px-4 py-3', looks[level])}>
      <p
        {...(isRisky(risk.score) && { role: 'alert' })}
        className={classNames('flex items-start gap-2 font-semibold text-base', levelColor[level])}
      >
        <LevelShape level={level} className="mt-1.5" />
        <Sentence token={token} />
      </p>
      {worst.length > 0 && (
        <ol aria-label="Worst findings" className="mt-2 flex flex-col gap-1.5">
          {worst.map((factor) => (
            <Finding key={factor.id} factor={factor} />
          ))}
        </ol>
      )}
      {missing !== undefined && <p className="mt-1.5 text-sm">{missing.evidence}</p>}
    </section>
  );
}

/** Returns the findings that make most of the score, a low risk that is not earned among them. */
function worstFindings({ factors }: Risk): RiskFactor[] {
  return factors
    .filter(({ state }) => state === 'risk')
    .sort((a, b) => Number(b.hard) - Number(a.hard) || b.points - a.points)
    .slice(0, FINDINGS);
}

/** The sentence alone, since an age in it ticks. */
function Sentence({ token: { risk, createdAt } }: { token: TokenDetail }) {
  const now = useAtomValue(serverClockAtom);
  return (
    <span className="min-w-0 tabular-nums">
      {verdictText(risk, { createdAt: createdAt === null ? null : Date.parse(createdAt), now })}
    </span>
  );
}

/** Returns red for a heavy or decisive finding, amber for a lesser one: a mutable metadata file must not look like a rug. */
export function findingColor({ id, hard, points }: RiskFactor): string {
  return hard || (points >= HEAVY && id !== 'unproven') ? levelColor['High Risk'] : levelColor['Medium Risk'];
}

function Finding({ factor }: { factor: RiskFactor }) {
  const { label, points, evidence } = factor;
  return (
    <li className="grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-2 text-sm">
      <span className={classNames('text-right font-semibold tabular-nums', findingColor(factor))}>
        +{Math.round(points)}
      </span>
      <span className="min-w-0 break-words">
        <span className="font-medium">{label}</span> <span className="text-muted">{cleanEvidence(evidence)}</span>
      </span>
    </li>
  );
}

/** Returns the verdict about a token in one sentence. */
function verdictText({ score, reason }: Pick<Risk, 'score' | 'reason'>, times: ReasonTimes): string {
  if (score === null) return unknownText(reason, times);
  const level = `${riskLevel(score)}, scam probability ${Math.round(score)} of 100`;
  if (reason === null) return `${level}: no check found anything against this token.`;
  return `${level}: ${riskReasonText(reason, times)}.`;
}

function unknownText(reason: RiskReason | null, times: ReasonTimes): string {
  switch (reason) {
    case 'too-early':
      return `Unknown: ${riskReasonText(reason, times)}.`;
    case 'no-buyers':
      return 'Unknown: no outside wallet has bought this token yet.';
    case 'mint-unread':
      return 'Unknown: the mint account has not been read, so more of the token could be made, or wallets frozen.';
    case 'pool-unobserved':
      return 'Unknown: the token trades in a pool that is not observed, so its liquidity or its holders are not known.';
    default:
      return 'Unknown: nothing speaks against this token so far, but too little is known for a low risk.';
  }
}
