import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { lamportsOfSol } from '../../../common/tokens/units.ts';
import {
  type PresetIndex,
  slippageBounds,
  type TradeTerms,
  type TradingAccount,
  type TradingPresets,
} from '../../../common/trading/account.ts';
import { BPS_PER_PERCENT, LAMPORTS_MAX } from '../../../common/trading/amounts.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { useStore } from '../../store.ts';
import { exactSol } from '../format.ts';
import { changeAccount } from '../state/changes.ts';
import type { QuoteAsk } from './use-quote.ts';

/** Typed texts of each side: SOL of a purchase or percent of a sale, and percent of slippage. */
interface TradeInput {
  side: OrderSide;
  size: Record<OrderSide, string>;
  slippage: Record<OrderSide, string>;
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
  /** SOL of a purchase, percent of a sale; empty for a sale of the initial. */
  size: string;
  setSize: (size: string) => void;
  /** Percent. */
  slippage: string;
  setSlippage: (slippage: string) => void;
  /** The preset that was chosen for the side. */
  preset: PresetIndex;
  /** Whether it has changed since, so that the input is the preset as it was. */
  isPresetOld: boolean;
  setPreset: (preset: PresetIndex) => void;
  /** Position whose price is to return by the sale; null: a share is sold. */
  initialOf: string | null;
  /** Turns to the sale of what returns the price of a position. */
  sellInitial: (positionId: string) => void;
  /** Error of the size; null while it is valid or empty. */
  sizeError: string | null;
  slippageError: string | null;
  /** Terms of the trade: the typed slippage, where it is valid, and the rest as the preset had it when it was chosen. */
  terms: TradeTerms;
  /** The trade; null while the input is incomplete or invalid. */
  ask: QuoteAsk | null;
}

/** Holds what the user enters for one token. It starts with the chosen presets of the account, and a choice is stored there. `first`: its side. */
export function useTradeForm(address: string, { presets }: TradingAccount, first: OrderSide): TradeForm {
  const store = useStore();
  const [chosen, setChosen] = useState({ buy: presets.chosenBuy, sell: presets.chosenSell });
  // A change of the presets in another tab must not change some terms of a trade whose size stays.
  const [taken, setTaken] = useState({ buy: presets.buy[chosen.buy], sell: presets.sell[chosen.sell] });
  const [initialOf, setInitialOf] = useState<string | null>(null);
  const { watch, setValue } = useForm<TradeInput>({
    defaultValues: {
      side: first,
      size: { buy: sizeOf(presets, 'buy', chosen.buy), sell: sizeOf(presets, 'sell', chosen.sell) },
      slippage: { buy: slippageOf(presets, 'buy', chosen.buy), sell: slippageOf(presets, 'sell', chosen.sell) },
    },
  });
  const { side, size: sizes, slippage: slippages } = watch();
  const isInitial = side === 'sell' && initialOf !== null;
  const typed = isInitial ? '' : sizes[side];
  const size = sizeSchemas[side].safeParse(typed);
  const bound = slippageSchema.safeParse(slippages[side]);
  const { priorityMaxLamports, tipLamports, isProtected } = taken[side];
  const slippageBps = bound.data ?? taken[side].slippageBps;
  const asked = isInitial ? { initial: true as const, positionId: initialOf } : sizeAsk(side, size.data);
  return {
    side,
    setSide: (next) => setValue('side', next),
    size: typed,
    setSize(text) {
      setInitialOf(null);
      setValue(`size.${side}`, side === 'buy' ? text.replace(',', '.') : text);
    },
    slippage: slippages[side],
    setSlippage: (text) => setValue(`slippage.${side}`, text.replace(',', '.')),
    preset: chosen[side],
    isPresetOld: !isSame(taken[side], presets[side][chosen[side]]),
    setPreset(preset) {
      setChosen({ ...chosen, [side]: preset });
      setTaken({ ...taken, [side]: presets[side][preset] });
      setInitialOf(null);
      setValue(`size.${side}`, sizeOf(presets, side, preset));
      setValue(`slippage.${side}`, slippageOf(presets, side, preset));
      if (chosen[side] === preset) return;
      const choice = side === 'buy' ? { chosenBuy: preset } : { chosenSell: preset };
      // The trade does not depend on it: a choice that was not stored is made again another time.
      changeAccount(store, { presets: choice }).catch(() => undefined);
    },
    initialOf: isInitial ? initialOf : null,
    sellInitial(positionId) {
      setInitialOf(positionId);
      setValue('side', 'sell');
    },
    sizeError: typed.trim() === '' ? null : errorOf(size),
    slippageError: errorOf(bound),
    terms: { slippageBps, priorityMaxLamports, tipLamports, isProtected },
    ask:
      asked !== null && bound.success
        ? { address, side, ...asked, slippageBps: bound.data, priorityMaxLamports, tipLamports }
        : null,
  };
}

/** Compares all fields of two presets of a side, its size too. */
function isSame(one: TradeTerms, other: TradeTerms): boolean {
  const fields = new Map(Object.entries(other));
  return Object.entries(one).every(([name, value]) => fields.get(name) === value);
}

function sizeOf(presets: TradingPresets, side: OrderSide, at: PresetIndex): string {
  return side === 'buy' ? exactSol(presets.buy[at].lamports) : String(presets.sell[at].sharePercent);
}

function slippageOf(presets: TradingPresets, side: OrderSide, at: PresetIndex): string {
  return String(presets[side][at].slippageBps / BPS_PER_PERCENT);
}

function sizeAsk(side: OrderSide, size: number | undefined): Pick<QuoteAsk, 'lamports' | 'sharePercent'> | null {
  if (size === undefined) return null;
  return side === 'buy' ? { lamports: size } : { sharePercent: size };
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
