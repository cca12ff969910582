import { expect, type Page } from '@playwright/test';
import { authCalls } from '../../common/auth/http.ts';
import type { Credentials } from '../../common/auth/model.ts';

/** The administrator of the server under test. */
export const admin = { username: 'admin', password: 'e2e-admin-password' };

let made = 0;
/** Of this test process: others run beside it, each with its own count. */
const worker = Number(process.env.TEST_WORKER_INDEX ?? 0);

/** Returns a username that no other test uses. */
function newUsername(): string {
  made += 1;
  return `trader-${process.pid}-${Date.now().toString(36)}-${made}`;
}

/** Returns a new account that is not registered yet. */
export function newAccount(): Credentials {
  return { username: newUsername(), password: 'a good password' };
}

/** Opens /auth and signs in through the form. */
export async function signIn(page: Page, account: Credentials): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(page).toHaveURL('/app');
}

/** Signs in without the form, which auth.spec.ts tests, and opens no page. */
export async function logIn(page: Page, { username, password }: Credentials): Promise<void> {
  const reply = await page.request.post('/api/auth/login', { data: { username, password } });
  expect(reply.ok(), await reply.text()).toBe(true);
}

/** Fills in and sends the form of a new account; a toast reports the result. */
export async function sendRegistration(page: Page, account: Credentials): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByLabel('Confirm password').fill(account.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
}

/** Registers a new user without the form, which auth.spec.ts tests. Opens no page. Returns the account with its id. */
export async function createUser(page: Page): Promise<Credentials & { id: string }> {
  const account = newAccount();
  // An address per user: registrations per address are limited, and all tests share one.
  const headers = { 'X-Forwarded-For': `10.${1 + (worker % 250)}.${made >> 8}.${made & 255}` };
  const reply = await page.request.post(authCalls.register.path, { data: account, headers });
  expect(reply.ok(), await reply.text()).toBe(true);
  const { id } = authCalls.register.output.parse(await reply.json());
  return { ...account, id };
}

/** Registers a new user without the form and opens `path`. Returns the account. */
export async function register(page: Page, path = '/app'): Promise<Credentials> {
  const account = await createUser(page);
  await page.goto(path);
  await expect(page.getByRole('heading').first()).toBeVisible();
  return account;
}
