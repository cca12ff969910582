import type { Position } from '../../common/trading/position.ts';
import { useCapText } from '../tokens/display/money.ts';
import { Price } from '../ui/price.tsx';

/** Shows the price paid and the price now, each with its market cap. */
export function EntryLine({ position: { entryPrice, value } }: { position: Position }) {
  const capText = useCapText();
  const price = value?.price ?? null;
  const supply = value?.supply ?? null;
  const cap = (at: number | null) => {
    const text = supply === null || at === null ? null : capText(at * supply);
    return text === null ? null : ` (${text})`;
  };
  return (
    <span className="block" title="Prices in SOL for one token, with their market cap">
      Entry <Price value={entryPrice} />
      {cap(entryPrice)} · price now <Price value={price} />
      {cap(price)}
    </span>
  );
}
