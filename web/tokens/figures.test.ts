import { describe, expect, test } from 'vitest';
import { holderShare, liquidityShare } from './cells.tsx';
import { changeSince } from './change.tsx';
import { columns, layoutFor, TRADING_ACTIONS_WIDTH } from './columns.tsx';
import { type ChosenColumn, chosenColumns } from './display/column-ids.ts';

test('the liquidity bar is initial liquidity × 10, the holder bar the holder count, both capped at 100 [S9-12]', () => {
  expect([null, 0, 2.5, 10, 11].map(liquidityShare)).toEqual([0, 0, 25, 100, 100]);
  expect([null, 0, 24, 100, 5_000].map(holderShare)).toEqual([0, 0, 24, 100, 100]);
});

test('computes a change only from two prices', () => {
  expect(changeSince([0, 2], 4)).toBe(100);
  expect(changeSince(null, 4)).toBeNull();
  expect(changeSince([0, 2], null)).toBeNull();
  expect(changeSince([0, 0], 4)).toBeNull();
});

describe('layout', () => {
  const layoutOf = (width: number, columns: readonly ChosenColumn[] = chosenColumns, trading = false) =>
    layoutFor({ width, columns, density: 'comfortable', trading, flat: false });

  test('has cards where a table has no room', () => {
    expect([336, 659, 660, 1_192].map((width) => layoutOf(width).kind)).toEqual(['cards', 'cards', 'table', 'table']);
    expect([660, 859, 860].map((width) => layoutOf(width, chosenColumns, true).kind)).toEqual([
      'cards',
      'cards',
      'table',
    ]);
  });

  test('shows the columns of the specification first, and market cap before all other figures', () => {
    expect(layoutOf(660).columns).toEqual(['token', 'detected', 'liquidity', 'volume', 'risk', 'open']);
    expect(layoutOf(860).columns.slice(0, 3)).toEqual(['token', 'detected', 'marketCap']);
    expect(layoutOf(1_400).columns).toEqual(['token', ...chosenColumns, 'open']);
  });

  test('follows the columns that the user chose, and their order', () => {
    expect(layoutOf(1_400, ['risk', 'facts', 'detected']).columns).toEqual([
      'token',
      'risk',
      'facts',
      'detected',
      'open',
    ]);
  });

  test.each(chosenColumns)('with %s last, the actions of a row cover no button that trades', (last) => {
    const chosen = [...chosenColumns.filter((id) => id !== last), last];
    for (const width of [860, 1_080, 1_400]) {
      const ids = layoutOf(width, chosen, true).columns;
      const after = ids.slice(ids.indexOf('trade') + 1, -1);
      const room = after.reduce((sum, id) => sum + columns[id].width + 16, 16);
      expect(room).toBeGreaterThanOrEqual(TRADING_ACTIONS_WIDTH);
    }
  });

  test('keeps a column between the buttons that trade and the link, which the actions of a row cover', () => {
    for (const width of [860, 1_080, 1_400]) {
      expect(layoutOf(width, chosenColumns, true).columns.slice(-3)).toEqual(['trade', 'risk', 'open']);
    }
  });
});
