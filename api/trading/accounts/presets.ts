import {
  type BuyPreset,
  defaultPresets,
  type SellPreset,
  type TradeTerms,
  type TradingPresets,
} from '../../../common/trading/account.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { TradingAccountRecord } from './model.ts';

type AccountTerms = Pick<TradingAccountRecord, 'defaults' | 'limits' | 'presets'>;

/** Returns the presets of an account. Those that were never set have the single amounts and fees from before there were presets. */
export function presetsOf({ defaults, limits, presets }: AccountTerms): TradingPresets {
  const { slippageBps, buyPresets, sellPresets } = defaults;
  if (slippageBps === undefined) return { ...defaultPresets, ...presets };
  const { priorityMaxLamports, tipLamports } = limits;
  const terms = { slippageBps, priorityMaxLamports, tipLamports };
  const buy = ({ isProtected, lamports }: BuyPreset, at: number) => ({
    ...terms,
    isProtected,
    lamports: buyPresets?.[at] ?? lamports,
  });
  const sell = ({ isProtected, sharePercent }: SellPreset, at: number) => ({
    ...terms,
    isProtected,
    sharePercent: sellPresets?.[at] ?? sharePercent,
  });
  const { buy: buys, sell: sells, ...chosen } = defaultPresets;
  return {
    ...chosen,
    buy: [buy(buys[0], 0), buy(buys[1], 1), buy(buys[2], 2)],
    sell: [sell(sells[0], 0), sell(sells[1], 1), sell(sells[2], 2)],
    ...presets,
  };
}

/** Returns the terms of trades by hand that name none: those of the chosen preset. */
export function chosenTerms(account: AccountTerms, side: OrderSide): TradeTerms {
  const { buy, sell, chosenBuy, chosenSell } = presetsOf(account);
  return side === 'buy' ? buy[chosenBuy] : sell[chosenSell];
}

/** Returns the terms of rules, strategies, exits and stops, apart from their own slippage. */
export function limitTerms(account: AccountTerms, side: OrderSide): TradeTerms {
  const { priorityMaxLamports, tipLamports } = account.limits;
  return { ...chosenTerms(account, side), priorityMaxLamports, tipLamports, isProtected: false };
}
