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

/**
 * Returns the presets of an account, none with a higher priority fee or tip than its limits. Presets that were never set have the single
 * amounts and fees from before there were presets.
 */
export function presetsOf(account: AccountTerms): TradingPresets {
  const presets = { ...defaultPresets, ...formerPresets(account), ...account.presets };
  const { buy, sell } = presets;
  const { limits } = account;
  const capped = <Terms extends TradeTerms>(terms: Terms): Terms => ({
    ...terms,
    priorityMaxLamports: Math.min(terms.priorityMaxLamports, limits.priorityMaxLamports),
    tipLamports: Math.min(terms.tipLamports, limits.tipLamports),
  });
  return {
    ...presets,
    buy: [capped(buy[0]), capped(buy[1]), capped(buy[2])],
    sell: [capped(sell[0]), capped(sell[1]), capped(sell[2])],
  };
}

/** Returns the presets that stand for the settings of an account from before there were presets; nothing for any other. */
function formerPresets({ defaults, limits }: AccountTerms): Partial<TradingPresets> {
  const { slippageBps, buyPresets, sellPresets } = defaults;
  if (slippageBps === undefined) return {};
  const { priorityMaxLamports, tipLamports } = limits;
  const terms = { slippageBps, priorityMaxLamports, tipLamports };
  const { buy: bought, sell: sold } = defaultPresets;
  const buy = (known: BuyPreset, lamports = known.lamports) => ({ ...known, ...terms, lamports });
  const sell = (known: SellPreset, sharePercent = known.sharePercent) => ({ ...known, ...terms, sharePercent });
  return {
    buy: [buy(bought[0], buyPresets?.[0]), buy(bought[1], buyPresets?.[1]), buy(bought[2], buyPresets?.[2])],
    sell: [sell(sold[0], sellPresets?.[0]), sell(sold[1], sellPresets?.[1]), sell(sold[2], sellPresets?.[2])],
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
