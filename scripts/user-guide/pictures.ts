import { type Picture, region, visible } from './picture.ts';
import { ofTrading } from './trading-pictures.ts';

/** Returns every picture of the guide. The addresses are those of a promising token, of a risky one, and of one that the user holds. */
export function pictures({ token, risky, traded }: Record<'token' | 'risky' | 'traded', string>): Picture[] {
  return [...ofTokens(token, risky), ...ofTrading(traded), ...ofSettings(), ...ofDiagnostics(), ...ofAdministrators()];
}

function ofTokens(token: string, risky: string): Picture[] {
  return [
    {
      name: 'sign-in',
      viewer: 'visitor',
      path: '/auth',
      frame: (page) => page.getByRole('heading', { name: 'Welcome to Mintwatch' }).locator('..'),
      margin: 24,
      async prepare(page) {
        const tab = page.getByRole('tab', { name: 'Register' });
        await tab.click();
        await tab.blur();
        await visible(page.getByRole('button', { name: 'Create Account' }));
      },
    },
    {
      name: 'dashboard',
      path: '/app',
      frame: 'window',
      prepare: (page) => visible(page.getByRole('table', { name: 'Newest Tokens' }).locator('tr[data-address]').nth(5)),
      windowHeight: 430,
    },
    {
      name: 'alerts',
      path: '/app',
      frame: { x: 752, y: 0, width: 528, height: 420 },
      async prepare(page) {
        await page.getByRole('button', { name: /^Alerts/ }).click();
        await visible(page.getByRole('menuitem').nth(3));
      },
    },
    {
      name: 'tokens',
      path: '/app/tokens',
      frame: 'window',
      async prepare(page) {
        const row = page.locator('tr[data-address]').nth(3);
        await visible(row);
        // The buttons of a row appear under the pointer.
        await row.hover();
        await visible(page.getByText('Held still'));
      },
      windowHeight: 460,
    },
    {
      name: 'token',
      path: `/app/tokens/${token}`,
      async prepare(page) {
        await visible(page.locator('figure svg path'));
        await visible(page.getByRole('region', { name: 'Risk score' }));
      },
      windowHeight: 588,
    },
    {
      name: 'risk',
      path: `/app/tokens/${risky}`,
      frame: (page) => page.getByRole('tabpanel'),
      prepare: (page) => visible(page.getByRole('region', { name: 'Raises the score' })),
      rows: 520,
    },
  ];
}

function ofSettings(): Picture[] {
  return [
    {
      name: 'settings',
      path: '/app/settings?tab=alerts',
      prepare: (page) => visible(page.getByRole('slider')),
    },
    {
      name: 'trading-settings',
      path: '/app/settings?tab=trading',
      prepare: (page) => visible(region(page, 'Limits').getByText(/^Today /)),
      windowHeight: 1060,
    },
    {
      name: 'telegram-link',
      viewer: 'newcomer',
      path: '/app/settings?tab=telegram',
      frame: (page) => page.getByRole('tabpanel'),
      async prepare(page) {
        await page.getByRole('button', { name: 'Get link code' }).click();
        await visible(page.getByText('Open Telegram with this code'));
      },
    },
    {
      name: 'activity',
      path: '/app/settings',
      frame: (page) => region(page, 'Account activity'),
      async prepare(page) {
        await region(page, 'Account activity').getByRole('button', { name: 'Show' }).click();
        await visible(page.getByText('Private key revealed'));
      },
      rows: 330,
    },
  ];
}

function ofDiagnostics(): Picture[] {
  return [
    {
      name: 'diagnostics',
      viewer: 'admin',
      path: '/app/diagnostics',
      prepare: (page) => visible(page.getByRole('button', { name: 'Run Token Analysis' })),
      windowHeight: 840,
    },
    {
      name: 'verdict',
      viewer: 'admin',
      path: '/app/diagnostics',
      async prepare(page) {
        const tab = page.getByRole('tab', { name: 'Verdict' });
        await tab.click();
        await tab.blur();
        await visible(page.getByRole('table', { name: 'By badge' }));
      },
      windowHeight: 714,
    },
  ];
}

function ofAdministrators(): Picture[] {
  return [
    {
      name: 'bot-status',
      viewer: 'admin',
      path: '/app/telegram-status',
      async prepare(page) {
        await visible(page.getByText('Connected', { exact: true }));
        await visible(region(page, 'Notification Stats').locator('tbody tr'));
      },
    },
    {
      name: 'admin-users',
      viewer: 'admin',
      path: '/app/admin',
      prepare: (page) => visible(page.getByRole('article').nth(3)),
    },
    {
      name: 'audit',
      viewer: 'admin',
      path: '/app/admin/audit',
      prepare: (page) => visible(page.getByRole('table').getByRole('row').nth(8)),
      windowHeight: 620,
    },
    {
      name: 'admin-templates',
      viewer: 'admin',
      path: '/app/admin?tab=templates',
      prepare: (page) => visible(page.getByRole('article').nth(1)),
    },
    {
      name: 'admin-tokens',
      viewer: 'admin',
      path: '/app/admin?tab=tokens',
      prepare: (page) => visible(page.getByRole('button', { name: 'Run Token Aggregator' })),
      windowHeight: 780,
    },
    {
      name: 'admin-system',
      viewer: 'admin',
      path: '/app/admin?tab=system',
      prepare: (page) => visible(page.getByRole('table', { name: 'Sources' })),
      windowHeight: 746,
    },
    {
      name: 'admin-sources',
      viewer: 'admin',
      path: '/app/admin?tab=system',
      frame: (page) => region(page, 'Sources'),
      prepare: (page) => visible(page.getByRole('table', { name: 'Sources' })),
    },
    {
      name: 'direct-admin',
      viewer: 'visitor',
      path: '/direct-admin',
      frame: (page) => page.locator('main'),
      margin: 16,
      prepare: (page) => visible(page.getByLabel('Admin key')),
    },
  ];
}
