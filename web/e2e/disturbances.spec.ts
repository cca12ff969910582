import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, expect, test } from '@playwright/test';
import { admin, logIn, register } from './accounts.ts';
import { visit } from './fixtures.ts';
import { type OwnEmulator, startOwnEmulator } from './own-emulator.ts';
import { type OwnProduct, startOwnProduct } from './own-product.ts';

const CHAT = 7001;
// One product for both tests, in one worker: a clean-up removes tokens for all users, and the shared product has no bot.
test.describe.configure({ mode: 'default' });

let dataDir: string;
let emulator: OwnEmulator;
let product: OwnProduct;

test.beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-disturbances-'));
  emulator = await startOwnEmulator();
  product = await startOwnProduct(dataDir, {
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    TELEGRAM_API_ROOT: emulator.apiRoot,
    TELEGRAM_BOT_TOKEN: emulator.token,
  });
});
test.afterAll(async () => {
  await product.stop();
  await emulator.stop();
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
  await logIn(page, admin);
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

test('a chat is linked, reached by a broadcast, and the bot comes back after an outage [S1-02, S2.5-03, S2.16-03, S8.7-15]', async ({
  browser,
}) => {
  const [theirs, mine] = await Promise.all([browse(browser), browse(browser)]);
  const user = await theirs.newPage();
  await register(user);
  const panel = user.getByRole('region', { name: 'Telegram bot' });
  await expect(panel).toContainText('Send /start to begin and /help for all commands.');
  await expect(panel.getByRole('listitem')).toHaveCount(6);

  await visit(user, '/app/settings?tab=telegram');
  await user.getByRole('button', { name: 'Get link code' }).click();
  const command = await user.getByText(/^\/start \w+$/).textContent();
  await emulator.write(CHAT, 'e2e_trader', command ?? '');
  // Without a reload.
  await expect(user.getByText(/^Linked to @e2e_trader since/)).toBeVisible();
  await expect.poll(async () => (await emulator.textsTo(CHAT)).join('\n')).toContain('This chat is now linked to');

  const page = await mine.newPage();
  await logIn(page, admin);
  await page.goto('/app/telegram-status');
  await expect(page.getByRole('region', { name: 'Bot Status' }).getByText('Connected')).toBeVisible();
  await emulator.write(CHAT, 'e2e_trader', '/sell everything');
  const updates = page.getByRole('region', { name: 'Recent Updates' });
  await expect(updates.getByRole('listitem').first()).toContainText('/sell everything');
  // No other user can read the code.
  await expect(updates.getByRole('listitem').nth(1)).toContainText('/start ••••');

  await page.getByRole('textbox', { name: 'Message' }).fill('Hello from the administrator');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText('Message sent successfully', { exact: true })).toBeVisible();
  expect(await emulator.textsTo(CHAT)).toContain('Hello from the administrator');

  const { port } = new URL(emulator.apiRoot);
  await emulator.stop();
  await expect(page.getByText('Connection error', { exact: true })).toBeVisible();
  await expect(user.getByText(/^Linked to @e2e_trader since/)).toBeVisible();
  emulator = await startOwnEmulator(Number(port));
  await expect(page.getByRole('region', { name: 'Bot Status' }).getByText('Connected')).toBeVisible();
  await emulator.write(CHAT, 'e2e_trader', '/wallet');
  // Alerts of the market arrive as well.
  await expect.poll(async () => (await emulator.textsTo(CHAT)).join('\n')).toContain('No wallet is set');
  await Promise.all([theirs.close(), mine.close()]);
});
