import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { newAccount, register, sendRegistration } from './accounts.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 360, height: 780 },
];

/** Rows after these repeat them, and a check of a page takes as long as it has elements. */
const REPEATED_ROWS = 'tr[data-address]:nth-child(n+9)';

/** Checks a page, or only the part of it that has changed since a check of the whole. */
async function expectNoViolations(page: Page, part?: string): Promise<void> {
  // Without frames of other origins the page itself can collect the result; otherwise each check opens one more page.
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude(REPEATED_ROWS);
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) }))).toEqual([]);
}

async function expectNothingOverTheSide(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

for (const theme of ['dark', 'light']) {
  test(`the pages outside the app meet WCAG in the ${theme} theme, wide and narrow`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript((chosen) => localStorage.setItem('ui-theme', chosen), theme);
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const [path, button] of [
        ['/', 'Sign in'],
        ['/auth', 'Access Dashboard'],
      ] as const) {
        await page.goto(path);
        await expect(page.getByText(button, { exact: true })).toBeVisible();
        await expectNoViolations(page);
        await expectNothingOverTheSide(page);
      }
    }
  });

  test(`the frame and the not-found page meet WCAG in the ${theme} theme, wide and narrow`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript((chosen) => localStorage.setItem('ui-theme', chosen), theme);
    await register(page, '/app/nowhere');
    for (const size of sizes) {
      await page.setViewportSize(size);
      await expect(page.getByRole('link', { name: 'Return to Dashboard' })).toBeVisible();
      await expectNoViolations(page);
      await expectNothingOverTheSide(page);
    }
  });
}

/** Each theme at one size: enough to check all colours and the narrow layout once. */
const looks = [
  ['dark', { width: 1440, height: 900 }],
  ['light', { width: 360, height: 780 }],
] as const;

for (const [theme, size] of looks) {
  test(`dashboard, list and detail with its tabs meet WCAG, ${theme} at ${size.width} px`, async ({ page }) => {
    // Half a dozen checks of large pages.
    test.setTimeout(120_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript((chosen) => localStorage.setItem('ui-theme', chosen), theme);
    await page.setViewportSize(size);
    await register(page);
    const row = page.locator('tr[data-address]').first();
    const look = async () => {
      await expect(row).toBeVisible();
      await expectNoViolations(page);
      await expectNothingOverTheSide(page);
    };
    await look();
    await page.goto('/app/tokens');
    await look();
    // The titles of a row's figures, which show under a resting mouse. Forced: the link of the row covers them.
    await row.locator('bdi').first().hover({ force: true });
    await expect(page.getByRole('tooltip')).toBeVisible();
    await look();
    await page.mouse.move(0, 0);
    await page.getByRole('switch', { name: 'Quick trade' }).click();
    await expect(page.getByRole('button', { name: /^Buy for / }).first()).toBeAttached();
    await look();
    await page.goto(`/app/tokens/${await row.getAttribute('data-address')}`);
    await expect(page.getByRole('heading', { name: 'Market Data' })).toBeVisible();
    await expectNoViolations(page);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectNoViolations(page, '[role="tabpanel"]');
      await expectNothingOverTheSide(page);
    }
  });
}

for (const [theme, size] of looks) {
  test(`rules, strategies, transactions and settings meet WCAG, ${theme} at ${size.width} px`, async ({ page }) => {
    // A dozen checks: half a minute on two idle cores.
    test.setTimeout(120_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript((chosen) => localStorage.setItem('ui-theme', chosen), theme);
    await page.setViewportSize(size);
    const look = async () => {
      await expectNoViolations(page);
      await expectNothingOverTheSide(page);
    };
    await register(page, '/app/auto-buy');
    await page.getByRole('button', { name: 'New Rule' }).click();
    await page.getByRole('button', { name: /^Aggressive Buys/ }).click();
    await page.getByRole('button', { name: 'Run preview' }).click();
    await expect(page.getByText(/^Would have bought /)).toBeVisible();
    await look();
    await page.getByRole('button', { name: 'Create Rule' }).click();
    await expect(page.getByRole('article', { name: 'Aggressive Buys' })).toBeVisible();
    await look();

    await page.goto('/app/auto-buy-strategies');
    await page.getByRole('tab', { name: 'Create Strategy' }).click();
    await page.getByLabel('Strategy type').click();
    await page.getByRole('option', { name: 'Mixed' }).click();
    await page.getByRole('button', { name: 'Create Strategy' }).click();
    await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
    await look();
    await page.getByLabel('Name', { exact: true }).fill('Nothing yet');
    await page.getByRole('button', { name: 'Create Strategy' }).click();
    await expect(page.getByRole('article', { name: 'Nothing yet' })).toBeVisible();
    await look();

    await page.goto('/app/transactions');
    await expect(page.getByRole('heading', { name: 'Transactions', level: 1 })).toBeVisible();
    await look();

    await page.goto('/app/positions');
    await expect(page.getByText('No positions.')).toBeVisible();
    await look();

    await page.goto('/app/replay');
    await expect(page.getByRole('heading', { name: 'Replay', level: 1 })).toBeVisible();
    await look();

    await page.goto('/app/settings');
    await expect(page.getByRole('tab').first()).toBeVisible();
    await look();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectNoViolations(page, '[role="tabpanel"]');
      await expectNothingOverTheSide(page);
    }
  });
}

test('nothing moves for users who prefer reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await sendRegistration(page, newAccount());
  const toast = page.locator('[data-toast]').filter({ hasText: 'Registration successful' });
  await expect(toast).toHaveCSS('animation-name', 'none');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect(toast).toHaveCSS('animation-name', 'rise-in');
});
