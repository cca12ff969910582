import { marketCapOf } from '../../../common/tokens/market-cap.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { rateAtom, unitAtom } from '../../live/atoms/unit.ts';
import { type Money, moneyOf } from '../../live/hooks/use-sol.ts';
import { useAtomValue } from '../../store.ts';

/** Returns the market cap of a token in the unit on screen. */
export function useMarketCap(token: Token): Money {
  return moneyOf(useAtomValue(unitAtom), token.marketCap, marketCapOf(token, 1));
}

/** Returns the volume of a token in the unit on screen; SOL at the present rate. */
export function useVolume(token: Token): Money {
  const rate = useAtomValue(rateAtom);
  const inSol = token.volume === null || rate === null ? null : token.volume / rate;
  return moneyOf(useAtomValue(unitAtom), token.volume, inSol);
}
