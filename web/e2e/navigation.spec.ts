import { expect } from '@playwright/test';
import { createUser, register } from './accounts.ts';
import { test, visit } from './fixtures.ts';

const address = 'So11111111111111111111111111111111111111112';

test('signed-in visitors are redirected to the canonical paths [S2.1-03, S2.1-05, S2.1-12, S2.1-11]', async ({
  page,
}) => {
  await createUser(page);
  for (const [from, to] of [
    ['/', '/app'],
    ['/auth', '/app'],
    ['/dashboard', '/app'],
    [`/tokens/${address}`, `/app/tokens/${address}`],
  ] as const) {
    await page.goto(from);
    await expect(page).toHaveURL(to);
  }
  await visit(page, '/app/nowhere');
  await expect(page.getByText("The page you're looking for doesn't exist or has been moved.")).toBeVisible();
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page).toHaveURL('/app');
});

test('the pages of the user open from the menu, and from the paths of the earlier variant [S2.1-08, S2.1-13, S2.2-02]', {
  tag: '@landing',
}, async ({ page }) => {
  await register(page);
  for (const [path, title] of [
    ['/auto-buy', 'Auto-Buy Rules'],
    ['/auto-buy-strategies', 'Auto-Buy Strategies'],
    ['/transactions', 'Transactions'],
    ['/wallet', 'Wallet'],
    ['/settings', 'Settings'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title }).click();
    await expect(page).toHaveURL(`/app${path}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await visit(page, path);
    await expect(page).toHaveURL(`/app${path}`);
  }
});

test('the menu opens the pages, at the side and on a phone at the bottom [S2.2-01, S2.2-04]', async ({ page }) => {
  await register(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tokens' }).click();
  await expect(page).toHaveURL('/app/tokens');
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeHidden();
  const bottom = page.getByRole('navigation', { name: 'Bottom' });
  await bottom.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL('/app');
  await bottom.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/auth');
});

test('the theme is dark by default, and a choice survives a reload without a flash [S2.2-06, S2.2-07]', async ({
  page,
}) => {
  await register(page);
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  // The radio input itself is hidden behind its label.
  await page.getByText('Light', { exact: true }).click();
  await expect(html).toHaveAttribute('data-theme', 'light');
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBe('light');

  // Without the app's code, only the script before the first paint can have set it.
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.reload({ waitUntil: 'domcontentloaded' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toBe('rgb(245, 247, 246)');
});
