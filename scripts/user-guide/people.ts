import { type Browser, expect, type Page } from '@playwright/test';

/** Who is seen in the pictures. */
export interface Person {
  page: Page;
  id: string;
}

export const admin = { username: 'admin', password: 'guide-admin-password' };
export const trader = { username: 'nora', password: 'guide-trader-password' };

/** Others, for lists that look like those of a server in use, with their Telegram ids. */
export const others = [
  { username: 'sofia', chat: 712_905_514 },
  { username: 'mateo', chat: 698_443_107 },
  { username: 'aiko', chat: 731_660_982 },
] as const;
export const TRADER_CHAT = 725_310_448;

let made = 0;

/** A window of nobody yet. */
export async function windowOf(browser: Browser, baseURL: string): Promise<Page> {
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

/** A window of somebody who is signed in; `how`: with an account that is there, or a new one. */
export async function signedIn(
  browser: Browser,
  baseURL: string,
  account: { username: string; password: string },
  how: 'login' | 'register',
): Promise<Person> {
  const page = await windowOf(browser, baseURL);
  // From an address of one's own: accounts from one are limited, and these are all made here.
  made += 1;
  const headers = { 'X-Forwarded-For': `203.0.113.${made}` };
  const answer = await page.request.post(`/api/auth/${how}`, { data: account, headers });
  expect(answer.ok(), `${how} as ${account.username}`).toBe(true);
  const { id } = (await answer.json()) as { id: string };
  return { page, id };
}
