import { expect } from '@playwright/test';
import { newAccount, register, sendRegistration } from './accounts.ts';
import { test } from './fixtures.ts';

const address = 'So11111111111111111111111111111111111111112';

test('the front page shows COMING SOON, at zero, with a link to the app [S2.1-01, S2.1-02, S2.1-03]', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'COMING SOON' })).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText('00Days00Hours00Minutes00Seconds');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/auth');
});

test('anonymous visitors are redirected from the app to /auth, and from other paths to the coming-soon page [S2.3-02, S2.1-10]', async ({
  page,
}) => {
  for (const path of ['/app', '/app/tokens', `/app/tokens/${address}`, '/app/nowhere', '/tokens', '/dashboard']) {
    await page.goto(path);
    await expect(page).toHaveURL('/auth');
  }
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { name: 'COMING SOON' })).toBeVisible();
});

test('signed-in visitors are redirected to the canonical paths [S2.1-03, S2.1-05, S2.1-12, S2.1-11]', async ({
  page,
}) => {
  await register(page);
  for (const [from, to] of [
    ['/', '/app'],
    ['/auth', '/app'],
    ['/dashboard', '/app'],
    ['/tokens', '/app/tokens'],
    [`/tokens/${address}`, `/app/tokens/${address}`],
  ] as const) {
    await page.goto(from);
    await expect(page).toHaveURL(to);
  }
  await page.goto('/app/nowhere');
  await expect(page.getByText("The page you're looking for doesn't exist or has been moved.")).toBeVisible();
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page).toHaveURL('/app');
});

test('the pages of the user open from the menu, and from the paths of the earlier variant [S2.1-08, S2.1-13, S2.2-02]', async ({
  page,
}) => {
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
    await page.goto(path);
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

test('F8 focuses the notification [S9-05, S9-07]', async ({ page }) => {
  await sendRegistration(page, newAccount());
  await expect(page.getByText('Registration successful', { exact: true })).toBeVisible();
  await page.keyboard.press('F8');
  await expect(page.getByRole('region', { name: /Notifications/ })).toBeFocused();
});

test('a spinner shows while the session loads [S2.3-01]', async ({ page }) => {
  await register(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/auth/me', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/app');
  await expect(page.getByRole('status')).toHaveText('Loading your session');
  await expect(page).toHaveURL('/app');
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
