import { TriangleAlert } from 'lucide-react';
import { isRisky } from '../../../common/tokens/lists.ts';
import type { TokenDetail } from '../../../common/tokens/model.ts';

/** Number of reasons shown; the Risk Analysis tab has all. */
const REASONS = 3;

/** Warns above a scam probability of 50; renders nothing otherwise. */
export function RiskAlert({ token }: { token: TokenDetail }) {
  if (!isRisky(token.scamProbability)) return null;
  const reasons = token.risk.factors
    .filter((factor) => factor.state === 'risk')
    .sort((a, b) => Number(b.hard) - Number(a.hard) || b.points - a.points)
    .slice(0, REASONS);
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-lg border border-risk-high/40 bg-risk-high/10 px-4 py-3"
    >
      <TriangleAlert size={18} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-risk-high" />
      <div className="min-w-0">
        <p className="font-semibold text-base text-risk-high">
          Scam probability {Math.round(token.scamProbability ?? 0)} of 100
        </p>
        <p className="mt-0.5 text-sm">
          {reasons.length === 0
            ? 'This token shows signs of a scam. Look at the risk analysis before you do anything with it.'
            : `Mostly for: ${reasons.map((factor) => factor.label.toLowerCase()).join('; ')}.`}
        </p>
      </div>
    </div>
  );
}
