import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { strategy } from '../auto-buy/testing/fixtures.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { findToast, sent } from '../testing/page.ts';
import { openWith } from './testing/strategies-page.tsx';

const server = fakeServerPerTest();

test('shows the cards in one, two or three columns by screen width [S2.10-03]', async () => {
  await openWith(server, strategy(1), strategy(2), strategy(3), strategy(4));
  const columns = () => new Set(screen.getAllByRole('article').map((one) => one.getBoundingClientRect().left)).size;
  for (const [width, expected] of [
    [360, 1],
    [900, 2],
    [1440, 3],
  ] as const) {
    await page.viewport(width, 800);
    expect(columns()).toBe(expected);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
});

test('an inactive card has quieter colours than an active one [S2.10-06]', async () => {
  await openWith(server, strategy(1), strategy(2, { isActive: false }));
  const look = (name: string) => getComputedStyle(screen.getByRole('article', { name }));
  expect(look('Strategy 2').color).not.toBe(look('Strategy 1').color);
  expect(look('Strategy 2').backgroundColor).not.toBe(look('Strategy 1').backgroundColor);
});

test('the form can be filled and sent by keyboard alone [S2.10-08]', async () => {
  await page.viewport(1280, 800);
  await openWith(server);
  screen.getByRole('tab', { name: 'Overview' }).focus();
  await userEvent.keyboard('{ArrowRight}');
  screen.getByLabelText('Name').focus();
  // The type is selected by its first letter; then follow description, switch and amount.
  await userEvent.keyboard('By key{Tab}p{Tab}Typed{Tab} {Tab}{Control>}a{/Control}0.2{Enter}');
  await findToast('Strategy created');
  expect(sent(server, 'POST', '/api/buying-strategies')).toMatchObject([
    { name: 'By key', type: 'price_based', description: 'Typed', isActive: false, buyAmount: 0.2 },
  ]);
});
