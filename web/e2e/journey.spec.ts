import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { createUser, logIn } from './accounts.ts';
import { visit } from './fixtures.ts';
import { newestTokens } from './listed-tokens.ts';
import { type OwnProduct, startOwnProduct } from './own-product.ts';
import { giveWallet } from './wallets.ts';

const RECIPIENT = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';

let dataDir: string;
let product: OwnProduct;

test.beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-journey-'));
  product = await startOwnProduct(dataDir);
});
test.afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const browse = (browser: Browser): Promise<BrowserContext> => browser.newContext({ baseURL: product.url });

const balance = (page: Page) => page.getByRole('region', { name: 'WALLET BALANCE' });

interface Transfer {
  recipient: string;
  amount: string;
  password: string;
}

async function transfer(page: Page, { recipient, amount, password }: Transfer): Promise<void> {
  const card = page.getByRole('region', { name: 'TRANSFER SOL' });
  await card.getByLabel('Recipient address').fill(recipient);
  await card.getByLabel('Amount (SOL)').fill(amount);
  await card.getByRole('button', { name: 'Transfer SOL' }).click();
  const question = page.getByRole('dialog', { name: 'Send SOL?' });
  await question.getByLabel('Password', { exact: true }).fill(password);
  await question.getByRole('button', { name: `Send ${amount} SOL` }).click();
  await expect(page.getByText('Your SOL has been transferred successfully.', { exact: true })).toBeVisible();
}

/** Stops buying, so that the plans of this user leave the balance as it is. */
async function stopBuying(page: Page): Promise<void> {
  // The keys work once the account is known.
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await page.keyboard.press('Shift+Escape');
  const question = page.getByRole('dialog', { name: 'Stop buying?' });
  await question.getByRole('button', { name: 'Stop buying', exact: true }).click();
  const report = page.getByRole('dialog', { name: 'Buying is stopped' });
  await report.getByRole('button', { name: 'Close' }).last().click();
  await expect(report).toHaveCount(0);
}

async function createRule(page: Page, name: string): Promise<void> {
  await visit(page, '/app/auto-buy');
  await page.getByRole('button', { name: 'Create Your First Rule' }).click();
  await page.getByLabel('Rule Name').fill(name);
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByText('Your auto-buy rule has been created successfully', { exact: true })).toBeVisible();
}

async function createStrategy(page: Page, name: string): Promise<void> {
  await visit(page, '/app/auto-buy-strategies');
  await page.getByRole('tab', { name: 'Create Strategy' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create Strategy' }).click();
  await expect(page.getByRole('article', { name, exact: true })).toBeVisible();
}

/** Opens a token and adds it to one of the lists. */
async function list(page: Page, address: string, button: 'Watch' | 'Blacklist'): Promise<void> {
  await visit(page, `/app/tokens/${address}`);
  await expect(page.getByRole('main')).toContainText(address);
  const pressed = page.getByRole('group', { name: 'Your lists' }).getByRole('button', { name: button });
  await pressed.click();
  await expect(pressed).toHaveAttribute('aria-pressed', 'true');
  // The button changes at once; the toast confirms that the server has stored it, so the page can be left.
  await expect(
    page.getByText(`Added to ${button === 'Watch' ? 'Watchlist' : 'Blacklist'}`, { exact: true }),
  ).toBeVisible();
}

test('a new user sets everything up and finds it unchanged after a restart of the server', async ({ browser }) => {
  // Two starts of the whole product, and a walk over most of its pages.
  test.setTimeout(240_000);
  const mine = await browse(browser);
  const page = await mine.newPage();
  const account = await createUser(page);
  await giveWallet(page, account.id, 1);
  await page.goto('/app/wallet');
  await expect(balance(page).getByText('1.0000 SOL', { exact: true })).toBeVisible();
  await transfer(page, { recipient: RECIPIENT, amount: '0.4', password: account.password });
  await expect(balance(page).getByText('0.5999 SOL', { exact: true })).toBeVisible();

  await stopBuying(page);
  await createRule(page, 'Small and safe');
  await createStrategy(page, 'Patient');
  const [watched, hidden] = await newestTokens(page);
  if (!watched || !hidden) throw new Error('too few tokens');
  await list(page, watched.address, 'Watch');
  await list(page, hidden.address, 'Blacklist');

  expect(await product.stop()).toBe(0);
  await mine.close();
  product = await startOwnProduct(dataDir);

  const context = await browse(browser);
  const later = await context.newPage();
  await logIn(later, account);
  await later.goto('/app');
  await later.getByRole('tab', { name: /^Watched Tokens/ }).click();
  await expect(later.locator(`tr[data-address="${watched.address}"]`)).toBeVisible();
  await visit(later, '/app/auto-buy');
  await expect(later.getByRole('article', { name: 'Small and safe' })).toBeVisible();
  await visit(later, '/app/auto-buy-strategies');
  await expect(later.getByRole('article', { name: 'Patient' })).toBeVisible();
  await visit(later, '/app/positions');
  await expect(later.getByText('Buying is stopped')).toBeVisible();
  await expect(later.getByText('No Positions')).toBeVisible();
  await visit(later, '/app/wallet');
  await expect(balance(later).getByText('0.5999 SOL', { exact: true })).toBeVisible();
  await visit(later, '/app/transactions');
  const rows = later.getByRole('table').getByRole('row');
  await expect(rows.filter({ hasText: 'Confirmed' })).toHaveCount(1);
  await visit(later, `/app/tokens/${hidden.address}`);
  await expect(
    later.getByRole('group', { name: 'Your lists' }).getByRole('button', { name: 'Blacklist' }),
  ).toHaveAttribute('aria-pressed', 'true');
  await visit(later, '/app/tokens');
  await expect(later.locator(`tr[data-address="${watched.address}"]`)).toBeVisible();
  await expect(later.locator(`tr[data-address="${hidden.address}"]`)).toHaveCount(0);
  await context.close();
});
