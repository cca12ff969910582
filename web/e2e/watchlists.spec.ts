import { expect, type Page } from '@playwright/test';
import { register } from './accounts.ts';
import { test, visit } from './fixtures.ts';

/** Pauses the open token list by the pointer over its second row. Returns the address of that row. */
async function rowUnderPointer(page: Page): Promise<string> {
  await page.getByRole('table', { name: 'Tokens' }).locator('tr[data-address]').nth(1).hover();
  // Rows may have moved before the pointer paused the list.
  const address = await page.locator('tr[data-address]:hover').getAttribute('data-address');
  if (address === null) throw new Error('No row is under the pointer.');
  return address;
}

const rowOf = (page: Page, address: string) => page.locator(`tr[data-address="${address}"]`);

/** Presses a button of a row. They show under the pointer, and the row may have moved away from it before the list paused. */
async function press(page: Page, address: string, button: RegExp): Promise<void> {
  await rowOf(page, address).hover();
  await rowOf(page, address).getByRole('button', { name: button }).click();
}

test('a token watched on its row is watched at once in the other tab and on the dashboard [S2.7-04, S2.5-11]', {
  tag: '@landing',
}, async ({ page, otherTab }) => {
  await register(page, '/app/tokens');
  const address = await rowUnderPointer(page);
  const other = await otherTab();
  await other.goto(`/app/tokens/${address}`);
  const watch = other.getByRole('button', { name: 'Watch', exact: true });
  await expect(watch).toHaveAttribute('aria-pressed', 'false');

  await press(page, address, /^Watch /);
  await expect(page.getByText('Added to Watchlist', { exact: true })).toBeVisible();
  await expect(watch).toHaveAttribute('aria-pressed', 'true');

  await visit(other, '/app');
  await other.getByRole('tab', { name: /^Watched Tokens/ }).click();
  await expect(rowOf(other, address)).toBeVisible();
  await press(page, address, /^Watch /);
  await expect(other.getByText('No Watched Tokens')).toBeVisible();
});

test('a blacklisted token leaves the feed of every tab, stays away, and comes back [S2.7-05]', async ({
  page,
  otherTab,
}) => {
  await register(page, '/app/tokens');
  const other = await otherTab();
  const address = await rowUnderPointer(page);
  await other.goto('/app/tokens');
  await expect(rowOf(other, address)).toBeVisible();

  await press(page, address, /^Blacklist /);
  await expect(rowOf(page, address)).toHaveCount(0);
  await expect(rowOf(other, address)).toHaveCount(0);
  await other.reload();
  await other.getByRole('button', { name: '1 blacklisted token is hidden' }).click();
  await expect(rowOf(other, address)).toHaveCount(0);
  await other.getByRole('button', { name: /^Remove .* from Blacklist$/ }).click();
  await expect(other.getByText('No token is blacklisted')).toBeVisible();
  await expect(rowOf(page, address)).toBeVisible();
});
