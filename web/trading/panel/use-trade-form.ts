import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { lamportsOfSol, solText } from '../../../common/tokens/units.ts';
import { slippageBounds, type TradingAccount } from '../../../common/trading/account.ts';
import { BPS_PER_PERCENT, LAMPORTS_MAX } from '../../../common/trading/amounts.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { QuoteAsk } from './use-quote.ts';

/** Typed texts: SOL of a purchase, percent of a sale, percent of slippage. */
interface TradeInput {
  side: OrderSide;
  amount: string;
  share: string;
  slippage: string;
}

/** Lamports of a purchase, percent of a sale. */
const sizeSchemas: Record<OrderSide, z.ZodType<number, string>> = {
  buy: numberOf(parseLamports, 'Enter an amount of SOL above 0.'),
  sell: numberOf(parseShare, 'Enter a whole percentage from 1 to 100.'),
};
/** Basis points. */
const slippageSchema = numberOf(
  parseSlippage,
  `Enter ${slippageBounds.min / BPS_PER_PERCENT} to ${slippageBounds.max / BPS_PER_PERCENT} %.`,
);

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
  const { watch, setValue } = useForm<TradeInput>({
    defaultValues: {
      side: 'buy',
      amount: solText(BigInt(defaults.buyPresets[1] ?? defaults.buyPresets[0] ?? 0)),
      share: String(defaults.sellPresets.at(-1) ?? 100),
      slippage: String(defaults.slippageBps / BPS_PER_PERCENT),
    },
  });
  const { side, amount, share, slippage } = watch();
  const typed = side === 'buy' ? amount : share;
  const size = sizeSchemas[side].safeParse(typed);
  const bound = slippageSchema.safeParse(slippage);
  return {
    side,
    setSide: (chosen) => setValue('side', chosen),
    amount,
    setAmount: (text) => setValue('amount', text.replace(',', '.')),
    share,
    setShare: (text) => setValue('share', text),
    slippage,
    setSlippage: (text) => setValue('slippage', text.replace(',', '.')),
    amountError: typed.trim() === '' ? null : errorOf(size),
    slippageError: errorOf(bound),
    ask: size.success && bound.success ? askOf(address, side, size.data, bound.data) : null,
  };
}

function askOf(address: string, side: OrderSide, size: number, slippageBps: number): QuoteAsk {
  return { address, side, slippageBps, ...(side === 'buy' ? { lamports: size } : { sharePercent: size }) };
}

function errorOf({ error }: z.ZodSafeParseResult<number>): string | null {
  return error?.issues[0]?.message ?? null;
}

/** Returns the exact lamports of typed SOL; null when it is no amount above 0. */
function parseLamports(text: string): number | null {
  const lamports = lamportsOfSol(text);
  return lamports !== null && lamports > 0n && lamports <= BigInt(LAMPORTS_MAX) ? Number(lamports) : null;
}

function parseShare(text: string): number | null {
  const percent = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : 0;
  return percent >= 1 && percent <= 100 ? percent : null;
}

function parseSlippage(text: string): number | null {
  const bps = /^\s*\d*\.?\d{0,2}\s*$/.test(text) ? Math.round(Number(text) * BPS_PER_PERCENT) : 0;
  return bps >= slippageBounds.min && bps <= slippageBounds.max ? bps : null;
}

/** Returns the schema of a typed number. `parse` returns null for any other text, which `error` explains. */
function numberOf(parse: (text: string) => number | null, error: string): z.ZodType<number, string> {
  return z.string().transform(parse).pipe(z.number({ error }));
}
