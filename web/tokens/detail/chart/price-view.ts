import type { TokenDetail } from '../../../../common/tokens/model.ts';
import { compact, MISSING, price, usd } from '../../../ui/format.ts';
import type { PriceView } from './canvas/engine.ts';

/** The vertical axis: the price, or the market cap, which is price × supply. */
export type ChartAxis = 'market-cap' | 'price';

/** Significant digits below which a short figure is exact enough for an axis. */
const AXIS_DIGITS = 3;

/** Returns the whole tokens of a coin; null while unknown. */
export function supplyOf({ totalSupply, decimals }: Pick<TokenDetail, 'totalSupply' | 'decimals'>): number | null {
  return totalSupply === null || decimals === null ? null : Number(totalSupply) / 10 ** decimals;
}

/** Returns how prices are shown. The market cap is in dollars at the present rate, without one in SOL; without a supply it is a price. */
export function priceView(
  token: Pick<TokenDetail, 'totalSupply' | 'decimals' | 'solUsd'>,
  axis: ChartAxis,
  isLog: boolean,
): PriceView & { unit: string } {
  const supply = supplyOf(token);
  if (axis === 'price' || supply === null) return { factor: 1, format: price, isLog, unit: 'SOL' };
  const rate = token.solUsd?.rate ?? null;
  return rate === null
    ? { factor: supply, format: (value) => `◎${axisFigure(value)}`, isLog, unit: 'market cap in SOL' }
    : { factor: supply * rate, format: (value) => axisDollars(value), isLog, unit: 'market cap' };
}

/** Returns a figure with digits enough that neighbours on an axis differ. */
function axisFigure(value: number): string {
  if (!Number.isFinite(value)) return MISSING;
  const size = Math.abs(value);
  return size < 10_000 ? Number(value.toPrecision(AXIS_DIGITS + 1)).toLocaleString('en-US') : compact(value);
}

function axisDollars(value: number): string {
  if (!Number.isFinite(value)) return MISSING;
  const size = Math.abs(value);
  if (size >= 1e6) return `$${(value / 1e6).toFixed(2)}M`;
  return size >= 1_000 ? `$${(value / 1_000).toFixed(2)}K` : usd(value);
}
