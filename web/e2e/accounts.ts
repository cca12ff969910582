import { expect, type Page } from '@playwright/test';

/** The administrator of the server under test. */
export const admin = { username: 'admin', password: 'e2e-admin-password' };

let made = 0;

/** A username that no other test has. */
export function newUsername(): string {
  made += 1;
  return `trader-${process.pid}-${Date.now().toString(36)}-${made}`;
}

/** Opens /auth and signs in through the form. */
export async function signIn(page: Page, account: { username: string; password: string }): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(page).toHaveURL('/app');
}

/** Registers a new user through the form, who is then signed in. Answers the account. */
export async function register(page: Page): Promise<{ username: string; password: string }> {
  const account = { username: newUsername(), password: 'a good password' };
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByLabel('Confirm password').fill(account.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL('/app');
  return account;
}
