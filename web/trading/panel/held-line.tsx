import type { TradingMode } from '../../../common/trading/account.ts';
import { initialRefusal, type Position } from '../../../common/trading/position.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { tokensText } from '../../../common/trading/text.ts';
import { Button } from '../../ui/button.tsx';
import { MISSING, percentChange } from '../../ui/format.ts';
import { EntryLine } from '../entry-line.tsx';
import type { NamedToken } from '../format.ts';
import { profitPercent, shortSol, symbolOfToken } from '../format.ts';
import { ProfitText } from '../profit-text.tsx';
import { useOpenPositions } from '../state/trading.ts';

/**
 * Shows what the user holds of the token in this mode, the price paid, and what a sale of it returns now; nothing while
 * there is none. `onInitial`: called with the position whose price is to return by a sale.
 */
export function HeldLine(props: { token: NamedToken; mode: TradingMode; onInitial: (positionId: string) => void }) {
  const { token, mode, onInitial } = props;
  const positions = useOpenPositions() ?? [];
  const held = positions.filter((one) => one.mode === mode && one.token.address === token.address);
  return held.map((one) => <HeldPosition key={one.id} position={one} onInitial={onInitial} />);
}

function HeldPosition(props: { position: Position; onInitial: (positionId: string) => void }) {
  const { position, onInitial } = props;
  const { id, tokens, token, value, costLamports, origin } = position;
  const refusal = initialRefusal(position);
  return (
    <div className="flex flex-col gap-1 text-muted text-xs tabular-nums">
      <p>
        You hold {tokensText(tokens, token.decimals)} <bdi>{symbolOfToken(token)}</bdi>
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
      <EntryLine position={position} />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Button size="sm" disabled={refusal !== null} title={refusal ?? INITIAL} onClick={() => onInitial(id)}>
          Sell the initial
        </Button>
        {refusal !== null && <span className="min-w-0 flex-1 basis-40 text-faint">{refusal}</span>}
      </div>
    </div>
  );
}

const INITIAL = 'Sells as much as returns what you paid and have not got back yet.';
