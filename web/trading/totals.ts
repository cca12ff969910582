import type { TradingAccount, TradingMode } from '../../common/trading/account.ts';
import type { DayProfit, Position } from '../../common/trading/position.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { atom } from '../store.ts';

/** Sums over the open positions of one mode. */
interface Totals {
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

/** The present day (UTC) by the server's clock, such as `2026-11-21`. Changes once a day. */
export const utcDayAtom = atom((get) => new Date(get(serverClockAtom)).toISOString().slice(0, 10));

/** Results of the present day. */
interface DayTotals {
  /** Null while unknown, and without trading. */
  realisedLamports: number | null;
  /** Null while unknown. */
  feesLamports: number | null;
  /** Sales with a gain, and others. */
  wins: number;
  losses: number;
}

/** Returns the results of a day. `days`: fetched results, which leave out days without a trade; undefined before the first response. */
export function dayTotals(
  day: string,
  { budget }: Pick<TradingAccount, 'budget'>,
  days: readonly DayProfit[] | undefined,
): DayTotals {
  const found = days?.find((one) => one.day === day);
  const fetched = days === undefined ? null : (found?.realisedLamports ?? 0);
  // Of an account without a change since midnight the budget is that of an earlier day.
  const isBudgetOfDay = budget?.day === day;
  return {
    realisedLamports: isBudgetOfDay ? budget.realisedLamports : budget && fetched,
    feesLamports: days === undefined ? null : (found?.feesLamports ?? 0),
    wins: found?.wins ?? 0,
    losses: found?.losses ?? 0,
  };
}
