import { expect, type Locator, type Page } from '@playwright/test';

/** Whose window: of somebody who uses all of it, of somebody who has just begun, of an administrator, of nobody signed in. */
export type Who = 'user' | 'newcomer' | 'admin' | 'visitor';

/** A part of the window, px. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What a picture is taken of: the whole window, the page without menu and header, or a part of it. */
type Frame = 'window' | 'page' | Box | ((page: Page) => Locator);

export interface Picture {
  name: string;
  who: Who;
  path: string;
  frame: Frame;
  /** Waits for what has to be seen, after opening what is not open by itself. */
  prepare(page: Page): Promise<void>;
  /** px; default: as most laptops have it. */
  windowHeight?: number;
  /** Of a part, how much of it is kept, and of what is around it, px. */
  rows?: number;
  margin?: number;
}

const seen = (locator: Locator) => expect(locator.first()).toBeVisible({ timeout: 30_000 });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Every picture of the guide. `token`, `risky`: addresses of a token that is worth a look, and of one that is not safe. */
export function pictures({ token, risky }: { token: string; risky: string }): Picture[] {
  return [...ofUsers(token, risky), ...ofAdministrators()];
}

function ofUsers(token: string, risky: string): Picture[] {
  return [
    {
      name: 'sign-in',
      who: 'visitor',
      path: '/auth',
      frame: (page) => page.getByRole('heading', { name: 'Welcome to Mintwatch' }).locator('..'),
      margin: 24,
      async prepare(page) {
        const tab = page.getByRole('tab', { name: 'Register' });
        await tab.click();
        await tab.blur();
        await seen(page.getByRole('button', { name: 'Create Account' }));
      },
    },
    {
      name: 'dashboard',
      who: 'user',
      path: '/app',
      frame: 'window',
      prepare: (page) => seen(page.getByRole('table', { name: 'Newest Tokens' }).locator('tr[data-address]').nth(5)),
      windowHeight: 600,
    },
    {
      name: 'alerts',
      who: 'user',
      path: '/app',
      frame: { x: 752, y: 0, width: 528, height: 420 },
      async prepare(page) {
        await page.getByRole('button', { name: /^Alerts/ }).click();
        await seen(page.getByRole('menuitem').nth(3));
      },
    },
    {
      name: 'tokens',
      who: 'user',
      path: '/app/tokens',
      frame: 'window',
      async prepare(page) {
        const row = page.locator('tr[data-address]').nth(3);
        await seen(row);
        // The buttons of a row are seen under the pointer.
        await row.hover();
        await seen(page.getByText('Held still'));
      },
      windowHeight: 560,
    },
    {
      name: 'token',
      who: 'user',
      path: `/app/tokens/${token}`,
      frame: 'page',
      async prepare(page) {
        await seen(page.locator('figure svg path'));
        await seen(page.getByRole('region', { name: 'Risk score' }));
      },
      windowHeight: 588,
    },
    {
      name: 'risk',
      who: 'user',
      path: `/app/tokens/${risky}`,
      frame: (page) => page.getByRole('tabpanel'),
      prepare: (page) => seen(page.getByRole('region', { name: 'Raises the score' })),
      rows: 520,
    },
    {
      name: 'wallet',
      who: 'user',
      path: '/app/wallet',
      frame: 'page',
      prepare: (page) => seen(region(page, 'WALLET BALANCE').getByText(/^\d\.\d{4} SOL$/)),
    },
    {
      name: 'rules',
      who: 'user',
      path: '/app/auto-buy',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('article').nth(1)),
    },
    {
      name: 'rule-dialog',
      who: 'user',
      path: '/app/auto-buy',
      frame: (page) => page.getByRole('dialog'),
      async prepare(page) {
        await page.getByRole('button', { name: 'New Rule' }).click();
        await page.getByRole('button', { name: /^Low Risk Small Buys/ }).click();
        await seen(page.getByText(/^Buys 0\.1 SOL of a token/));
      },
    },
    {
      name: 'strategies',
      who: 'user',
      path: '/app/auto-buy-strategies',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('article').nth(1)),
    },
    {
      name: 'strategy-form',
      who: 'user',
      path: '/app/auto-buy-strategies',
      frame: 'page',
      async prepare(page) {
        await page.getByRole('tab', { name: 'Create Strategy' }).click();
        await page.getByLabel('Name', { exact: true }).fill('Early and liquid');
        await page.getByLabel('Strategy type', { exact: true }).click();
        await page.getByRole('option', { name: 'Liquidity based', exact: true }).click();
        await page.getByLabel('Target liquidity').fill('4.5');
        await seen(page.getByText(/its liquidity is 4\.5 SOL or more/));
      },
      windowHeight: 872,
    },
    {
      name: 'transactions',
      who: 'user',
      path: '/app/transactions',
      frame: 'page',
      prepare: (page) => expect(page.getByText('Confirmed', { exact: true })).toHaveCount(4, { timeout: 60_000 }),
    },
    {
      name: 'settings',
      who: 'user',
      path: '/app/settings?tab=alerts',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('slider')),
    },
    {
      name: 'telegram-link',
      who: 'newcomer',
      path: '/app/settings?tab=telegram',
      frame: (page) => page.getByRole('tabpanel'),
      async prepare(page) {
        await page.getByRole('button', { name: 'Get link code' }).click();
        await seen(page.getByText('Open Telegram with this code'));
      },
    },
    {
      name: 'activity',
      who: 'user',
      path: '/app/settings',
      frame: (page) => region(page, 'Account activity'),
      async prepare(page) {
        await region(page, 'Account activity').getByRole('button', { name: 'Show' }).click();
        await seen(page.getByText('Private key revealed'));
      },
      rows: 330,
    },
  ];
}

function ofAdministrators(): Picture[] {
  return [
    {
      name: 'diagnostics',
      who: 'admin',
      path: '/app/diagnostics',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('button', { name: 'Run Token Analysis' })),
      windowHeight: 840,
    },
    {
      name: 'bot-status',
      who: 'admin',
      path: '/app/telegram-status',
      frame: 'page',
      async prepare(page) {
        await seen(page.getByText('Connected', { exact: true }));
        await seen(region(page, 'Notification Stats').locator('tbody tr'));
      },
    },
    {
      name: 'admin-users',
      who: 'admin',
      path: '/app/admin',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('article').nth(3)),
    },
    {
      name: 'audit',
      who: 'admin',
      path: '/app/admin/audit',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('heading', { level: 1 })),
    },
    {
      name: 'admin-templates',
      who: 'admin',
      path: '/app/admin?tab=templates',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('article').nth(1)),
    },
    {
      name: 'admin-tokens',
      who: 'admin',
      path: '/app/admin?tab=tokens',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('button', { name: 'Run Token Aggregator' })),
      windowHeight: 780,
    },
    {
      name: 'admin-system',
      who: 'admin',
      path: '/app/admin?tab=system',
      frame: 'page',
      prepare: (page) => seen(page.getByRole('table', { name: 'Sources' })),
      windowHeight: 746,
    },
    {
      name: 'admin-sources',
      who: 'admin',
      path: '/app/admin?tab=system',
      frame: (page) => region(page, 'Sources'),
      prepare: (page) => seen(page.getByRole('table', { name: 'Sources' })),
    },
    {
      name: 'direct-admin',
      who: 'visitor',
      path: '/direct-admin',
      frame: (page) => page.locator('main'),
      margin: 16,
      prepare: (page) => seen(page.getByLabel('Admin key')),
    },
  ];
}
