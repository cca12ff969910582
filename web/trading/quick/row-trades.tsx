import { memo } from 'react';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { useAtomValue } from '../../store.ts';
import { useIsHeld, useTradingAccount } from '../state/trading.ts';
import { isArmedAtom } from './armed.ts';
import { QuickButtons } from './quick-button.tsx';
import type { QuickTrade } from './quick-order.ts';

/** Amounts that a row offers; the keys have all of them. */
const ROW_AMOUNTS = 3;

/** Buttons that buy a token, or sell it if it is held, while quick trade is on; renders nothing otherwise. */
export const RowTrades = memo(function RowTrades(props: { address: string; name: string; look: 'row' | 'card' }) {
  return useAtomValue(isArmedAtom) ? <Trades {...props} /> : null;
});

function Trades({ address, name, look }: { address: string; name: string; look: 'row' | 'card' }) {
  const account = useTradingAccount();
  const isHeld = useIsHeld(address);
  if (account === null) return null;
  return <QuickButtons name={name} look={look} trades={tradesOf(address, account, isHeld)} />;
}

/** Nothing can be bought while trading is stopped; sales go on. */
function tradesOf(address: string, account: TradingAccount, isHeld: boolean): QuickTrade[] {
  const { defaults, stopped, stoppedAll } = account;
  const buys = stopped !== null || stoppedAll ? [] : defaults.buyPresets.slice(0, ROW_AMOUNTS);
  const sales = isHeld ? defaults.sellPresets.slice(1) : [];
  return [
    ...buys.map((lamports): QuickTrade => ({ side: 'buy', address, lamports, from: 'quick' })),
    ...sales.map((sharePercent): QuickTrade => ({ side: 'sell', address, sharePercent, from: 'quick' })),
  ];
}
