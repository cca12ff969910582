import { memo } from 'react';
import { riskLevel } from '../../../common/tokens/levels.ts';
import type { TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import { useAtomValue } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { MISSING } from '../../ui/format.ts';
import { LevelShape, levelColor } from '../../ui/risk-pill.tsx';
import { useIsHeld, useTradingAccount } from '../state/trading.ts';
import { isArmedAtom } from './armed.ts';
import { QuickButtons } from './quick-button.tsx';
import type { QuickTrade } from './quick-order.ts';

/** Amounts that a row offers; the keys have all of them. */
const ROW_AMOUNTS = 3;

/** Buttons that buy a token, or sell it if it is held, while quick trade is on; renders nothing otherwise. */
export const RowTrades = memo(function RowTrades(props: RowTradesProps) {
  return useAtomValue(isArmedAtom) ? <Trades {...props} /> : null;
});

interface RowTradesProps {
  address: string;
  name: string;
  look: 'row' | 'card';
  /** Scam probability, for buttons that cover the badge of their row; null while it is unknown. */
  risk?: number | null;
}

function Trades({ address, name, look, risk }: RowTradesProps) {
  const account = useTradingAccount();
  const isHeld = useIsHeld(address);
  if (account === null || account.mode === null) return null;
  return (
    <>
      {risk !== undefined && <CoveredRisk risk={risk} />}
      <QuickButtons name={name} look={look} trades={tradesOf({ address, mode: account.mode }, account, isHeld)} />
    </>
  );
}

/** Repeats the risk of the badge below the buttons, which has it for screen readers. */
function CoveredRisk({ risk }: { risk: number | null }) {
  const level = riskLevel(risk);
  return (
    <span
      aria-hidden="true"
      data-covered-risk={level}
      className={classNames(
        'mr-1 flex min-w-10 items-center justify-end gap-1 font-semibold text-xs tabular-nums',
        levelColor[level],
      )}
    >
      <LevelShape level={level} />
      {risk === null ? MISSING : Math.round(risk)}
    </span>
  );
}

/** Nothing can be bought while trading is stopped; sales go on. */
function tradesOf(row: { address: string; mode: TradingMode }, account: TradingAccount, isHeld: boolean): QuickTrade[] {
  const { defaults, stopped, stoppedAll } = account;
  const buys = stopped !== null || stoppedAll ? [] : defaults.buyPresets.slice(0, ROW_AMOUNTS);
  const sales = isHeld ? defaults.sellPresets.slice(1) : [];
  return [
    ...buys.map((lamports): QuickTrade => ({ ...row, side: 'buy', lamports, from: 'quick' })),
    ...sales.map((sharePercent): QuickTrade => ({ ...row, side: 'sell', sharePercent, from: 'quick' })),
  ];
}
