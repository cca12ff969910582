import { riskLevel } from '../../../../common/tokens/levels.ts';
import type { Risk } from '../../../../common/tokens/model.ts';
import { type ReasonTimes, type RiskReason, riskReasonText } from '../../../../common/tokens/risk/reason.ts';

/** Returns the verdict about a token in one sentence. */
export function verdictText({ score, reason }: Pick<Risk, 'score' | 'reason'>, times: ReasonTimes): string {
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
