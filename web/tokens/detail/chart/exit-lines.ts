import { changePercent } from '../../../../common/percent-change.ts';
import { STANDARD_CURVE_PRICES } from '../../../../common/tokens/curve.ts';
import { curveReservesOf } from '../../../../common/tokens/curve-trades.ts';
import type { TokenDetail } from '../../../../common/tokens/model.ts';
import { solToLamports } from '../../../../common/tokens/units.ts';
import { type Exits, exitBounds, noExits } from '../../../../common/trading/account.ts';
import { exitAt } from '../../../../common/trading/exits.ts';
import type { Position } from '../../../../common/trading/position.ts';
import type { LineKind, PriceLine } from './canvas/lines.ts';

/** Returns the lines of the curve: its first price and its last one; none for a coin that is not on a standard curve. */
export function curveLines({
  stage,
  price,
  currentLiquidity,
}: Pick<TokenDetail, 'stage' | 'price' | 'currentLiquidity'>): PriceLine[] {
  if (stage !== 'curve' || price === null || currentLiquidity === null) return [];
  if (curveReservesOf(price, solToLamports(currentLiquidity)) === null) return [];
  const { launch, end } = STANDARD_CURVE_PRICES;
  return [
    { id: 'launch', kind: 'launch', price: launch, title: 'launch', positionId: null },
    { id: 'curve-end', kind: 'curve-end', price: end, title: 'curve end', positionId: null },
  ];
}

/** Returns the lines of a position: its average price, and the exits that are fixed to it. */
export function positionLines({ id, entryPrice, exits }: Position): PriceLine[] {
  if (entryPrice <= 0) return [];
  const { stopLossPercent, takeProfitPercent } = exits;
  const of = (kind: LineKind, price: number, title: string) => ({
    id: `${id} ${kind}`,
    kind,
    price,
    title,
    positionId: id,
  });
  const lines: PriceLine[] = [of('entry', entryPrice, 'average')];
  if (stopLossPercent !== null) {
    lines.push(of('stop-loss', entryPrice * (1 - stopLossPercent / 100), `stop loss −${stopLossPercent} %`));
  }
  if (takeProfitPercent !== null) {
    lines.push(of('take-profit', entryPrice * (1 + takeProfitPercent / 100), `take profit +${takeProfitPercent} %`));
  }
  return lines;
}

/** Decimals of a percent that a drag gives. */
const PERCENT_STEPS = 10;

/** Returns the exits of a position with one of them moved to a price; null for a price outside of its bounds. */
export function movedExits(
  { entryPrice, exits }: Pick<Position, 'entryPrice' | 'exits'>,
  kind: LineKind,
  price: number,
): Exits | null {
  const field = kind === 'stop-loss' ? 'stopLossPercent' : 'takeProfitPercent';
  const change = changePercent(entryPrice, price) * (kind === 'stop-loss' ? -1 : 1);
  const { min, max } = exitBounds[field];
  const percent = Math.round(change * PERCENT_STEPS) / PERCENT_STEPS;
  return percent < min || percent > max ? null : { ...exits, [field]: percent };
}

/** Returns whether stop loss or take profit of these exits would sell at a price. */
export function sellsAt({ stopLossPercent, takeProfitPercent }: Exits, entryPrice: number, price: number): boolean {
  const state = { entryPrice, peakPrice: entryPrice, openedAt: 0, stepsDone: [] };
  return exitAt({ ...noExits, stopLossPercent, takeProfitPercent }, state, price, 0) !== null;
}
