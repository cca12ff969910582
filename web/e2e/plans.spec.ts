import { expect, type Page } from '@playwright/test';
import { tradingCalls } from '../../common/trading/http.ts';
import type { Order } from '../../common/trading/order.ts';
import { createUser } from './accounts.ts';
import { test, visit } from './fixtures.ts';
import { newestTokens } from './listed-tokens.ts';
import { giveWallet } from './wallets.ts';

/** The next launches, and their orders, take a while on a busy machine. */
const LAUNCH = { timeout: 60_000 };

async function ordersOf(page: Page): Promise<Order[]> {
  const reply = await page.request.get(tradingCalls.orders.path);
  return tradingCalls.orders.output.parse(await reply.json());
}

test('a strategy that buys at once buys the next launches and none of the known tokens, until it is stopped during a replay [S1-04]', {
  tag: '@landing',
}, async ({ page }) => {
  test.slow();
  const { id } = await createUser(page);
  await giveWallet(page, id, 1);
  const list = await newestTokens(page);
  const known = new Set(list.map(({ address }) => address));
  expect(known.size).toBeGreaterThan(10);

  await page.goto('/app/auto-buy-strategies');
  await page.getByRole('tab', { name: 'Create Strategy' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Every launch');
  await page.getByLabel('Buy amount').fill('0.01');
  await page.getByLabel('Max slippage').fill('50');
  await page.getByLabel('Stop loss').fill('');
  await page.getByLabel('Take profit').fill('');
  await page.getByRole('switch', { name: 'Buy at unknown risk' }).click();
  await expect(page.getByText('Buys only tokens that are detected after it is switched on.')).toBeVisible();
  await page.getByRole('button', { name: 'Create Strategy' }).click();
  await expect(page.getByRole('article', { name: 'Every launch' })).toBeVisible();

  await visit(page, '/app/positions');
  const open = page.getByRole('table', { name: 'Open positions' });
  await expect(open.getByText('Every launch').first()).toBeVisible(LAUNCH);
  const orders = await ordersOf(page);
  expect(orders.length).toBeGreaterThan(0);
  for (const { token, cause } of orders) {
    expect(cause).toEqual({ kind: 'strategy', name: 'Every launch' });
    expect(known.has(token.address)).toBe(false);
  }
  // Replayed with another limit, and stopped during the run, which goes on.
  await visit(page, '/app/replay');
  await page.getByRole('combobox', { name: 'Rule or strategy' }).click();
  await page.getByRole('option', { name: 'Strategy · Every launch' }).click();
  await page.getByRole('button', { name: 'Change for this run' }).click();
  await page.getByLabel('Buy amount').fill('0.02');
  // The keys work once the account is known.
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.keyboard.press('Shift+Escape');
  const question = page.getByRole('dialog', { name: 'Stop buying?' });
  await question.getByRole('button', { name: 'Stop buying', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Buying is stopped' })).toBeVisible(LAUNCH);
  const stopped = (await ordersOf(page)).length;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Totals' })).toBeVisible(LAUNCH);
  const launched = async () => {
    const now = await newestTokens(page);
    return now.filter(({ address }) => !known.has(address)).length;
  };
  const before = await launched();
  await expect.poll(launched, LAUNCH).toBeGreaterThan(before);
  expect(await ordersOf(page)).toHaveLength(stopped);
});
