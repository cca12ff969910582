import type { TradingAccount } from '../../common/trading/account.ts';
import type { DayProfit } from '../../common/trading/position.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { atom } from '../store.ts';

/** The present day (UTC) by the server's clock, such as `2026-11-21`. Changes once a day. */
export const utcDayAtom = atom((get) => new Date(get(serverClockAtom)).toISOString().slice(0, 10));

/** Results of the present day. */
export interface DayTotals {
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
