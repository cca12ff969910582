import { type Browser, expect, type Page } from '@playwright/test';

/** A user in the pictures. */
export interface Person {
  page: Page;
  id: string;
}

export const admin = { username: 'admin', password: 'guide-admin-password' };
export const trader = { username: 'nora', password: 'guide-trader-password' };

/** Other users with their Telegram ids, for lists that look like those of a server in use. */
export const others = [
  { username: 'sofia', chat: 712_905_514 },
  { username: 'mateo', chat: 698_443_107 },
  { username: 'aiko', chat: 731_660_982 },
] as const;
export const TRADER_CHAT = 725_310_448;

let registered = 0;

/** Opens a window without a session. */
export async function openWindow(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

/** Opens a window of a signed-in user. `how`: with an existing account, or a new one. */
export async function signedIn(
  browser: Browser,
  baseURL: string,
  account: { username: string; password: string },
  how: 'login' | 'register',
): Promise<Person> {
  const page = await openWindow(browser, baseURL);
  // An address per user: registrations per address are limited.
  registered += 1;
  const headers = { 'X-Forwarded-For': `203.0.113.${registered}` };
  const response = await page.request.post(`/api/auth/${how}`, { data: account, headers });
  expect(response.ok(), `${how} as ${account.username}`).toBe(true);
  const { id } = (await response.json()) as { id: string };
  return { page, id };
}
