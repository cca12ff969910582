import { memo, useMemo } from 'react';
import type { TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import { type ReasonCode, reason, reasonText } from '../../../common/trading/reasons.ts';
import { useLiveMarket } from '../../live/live.ts';
import { selectAtom, useAtomValue } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { useIsHeld, useTradingAccount } from '../state/trading.ts';
import { unbuyableReason } from '../unbuyable.ts';
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
  const unbuyable = useUnbuyable(address, account?.mode ?? null);
  if (account === null || account.mode === null) return null;
  const row = { address, mode: account.mode, from: 'quick' } as const;
  const { buy, sell } = account.presets;
  const noBuy = whyNoBuy(account);
  const noSale = isHeld ? null : 'You hold nothing of this token.';
  // Each button keeps its place in every state, so that a second click meets the same action.
  const actions: QuickAction<QuickTrade>[] = [
    ...(unbuyable === null ? buy : []).map((preset, at) => ({
      place: `buy ${at}`,
      trade: { ...row, ...preset, side: 'buy' as const },
      disabledBy: noBuy,
    })),
    ...sell.map((preset, at) => ({
      place: `sell ${at}`,
      trade: { ...row, ...preset, side: 'sell' as const },
      disabledBy: noSale,
    })),
  ];
  return (
    <>
      {unbuyable !== null && <Unbuyable code={unbuyable} look={look} />}
      <QuickButtons name={name} look={look} actions={actions} />
    </>
  );
}

/** Returns why a token can't be bought; null while it can, or is unknown. Changes with the reason alone. */
function useUnbuyable(address: string, mode: TradingMode | null): ReasonCode | null {
  const { tokens } = useLiveMarket();
  return useAtomValue(
    useMemo(
      () =>
        selectAtom(tokens.atom(address), (token) =>
          token === null || mode === null ? null : unbuyableReason(token, mode),
        ),
      [tokens, address, mode],
    ),
  );
}

/** The reason in place of the three amounts, in their width, so that the sales keep their places. */
function Unbuyable({ code, look }: { code: ReasonCode; look: RowTradesProps['look'] }) {
  return (
    <span
      className={classNames(
        'flex items-center text-2xs text-muted leading-3.5',
        look === 'row' ? 'h-7 w-47 shrink-0' : 'h-9 min-w-0 flex-3',
      )}
    >
      {reasonText(reason(code))}
    </span>
  );
}

/** Nothing can be bought while trading is stopped; sales go on. */
function whyNoBuy({ stopped, stoppedAll }: TradingAccount): string | null {
  return stopped !== null || stoppedAll ? 'Buying is stopped.' : null;
}
