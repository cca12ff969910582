import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, expect, test } from '@playwright/test';
import { admin, register, signIn } from './accounts.ts';
import { type OwnProduct, startOwnProduct } from './own-product.ts';

/** A clean-up removes tokens for all users, so this test runs its own product. */
let dataDir: string;
let product: OwnProduct;

test.beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-maintenance-'));
  product = await startOwnProduct(dataDir, { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password });
});
test.afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const browse = (browser: Browser): Promise<BrowserContext> => browser.newContext({ baseURL: product.url });

test('an administrator removes the simulated tokens, and the lists of other users follow [S2.8-09, S8.4-06, S7.3-02]', async ({
  browser,
}) => {
  // A removal competes with the launches for the machine.
  test.setTimeout(120_000);
  const [mine, theirs] = await Promise.all([browse(browser), browse(browser)]);
  const page = await mine.newPage();
  const watcher = await theirs.newPage();
  await register(watcher, '/app/tokens');
  const rows = watcher.locator('tr[data-address]');
  await expect(rows.first()).toBeVisible();
  const before = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-address')));
  await signIn(page, admin);
  await page.goto('/app/settings');
  await page.getByRole('tab', { name: 'Maintenance', exact: true }).click();
  await page.getByRole('button', { name: 'Clean Mock Tokens' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clean Mock Tokens' }).click();
  await expect(page.getByText('Cleanup Complete', { exact: true })).toBeVisible({ timeout: 30_000 });
  // New tokens are launched; no earlier one is left.
  await expect
    .poll(async () => {
      const after = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-address')));
      return after.filter((address) => before.includes(address)).length;
    })
    .toBe(0);
  await Promise.all([mine.close(), theirs.close()]);
});
