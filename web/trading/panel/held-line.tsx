import type { TradingMode } from '../../../common/trading/account.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { tokensText } from '../../../common/trading/text.ts';
import { MISSING, percentChange } from '../../ui/format.ts';
import type { NamedToken } from '../format.ts';
import { profitPercent, shortSol, symbolOfToken } from '../format.ts';
import { ProfitText } from '../profit-text.tsx';
import { useOpenPositions } from '../state/trading.ts';

/** Shows what the user holds of the token in this mode, and what a sale of it returns now; nothing while there is none. */
export function HeldLine({ token, mode }: { token: NamedToken; mode: TradingMode }) {
  const positions = useOpenPositions() ?? [];
  const held = positions.filter((one) => one.mode === mode && one.token.address === token.address);
  return held.map(({ id, tokens, token: of, value, costLamports, origin }) => (
    <p key={id} className="text-muted text-xs tabular-nums">
      You hold {tokensText(tokens, of.decimals)} <bdi>{symbolOfToken(of)}</bdi>
      {origin.name !== null && <> by {origin.name}</>}
      {' · would return '}
      {value?.lamports == null ? (
        <>
          {MISSING}
          {value?.unknown && ` (${reasonText(value.unknown).replace(/\.$/, '')})`}
        </>
      ) : (
        <>
          {shortSol(value.lamports)} SOL{' '}
          <ProfitText lamports={value.profitLamports}>
            {percentChange(profitPercent(value.profitLamports, costLamports))}
          </ProfitText>
        </>
      )}
    </p>
  ));
}
