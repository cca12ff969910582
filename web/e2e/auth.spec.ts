import { expect } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { newAccount, register, sendRegistration, signIn } from './accounts.ts';
import { test } from './fixtures.ts';

test('a new user registers and reaches the dashboard [S8.2-03, S4-02]', async ({ page }) => {
  const account = newAccount();
  const { username } = account;
  await sendRegistration(page, account);
  await expect(page).toHaveURL('/app');
  await expect(page.getByText('Registration successful', { exact: true })).toBeVisible();
  await expect(page.getByText(`Welcome, ${username}!`, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('a user logs out and logs in again; the session survives a reload [S8.2-05, S8.2-01]', {
  tag: '@landing',
}, async ({ page }) => {
  const account = await register(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/auth');
  await expect(page.getByText('You have been logged out.', { exact: true })).toBeVisible();

  await signIn(page, account);
  await expect(page.getByText(`Welcome back, ${account.username}!`, { exact: true })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL('/app');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('a taken username is refused, whatever its case [S8.2-04]', async ({ page, browser }) => {
  const { username } = await register(page);
  const other = await browser.newContext();
  const second = await other.newPage();
  await sendRegistration(second, { username: username.toUpperCase(), password: 'another password' });
  await expect(second.locator('[data-toast]').filter({ hasText: 'Registration failed' })).toContainText('taken');
  await expect(second).toHaveURL('/auth');
  await other.close();
});

test('a new password ends other sessions, and two-step login asks for a code', async ({ page, browser }) => {
  const account = await register(page, '/app/settings');
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, account);
  const security = page.getByRole('region', { name: 'Security' });
  await security.getByRole('button', { name: 'Show sessions' }).click();
  await expect(security.getByRole('listitem').filter({ hasText: 'Chrome on' })).toHaveCount(2);

  const password = 'another good password';
  await security.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(account.password);
  await dialog.getByLabel('New password', { exact: true }).fill(password);
  await dialog.getByLabel('Confirm new password').fill(password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your other sessions have ended.', { exact: true })).toBeVisible();
  await expect(elsewhere).toHaveURL('/auth');
  await elsewhere.context().close();

  await security.getByRole('button', { name: 'Set up' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const key = await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
  const app = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  await dialog.getByLabel('Code of the app').fill(app.generate());
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(security.getByRole('button', { name: 'Switch off' })).toBeVisible();

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/auth');
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  // The code of the next step, since that of the present one is used up.
  await page.getByLabel('Code').fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(page).toHaveURL('/app');
});

test('a session that ends in one tab leads the other to /auth [S2.3-02]', async ({ page, otherTab }) => {
  await register(page);
  const other = await otherTab();
  await other.goto('/app/tokens');
  await expect(other.getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/auth');
  await expect(other).toHaveURL('/auth');
});
