import { memo } from 'react';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { useAtomValue } from '../../store.ts';
import { useIsHeld, useTradingAccount } from '../state/trading.ts';
import { isArmedAtom } from './armed.ts';
import { type QuickAction, QuickButtons } from './quick-button.tsx';
import type { QuickTrade } from './quick-order.ts';

/** Buttons that buy and sell a token while quick trade is on; renders nothing otherwise. */
export const RowTrades = memo(function RowTrades(props: RowTradesProps) {
  return useAtomValue(isArmedAtom) ? <Trades {...props} /> : null;
});

interface RowTradesProps {
  address: string;
  name: string;
  look: 'row' | 'card';
}

function Trades({ address, name, look }: RowTradesProps) {
  const account = useTradingAccount();
  const isHeld = useIsHeld(address);
  if (account === null || account.mode === null) return null;
  const row = { address, mode: account.mode, from: 'quick' } as const;
  const { buyPresets, sellPresets } = account.defaults;
  const noBuy = whyNoBuy(account);
  const noSale = isHeld ? null : 'You hold nothing of this token.';
  // Each button keeps its place, whatever is held: a second click meets the same action.
  const actions: QuickAction<QuickTrade>[] = [
    ...buyPresets.map((lamports, at) => ({
      place: `buy ${at}`,
      trade: { ...row, side: 'buy' as const, lamports },
      disabledBy: noBuy,
    })),
    ...sellPresets.slice(1).map((sharePercent, at) => ({
      place: `sell ${at}`,
      trade: { ...row, side: 'sell' as const, sharePercent },
      disabledBy: noSale,
    })),
  ];
  return <QuickButtons name={name} look={look} actions={actions} />;
}

/** Nothing can be bought while trading is stopped; sales go on. */
function whyNoBuy({ stopped, stoppedAll }: TradingAccount): string | null {
  return stopped !== null || stoppedAll ? 'Buying is stopped.' : null;
}
