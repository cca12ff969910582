import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { logIn, newAccount, register, sendRegistration } from './accounts.ts';
import { type OwnProduct, startOwnProduct } from './own-product.ts';

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

async function createWallet(page: Page): Promise<string> {
  await page.goto('/app/wallet');
  await page.getByRole('button', { name: 'Generate Wallet' }).click();
  const details = page.getByRole('region', { name: 'WALLET DETAILS' });
  return (await details.locator('p.font-mono').first().textContent()) ?? '';
}

const balance = (page: Page) => page.getByRole('region', { name: 'WALLET BALANCE' });

async function transfer(page: Page, recipient: string, amount: string): Promise<void> {
  const card = page.getByRole('region', { name: 'TRANSFER SOL' });
  await card.getByLabel('Recipient address').fill(recipient);
  await card.getByLabel('Amount (SOL)').fill(amount);
  await card.getByRole('button', { name: 'Transfer SOL' }).click();
  // The key was generated on this page a moment ago, so no password is needed.
  await page
    .getByRole('dialog', { name: 'Send SOL?' })
    .getByRole('button', { name: `Send ${amount} SOL` })
    .click();
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
  await page.goto('/app/auto-buy');
  await page.getByRole('button', { name: 'Create Your First Rule' }).click();
  await page.getByLabel('Rule Name').fill(name);
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByText('Your auto-buy rule has been created successfully', { exact: true })).toBeVisible();
}

const strategyTypes = ['Time based', 'Price based', 'Liquidity based', 'Holder based', 'Mixed'];

async function createStrategies(page: Page): Promise<void> {
  await page.goto('/app/auto-buy-strategies');
  for (const type of strategyTypes) {
    await page.getByRole('tab', { name: 'Create Strategy' }).click();
    await page.getByLabel('Name', { exact: true }).fill(`My ${type}`);
    await page.getByLabel('Strategy type', { exact: true }).click();
    await page.getByRole('option', { name: type, exact: true }).click();
    await page.getByRole('button', { name: 'Create Strategy' }).click();
    await expect(page.getByRole('article', { name: `My ${type}`, exact: true })).toBeVisible();
  }
}

/** Opens the newest token except the excluded one and presses one of its list buttons. Returns its address. */
async function list(page: Page, button: 'Watch' | 'Blacklist', leftOut = ''): Promise<string> {
  await page.goto('/app/tokens');
  // Not by its row: new tokens appear above, and the excluded one may be in any row by now.
  const row = page.locator(`tr[data-address]:not([data-address="${leftOut}"])`).first();
  const address = await row.getAttribute('data-address');
  await page.goto(`/app/tokens/${address}`);
  const pressed = page.getByRole('group', { name: 'Your lists' }).getByRole('button', { name: button });
  await pressed.click();
  await expect(pressed).toHaveAttribute('aria-pressed', 'true');
  // The button changes at once; the toast confirms that the server has stored it, so the page can be left.
  await expect(page.getByText(/^Added to (Watchlist|Blacklist)$/)).toBeVisible();
  return address ?? '';
}

test('a new user sets everything up and finds it unchanged after a restart of the server', async ({ browser }) => {
  // Two starts of the whole product, and a walk over all of its pages.
  test.setTimeout(240_000);
  const mine = await browse(browser);
  const theirs = await browse(browser);
  const page = await mine.newPage();
  const friend = await theirs.newPage();
  const account = newAccount();
  await sendRegistration(page, account);
  await expect(page).toHaveURL('/app');
  await register(friend);

  const address = await createWallet(friend);
  await createWallet(page);
  await balance(page).getByRole('button', { name: 'Get test SOL' }).click();
  // Or the toast of the arrival: of two toasts only the later one is shown.
  await expect(page.getByText('1 SOL has arrived in your wallet.', { exact: true })).toBeVisible();
  await expect(balance(page).getByText('1.0000 SOL', { exact: true })).toBeVisible();
  await transfer(page, address, '0.4');
  await expect(balance(friend).getByText('0.4000 SOL', { exact: true })).toBeVisible();
  await expect(balance(page).getByText('0.5999 SOL', { exact: true })).toBeVisible();

  await stopBuying(page);
  await createRule(page, 'Small and safe');
  await createStrategies(page);
  const watched = await list(page, 'Watch');
  const hidden = await list(page, 'Blacklist', watched);

  expect(await product.stop()).toBe(0);
  await mine.close();
  await theirs.close();
  product = await startOwnProduct(dataDir);

  const context = await browse(browser);
  const later = await context.newPage();
  await logIn(later, account);
  await later.goto('/app');
  await later.getByRole('tab', { name: /^Watched Tokens/ }).click();
  await expect(later.locator(`tr[data-address="${watched}"]`)).toBeVisible();
  await later.goto('/app/auto-buy');
  await expect(later.getByRole('article', { name: 'Small and safe' })).toBeVisible();
  await later.goto('/app/auto-buy-strategies');
  for (const type of strategyTypes) {
    await expect(later.getByRole('article', { name: `My ${type}`, exact: true })).toBeVisible();
  }
  await later.goto('/app/positions');
  await expect(later.getByText('Buying is stopped')).toBeVisible();
  await expect(later.getByText('No positions.')).toBeVisible();
  await later.goto('/app/wallet');
  await expect(balance(later).getByText('0.5999 SOL', { exact: true })).toBeVisible();
  await later.goto('/app/transactions');
  const rows = later.getByRole('table').getByRole('row');
  await expect(rows.filter({ hasText: 'Confirmed' })).toHaveCount(2);
  await later.goto(`/app/tokens/${hidden}`);
  await expect(
    later.getByRole('group', { name: 'Your lists' }).getByRole('button', { name: 'Blacklist' }),
  ).toHaveAttribute('aria-pressed', 'true');
  await later.goto('/app/tokens');
  await expect(later.locator(`tr[data-address="${watched}"]`)).toBeVisible();
  await expect(later.locator(`tr[data-address="${hidden}"]`)).toHaveCount(0);
  await context.close();
});
