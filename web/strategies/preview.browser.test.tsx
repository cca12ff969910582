import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { strategyCalls } from '../../common/strategies/http.ts';
import { defaultStrategy } from '../../common/strategies/model.ts';
import type { WouldBuy } from '../../common/strategies/preview.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import { Preview } from './preview.tsx';

const AT = new Date(Date.now() - 3_600_000).toISOString();
const buys: WouldBuy[] = Array.from({ length: 30 }, (_, number) => ({
  address: `Mint${'1'.repeat(38)}${String(number + 11).replaceAll('0', 'z')}`,
  name: 'A coin with quite a long name that goes on',
  symbol: number % 2 === 0 ? 'WWWWWWWWWWWWWWWWWWWW' : 'OTTR',
  at: AT,
  price: 0.000_000_001_234,
  priceNow: 0.000_002,
  change: number % 3 === 0 ? -99.99 : 12_345.67,
  best: 12_345.67,
  worst: -99.99,
  sold: number % 2 === 0 ? { by: 'take profit', at: AT, change: 12_345.67 } : null,
  feesLamports: 1_234_567,
  resultLamports: number % 3 === 0 ? -999_876_543 : 12_345_678_901,
}));

const rest = fakeServerPerTest();
beforeEach(() => {
  rest.answer(strategyCalls.preview, {
    ...{ total: 30, buys, checked: 3000, leftOut: 6600, unknown: 35, from: AT, to: AT },
    ...{ tooLarge: 3, refusedByRisk: 1240, uncomputed: 2 },
    sums: { resultLamports: -123_456_789, feesLamports: 12_345_678, rentLamports: 4_148_160 },
  });
});

test.each([
  [360, ['Token', 'Bought', 'Result']],
  [560, ['Token', 'Bought', 'Sold by', 'Result']],
  [800, ['Token', 'Bought', 'Change', 'Sold by', 'Result']],
  [1000, ['Token', 'Bought', 'Change', 'Best', 'Worst', 'Sold by', 'Result']],
  [1100, ['Token', 'Bought', 'Price paid', 'Price now', 'Change', 'Best', 'Worst', 'Sold by', 'Result']],
])('at %d px it shows the columns that fit, without horizontal scrolling', async (width, columns) => {
  await page.viewport(width, 800);
  renderWithApp(<Preview kind="strategy" input={defaultStrategy} />);
  await page.getByRole('button', { name: 'Run preview' }).click();
  await expect.element(page.getByRole('table')).toBeVisible();
  const shown = page
    .getByRole('columnheader')
    .elements()
    .map((element) => element.textContent);
  expect(shown).toEqual(columns);
  const frame = page.getByRole('table').element().parentElement;
  expect(frame?.scrollWidth).toBe(frame?.clientWidth);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

test('the result of a press comes into view', async () => {
  await page.viewport(800, 400);
  renderWithApp(
    <div className="h-80 overflow-y-auto">
      <div className="h-72" />
      <Preview kind="strategy" input={defaultStrategy} />
    </div>,
  );
  // Not by the test's mouse, which scrolls to what it clicks.
  page
    .getByRole('button', { name: 'Run preview' })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await expect.element(page.getByText(/Would have bought 30 of/)).toBeInViewport();
});
