import { useAtomValue } from '../../store.ts';
import { compact, MISSING, usd } from '../../ui/format.ts';
import { rateAtom, type Unit, unitAtom } from '../atoms/unit.ts';

/** A sum of money in the unit on screen; null while unknown. */
export interface Money {
  value: number | null;
  text: string;
}

/** Formats SOL, short: `◎1.2K`. */
function sol(value: number | null): string {
  const figure = compact(value);
  return figure === MISSING ? figure : `◎${figure}`;
}

/** Returns a sum with both its figures in the unit on screen. */
export function moneyOf(unit: Unit, dollars: number | null, inSol: number | null): Money {
  return unit === 'usd' ? { value: dollars, text: usd(dollars) } : { value: inSol, text: sol(inSol) };
}

/** Returns SOL in the unit on screen, at the present rate. */
export function useSol(value: number | null): Money {
  const rate = useAtomValue(rateAtom);
  return moneyOf(useAtomValue(unitAtom), value === null || rate === null ? null : value * rate, value);
}
