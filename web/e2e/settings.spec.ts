import { expect, type Page } from '@playwright/test';
import { logIn, register } from './accounts.ts';
import { test } from './fixtures.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';

async function openTab(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

test('wallet address, Telegram username and alerts are stored, for other browsers as well [S2.8-08]', async ({
  page,
  browser,
}) => {
  const account = await register(page, '/app/settings');
  await openTab(page, 'Wallet');
  await page.getByLabel('Wallet address').fill(ADDRESS);
  await page.getByRole('button', { name: 'Save Wallet' }).click();
  await expect(page.getByText('Wallet Saved', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Telegram' }).click();
  await page.getByLabel('Telegram username').fill('@e2e_trader');
  await page.getByRole('button', { name: 'Save Telegram Settings' }).click();
  await expect(page.getByText('Telegram Updated', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Alert Settings' }).click();
  await page.getByLabel('Maximum risk, %').fill('45');
  await page.getByLabel('Alerts per hour, /h').fill('12');
  await page.getByRole('switch', { name: 'Price Change Alerts' }).click();
  await page.getByRole('button', { name: 'Save Alert Settings' }).click();
  await expect(page.getByText('Alert Settings Saved', { exact: true })).toBeVisible();

  const elsewhere = await (await browser.newContext()).newPage();
  await logIn(elsewhere, account);
  await elsewhere.goto('/app/settings');
  await openTab(elsewhere, 'Wallet');
  await expect(elsewhere.getByLabel('Wallet address')).toHaveValue(ADDRESS);
  await elsewhere.getByRole('tab', { name: 'Telegram' }).click();
  await expect(elsewhere.getByLabel('Telegram username')).toHaveValue('@e2e_trader');
  await elsewhere.getByRole('tab', { name: 'Alert Settings' }).click();
  await expect(elsewhere.getByLabel('Maximum risk, %')).toHaveValue('45');
  await expect(elsewhere.getByLabel('Alerts per hour, /h')).toHaveValue('12');
  await expect(elsewhere.getByRole('switch', { name: 'Price Change Alerts' })).not.toBeChecked();
  await elsewhere.context().close();
});

test('a change in one tab appears in the other without a reload', { tag: '@landing' }, async ({ page, otherTab }) => {
  await register(page, '/app/settings');
  const other = await otherTab();
  await other.goto('/app/settings');
  await openTab(other, 'Wallet');
  await expect(other.getByLabel('Wallet address')).toHaveValue('');
  await expect(other.getByRole('button', { name: /^Connection: Live/ })).toBeVisible();
  await openTab(page, 'Wallet');
  await page.getByLabel('Wallet address').fill(ADDRESS);
  await page.getByRole('button', { name: 'Save Wallet' }).click();
  await expect(other.getByLabel('Wallet address')).toHaveValue(ADDRESS);
});
