import type { TradingMode } from '../../common/trading/account.ts';
import type { Position } from '../../common/trading/position.ts';

/** Sums over the open positions of one mode. */
export interface Totals {
  count: number;
  /** What a sale of all of them returns now, of those with a known value; null when none has one. */
  valueLamports: number | null;
  profitLamports: number | null;
  /** Positions of unknown value, which the sums leave out. */
  unknown: number;
}

/** Returns the sums of the open positions of a mode. */
export function totalsOf(positions: readonly Position[], mode: TradingMode): Totals {
  const open = positions.filter((one) => one.mode === mode && one.status !== 'closed');
  const values = open.flatMap(({ value }) => (value?.lamports == null ? [] : [value.lamports]));
  const profits = open.flatMap(({ value }) => (value?.profitLamports == null ? [] : [value.profitLamports]));
  return {
    count: open.length,
    valueLamports: sumOf(values, open.length),
    profitLamports: sumOf(profits, open.length),
    unknown: open.length - values.length,
  };
}

/** The sum of no positions is 0; of unknown ones alone it is unknown. */
function sumOf(lamports: readonly number[], count: number): number | null {
  return lamports.length === 0 && count > 0 ? null : lamports.reduce((sum, one) => sum + one, 0);
}
