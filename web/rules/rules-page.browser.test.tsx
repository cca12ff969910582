import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { rule } from '../auto-buy/testing/fixtures.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { findToast, sent } from '../testing/page.ts';
import { openWith } from './testing/rules-page.tsx';

const server = fakeServerPerTest();

test('shows the cards in two columns, and in one on a phone [S2.9-09]', async () => {
  await openWith(server, rule(1), rule(2, { isActive: false }), rule(3));
  const lefts = () => new Set(screen.getAllByRole('article').map((one) => one.getBoundingClientRect().left));
  await page.viewport(1440, 900);
  expect(lefts().size).toBe(2);
  await page.viewport(360, 780);
  expect(lefts().size).toBe(1);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
});

test('the dialog works by keyboard: the name has the focus, Enter submits, Escape closes [S2.9-02]', async () => {
  await page.viewport(1280, 800);
  await openWith(server);
  const opener = screen.getByRole('button', { name: 'New Rule' });
  opener.focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(opener).toHaveFocus();

  await userEvent.keyboard('{Enter}');
  const name = await screen.findByLabelText('Rule Name');
  expect(name).toHaveFocus();
  await userEvent.keyboard('By key{Tab}0.7{Tab}1.3{Enter}{Tab}{ArrowRight}');
  expect(screen.getByRole('slider', { name: 'Min Liquidity' })).toHaveAttribute('aria-valuenow', '1.4');
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Enter}');
  await findToast('Rule Created');
  expect(sent(server, 'POST', '/api/auto-buy-rules')).toMatchObject([
    { name: 'By key', buyAmount: 0.7, minLiquidity: 1.4 },
  ]);
});
