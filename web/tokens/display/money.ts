import { marketCapOf } from '../../../common/tokens/market-cap.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { useAtomValue } from '../../store.ts';
import { compact, MISSING, usd } from '../../ui/format.ts';
import { rateAtom, type Unit, unitAtom } from './display.ts';

/** A sum of money in the unit on screen; null while unknown. */
interface Money {
  value: number | null;
  text: string;
}

/** Formats SOL, short: `◎1.2K`. */
function sol(value: number | null): string {
  const figure = compact(value);
  return figure === MISSING ? figure : `◎${figure}`;
}

function moneyOf(unit: Unit, dollars: number | null, inSol: number | null): Money {
  return unit === 'usd' ? { value: dollars, text: usd(dollars) } : { value: inSol, text: sol(inSol) };
}

/** Returns the market cap of a token in the unit on screen. */
export function useMarketCap(token: Token): Money {
  return moneyOf(useAtomValue(unitAtom), token.marketCap, marketCapOf(token, 1));
}

/** Returns SOL in the unit on screen, at the present rate. */
export function useSol(value: number | null): Money {
  const rate = useAtomValue(rateAtom);
  return moneyOf(useAtomValue(unitAtom), value === null || rate === null ? null : value * rate, value);
}

/** Returns the volume of a token in the unit on screen; SOL at the present rate. */
export function useVolume(token: Token): Money {
  const rate = useAtomValue(rateAtom);
  const inSol = token.volume === null || rate === null ? null : token.volume / rate;
  return moneyOf(useAtomValue(unitAtom), token.volume, inSol);
}

/** Returns the function that formats a market cap in SOL in the unit on screen; null while there are dollars but no rate. */
export function useCapText(): (inSol: number) => string | null {
  const unit = useAtomValue(unitAtom);
  const rate = useAtomValue(rateAtom);
  return (inSol) => (unit === 'usd' && rate === null ? null : moneyOf(unit, inSol * (rate ?? 0), inSol).text);
}
