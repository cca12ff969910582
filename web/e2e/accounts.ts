import { expect, type Page } from '@playwright/test';

/** The administrator of the server under test. */
export const admin = { username: 'admin', password: 'e2e-admin-password' };

let made = 0;
/** Of the process that runs tests: others run beside it, each with a count of its own. */
const worker = Number(process.env.TEST_WORKER_INDEX ?? 0);

/** A username that no other test has. */
export function newUsername(): string {
  made += 1;
  return `trader-${process.pid}-${Date.now().toString(36)}-${made}`;
}

/** A new account, not registered yet. */
export function newAccount(): { username: string; password: string } {
  return { username: newUsername(), password: 'a good password' };
}

/** Opens /auth and signs in through the form. */
export async function signIn(page: Page, account: { username: string; password: string }): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(page).toHaveURL('/app');
}

/** Fills in the form of a new account and sends it; a toast tells what came of it. */
export async function sendRegistration(page: Page, account: { username: string; password: string }): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByLabel('Confirm password').fill(account.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
}

/** A new user, registered and signed in without the form, which auth.spec.ts is about. Opens the dashboard; answers the account. */
export async function register(page: Page): Promise<{ username: string; password: string }> {
  const account = newAccount();
  // From an address of its own: registrations from one are limited, and all tests come from the same.
  const headers = { 'X-Forwarded-For': `10.${1 + (worker % 250)}.${made >> 8}.${made & 255}` };
  const response = await page.request.post('/api/auth/register', { data: account, headers });
  expect(response.ok()).toBe(true);
  await page.goto('/app');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  return account;
}
