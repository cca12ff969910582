import { expect, type Page } from '@playwright/test';
import { createUser, newAccount, register, sendRegistration } from './accounts.ts';
import { test, visit } from './fixtures.ts';
import { newestTokens } from './listed-tokens.ts';
import { expectAccessible, expectAccessibleInAllLooks, expectNoViolations, looks, showLook } from './wcag.ts';

/** A dozen checks of large pages: half a minute on two idle cores. */
const CHECKS = 120_000;

/** Selects each tab of the open page, and checks what it shows. */
async function expectAccessibleTabs(page: Page): Promise<void> {
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expectAccessible(page, '[role="tabpanel"]');
  }
}

test('the pages outside the app meet WCAG in both themes, wide and narrow', async ({ page }) => {
  test.setTimeout(CHECKS);
  for (const [path, button] of [
    ['/', 'Sign in'],
    ['/auth', 'Access Dashboard'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(button, { exact: true })).toBeVisible();
    await expectAccessibleInAllLooks(page);
  }
});

test('the frame and the not-found page meet WCAG in both themes, wide and narrow', async ({ page }) => {
  test.setTimeout(CHECKS);
  await register(page, '/app/nowhere');
  await expect(page.getByRole('link', { name: 'Return to Dashboard' })).toBeVisible();
  await expectAccessibleInAllLooks(page);
});

test('the dashboard meets WCAG, dark and wide, light and narrow', { tag: '@landing' }, async ({ page }) => {
  test.setTimeout(CHECKS);
  await register(page);
  await expect(page.locator('tr[data-address]').first()).toBeVisible();
  await expectAccessible(page);
});

test('the list meets WCAG, dark and wide, light and narrow', async ({ page }) => {
  test.setTimeout(CHECKS);
  await register(page, '/app/tokens');
  const row = page.locator('tr[data-address]').first();
  await expect(row).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('switch', { name: 'Quick trade' }).click();
  await expect(page.getByRole('button', { name: /^Buy for / }).first()).toBeAttached();
  for (const look of looks) {
    await showLook(page, look);
    // The titles of a row's figures, which show under a resting mouse. Forced: the link of the row covers them.
    await row.locator('bdi').first().hover({ force: true });
    await expect(page.getByRole('tooltip')).toBeVisible();
    await expectNoViolations(page);
    await page.mouse.move(0, 0);
  }
});

test('the filters and the board meet WCAG, dark and wide, light and narrow', async ({ page }) => {
  test.setTimeout(CHECKS);
  await register(page, '/app/tokens');
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByText(/ match$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close filters' }).click();
  await page.getByRole('button', { name: 'Board' }).click();
  await expect(page.locator('li[data-address]').first()).toBeVisible();
  await expectAccessible(page);
});

test('the page of a token meets WCAG with its tabs, dark and wide, light and narrow', async ({ page }) => {
  test.setTimeout(CHECKS);
  await createUser(page);
  const [token] = await newestTokens(page);
  await page.goto(`/app/tokens/${token?.address}`);
  await expect(page.getByRole('heading', { name: 'Market Data' })).toBeVisible();
  await expectAccessible(page);
  await expectAccessibleTabs(page);
});

test('rules and strategies meet WCAG, dark and wide, light and narrow', async ({ page }) => {
  test.setTimeout(CHECKS);
  await register(page, '/app/auto-buy');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await page.getByRole('button', { name: /^Aggressive Buys/ }).click();
  await page.getByRole('button', { name: 'Run preview' }).click();
  await expect(page.getByText(/^Would have bought /)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByRole('article', { name: 'Aggressive Buys' })).toBeVisible();
  await expectAccessible(page);

  await visit(page, '/app/auto-buy-strategies');
  await page.getByRole('tab', { name: 'Create Strategy' }).click();
  await page.getByLabel('Strategy type').click();
  await page.getByRole('option', { name: 'Mixed' }).click();
  await page.getByRole('button', { name: 'Create Strategy' }).click();
  await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Name', { exact: true }).fill('Nothing yet');
  await page.getByRole('button', { name: 'Create Strategy' }).click();
  await expect(page.getByRole('article', { name: 'Nothing yet' })).toBeVisible();
  await expectAccessible(page);
});

test('transactions, positions, replay and settings meet WCAG, dark and wide, light and narrow', async ({ page }) => {
  test.setTimeout(CHECKS);
  await register(page, '/app/transactions');
  await expect(page.getByRole('heading', { name: 'Transactions', level: 1 })).toBeVisible();
  await expectAccessible(page);

  await visit(page, '/app/positions');
  await expect(page.getByText('No Positions')).toBeVisible();
  await expectAccessible(page);

  await visit(page, '/app/replay');
  await expect(page.getByRole('heading', { name: 'Replay', level: 1 })).toBeVisible();
  await expectAccessible(page);

  await visit(page, '/app/settings');
  await expect(page.getByRole('tab').first()).toBeVisible();
  await expectAccessible(page);
  await expectAccessibleTabs(page);
});

test('nothing moves for users who prefer reduced motion', async ({ page }) => {
  await sendRegistration(page, newAccount());
  const toast = page.locator('[data-toast]').filter({ hasText: 'Registration successful' });
  await expect(toast).toHaveCSS('animation-name', 'none');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect(toast).toHaveCSS('animation-name', 'rise-in');
});
