import { expect, test } from 'vitest';
import { STANDARD_CURVE_PRICES } from '../../../../common/tokens/curve.ts';
import { noExits } from '../../../../common/trading/account.ts';
import { position } from '../../../trading/testing/fixtures.ts';
import { curveLines, movedExits, positionLines, sellsAt } from './exit-lines.ts';

const ENTRY = 0.000_000_1;
const held = position(1, { entryPrice: ENTRY, exits: { ...noExits, stopLossPercent: 20, takeProfitPercent: 50 } });

test('a coin on the standard curve has lines at its first and its last price', () => {
  const { launch, end } = STANDARD_CURVE_PRICES;
  expect(launch).toBeCloseTo(2.796e-8, 11);
  expect(end).toBeCloseTo(4.109e-7, 10);
  const lines = curveLines({ stage: 'curve', price: launch, currentLiquidity: 0 });
  expect(lines.map(({ kind, price }) => [kind, price])).toEqual([
    ['launch', launch],
    ['curve-end', end],
  ]);
  expect(curveLines({ stage: 'pool', price: launch, currentLiquidity: 0 })).toEqual([]);
  expect(curveLines({ stage: 'curve', price: 3 * launch, currentLiquidity: 0 })).toEqual([]);
});

test('a position has lines at its average price and its exits', () => {
  expect(positionLines(held).map(({ title }) => title)).toEqual(['average', 'stop loss −20 %', 'take profit +50 %']);
  expect(positionLines(held).map(({ price }) => price / ENTRY)).toEqual(
    [1, 0.8, 1.5].map((part) => expect.closeTo(part)),
  );
  expect(positionLines({ ...held, exits: noExits })).toHaveLength(1);
});

test('a moved exit keeps the others, has tenths of a percent and is within its bounds', () => {
  expect(movedExits(held, 'stop-loss', ENTRY * 0.8766)).toEqual({ ...held.exits, stopLossPercent: 12.3 });
  expect(movedExits(held, 'take-profit', ENTRY * 3)).toEqual({ ...held.exits, takeProfitPercent: 200 });
  expect(movedExits(held, 'stop-loss', ENTRY * 2)).toBeNull();
  expect(movedExits(held, 'take-profit', ENTRY / 2)).toBeNull();
});

test('an exit beyond the present price would sell at once', () => {
  const exits = { ...noExits, stopLossPercent: 10, takeProfitPercent: 50 };
  expect(sellsAt(exits, ENTRY, ENTRY)).toBe(false);
  expect(sellsAt(exits, ENTRY, ENTRY * 0.89)).toBe(true);
  expect(sellsAt(exits, ENTRY, ENTRY * 1.51)).toBe(true);
});
