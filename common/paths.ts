/** Pages of the earlier variant that only lost their prefix. */
export const movedPages = [
  '/auto-buy',
  '/auto-buy-strategies',
  '/transactions',
  '/wallet',
  '/settings',
  '/admin',
  '/diagnostics',
  '/telegram-status',
] as const;

const appPage = new RegExp(
  `^(?:/app(?:/.*)?|/auth|/direct-admin|/dashboard|/tokens(?:/[^/]+)?|${movedPages.join('|')})/?$`,
  'i',
);

/** Returns whether the app has a page at this path; every other one shows the front page. */
export function isAppPage(path: string): boolean {
  return appPage.test(path);
}

/** Addresses of the calls that the front page makes without the app's code. */
export const SESSION_PATH = '/api/auth/me';
export const LAUNCHES_PATH = '/api/launches';
