import { useState } from 'react';
import { lamportsOfSol, solText } from '../../../common/tokens/units.ts';
import { slippageBounds, type TradingAccount } from '../../../common/trading/account.ts';
import { LAMPORTS_MAX } from '../../../common/trading/amounts.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { QuoteAsk } from './use-quote.ts';

/** Basis points in one percent. */
const BPS_OF_PERCENT = 100;

/** Input of the panel, as typed. */
export interface TradeForm {
  side: OrderSide;
  setSide: (side: OrderSide) => void;
  /** SOL of a purchase. */
  amount: string;
  setAmount: (amount: string) => void;
  /** Percent of a sale. */
  share: string;
  setShare: (share: string) => void;
  /** Percent. */
  slippage: string;
  setSlippage: (slippage: string) => void;
  /** Error of the amount or the share; null while it is valid or empty. */
  amountError: string | null;
  slippageError: string | null;
  /** The trade; null while the input is incomplete or invalid. */
  ask: QuoteAsk | null;
}

/** Holds what the user enters for one token. It starts with the account's first preset and slippage. */
export function useTradeForm(address: string, { defaults }: TradingAccount): TradeForm {
  const [side, setSide] = useState<OrderSide>('buy');
  const [amount, setAmount] = useState(() => solText(BigInt(defaults.buyPresets[1] ?? defaults.buyPresets[0] ?? 0)));
  const [share, setShare] = useState(() => String(defaults.sellPresets.at(-1) ?? 100));
  const [slippage, setSlippage] = useState(() => String(defaults.slippageBps / BPS_OF_PERCENT));
  const lamports = parseLamports(amount);
  const sharePercent = parseShare(share);
  const slippageBps = parseSlippage(slippage);
  const size = side === 'buy' ? lamports : sharePercent;
  return {
    side,
    setSide,
    amount,
    setAmount: (text) => setAmount(text.replace(',', '.')),
    share,
    setShare,
    slippage,
    setSlippage: (text) => setSlippage(text.replace(',', '.')),
    amountError: size === null && (side === 'buy' ? amount : share).trim() !== '' ? errorOf(side) : null,
    slippageError: slippageBps === null ? slippageText() : null,
    ask:
      size === null || slippageBps === null
        ? null
        : { address, side, slippageBps, ...(side === 'buy' ? { lamports: size } : { sharePercent: size }) },
  };
}

function errorOf(side: OrderSide): string {
  return side === 'buy' ? 'Enter an amount of SOL above 0.' : 'Enter a whole percentage from 1 to 100.';
}

function slippageText(): string {
  return `Enter ${slippageBounds.min / BPS_OF_PERCENT} to ${slippageBounds.max / BPS_OF_PERCENT} %.`;
}

/** Returns the exact lamports of typed SOL; null when it is no amount above 0. */
export function parseLamports(text: string): number | null {
  const lamports = lamportsOfSol(text);
  return lamports !== null && lamports > 0n && lamports <= BigInt(LAMPORTS_MAX) ? Number(lamports) : null;
}

function parseShare(text: string): number | null {
  const percent = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0;
  return percent >= 1 && percent <= 100 ? percent : null;
}

function parseSlippage(text: string): number | null {
  const bps = /^\s*\d*\.?\d{0,2}\s*$/.test(text) ? Math.round(Number(text) * BPS_OF_PERCENT) : 0;
  return bps >= slippageBounds.min && bps <= slippageBounds.max ? bps : null;
}
