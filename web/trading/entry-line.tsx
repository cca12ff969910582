import type { Position } from '../../common/trading/position.ts';
import { useSol } from '../live/hooks/use-sol.ts';
import { MISSING } from '../ui/format.ts';
import { Price } from '../ui/price.tsx';

/** Shows the price paid and the price now, each with its market cap. */
export function EntryLine({ position: { entryPrice, value } }: { position: Position }) {
  const price = value?.price ?? null;
  const entryCap = useCap(entryPrice, value);
  const cap = useCap(price, value);
  return (
    <span className="block" title="Prices in SOL for one token, with their market cap">
      Entry <Price value={entryPrice} />
      {entryCap !== null && ` (${entryCap})`} · price now <Price value={price} />
      {cap !== null && ` (${cap})`}
    </span>
  );
}

/** Returns the market cap of a position's token at a price, in the unit on screen; null while unknown. */
export function useCap(price: number | null, value: Position['value']): string | null {
  const supply = value?.supply ?? null;
  const { text } = useSol(price === null || supply === null ? null : price * supply);
  return text === MISSING ? null : text;
}
