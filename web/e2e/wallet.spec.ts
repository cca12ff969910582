import { expect, type Page } from '@playwright/test';
import { createUser, register } from './accounts.ts';
import { test, visit } from './fixtures.ts';
import { giveWallet } from './wallets.ts';
import { expectAccessibleInAllLooks } from './wcag.ts';

const balance = (page: Page) => page.getByRole('region', { name: 'WALLET BALANCE' });
const transfer = (page: Page) => page.getByRole('region', { name: 'TRANSFER SOL' });
const details = (page: Page) => page.getByRole('region', { name: 'WALLET DETAILS' });

/** Registers a user with a wallet of `sol` SOL, a whole number, and opens the wallet page, which does not hold the key. */
async function openWallet(page: Page, sol = 0): Promise<{ address: string; password: string }> {
  const { id, password } = await createUser(page);
  const { publicKey } = await giveWallet(page, id, sol);
  await page.goto('/app/wallet');
  await expect(balance(page).getByText(`${sol}.0000 SOL`, { exact: true })).toBeVisible();
  return { address: publicKey.toBase58(), password };
}

test('a new user creates a wallet, gets test SOL, and sends some to another user, whose page shows it live [S2.12-13, S8.6-01, S8.6-09]', {
  tag: '@landing',
}, async ({ page, browser }) => {
  const { password } = await register(page, '/app/wallet');
  await page.getByRole('button', { name: 'Generate Wallet' }).click();
  await expect(page.getByText('Your Solana wallet has been created successfully.', { exact: true })).toBeVisible();
  await expect(details(page).locator('p.font-mono').first()).toHaveText(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  await expect(balance(page).getByText('0.0000 SOL', { exact: true })).toBeVisible();
  await balance(page).getByRole('button', { name: 'Get test SOL' }).click();
  await expect(page.getByText('1 SOL has arrived in your wallet.', { exact: true })).toBeVisible();
  await expect(balance(page).getByText('1.0000 SOL', { exact: true })).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  const { address } = await openWallet(other);

  // After a reload the key is no longer in memory, as after any visit.
  await page.reload();
  await transfer(page).getByLabel('Recipient address').fill(address);
  await transfer(page).getByLabel('Amount (SOL)').fill('0.25');
  await transfer(page).getByRole('button', { name: 'Transfer SOL' }).click();
  const question = page.getByRole('dialog', { name: 'Send SOL?' });
  await expect(question).toContainText('Local chain');
  await question.getByLabel('Password', { exact: true }).fill('not the password');
  await question.getByLabel('Password', { exact: true }).press('Enter');
  await expect(question.getByText('This is not your password.')).toBeVisible();
  await question.getByLabel('Password', { exact: true }).fill(password);
  await question.getByRole('button', { name: 'Send 0.25 SOL' }).click();
  await expect(page.getByText('Your SOL has been transferred successfully.', { exact: true })).toBeVisible();
  await expect(balance(page).getByText('0.7499 SOL', { exact: true })).toBeVisible();
  await expect(transfer(page).getByLabel('Recipient address')).toHaveValue('');

  // Without a reload of the recipient's page.
  await expect(balance(other).getByText('0.2500 SOL', { exact: true })).toBeVisible();
  await page.reload();
  await expect(balance(page).getByText('0.7499 SOL', { exact: true })).toBeVisible();
  await visit(page, '/app/transactions');
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: 'Confirmed' })).toHaveCount(2);
  await other.context().close();
});

test('a transfer whose request was cut off is tracked across a reload and arrives once [S4-22]', async ({ page }) => {
  // In the page: the browser sends a request that a route holds back when the page is left.
  await page.addInitScript(() => {
    const real = window.fetch;
    window.fetch = (input, init) => {
      const isCut = sessionStorage.getItem('reachable') === null && String(init?.body).includes('"sendTransaction"');
      if (!isCut) return real(input, init);
      sessionStorage.setItem('cut off', 'yes');
      return Promise.reject(new TypeError('Failed to fetch'));
    };
  });
  const { password } = await openWallet(page, 1);
  await transfer(page).getByLabel('Recipient address').fill('7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2');
  await transfer(page).getByLabel('Amount (SOL)').fill('0.25');
  await transfer(page).getByRole('button', { name: 'Transfer SOL' }).click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'Send 0.25 SOL' }).click();
  const unknown = page.getByText(/We don't know yet whether the network received it\. Don't send it again/);
  await expect(unknown).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('cut off'))).toBe('yes');

  await page.reload();
  await expect(unknown).toBeVisible();
  await expect(transfer(page).getByLabel('Amount (SOL)')).toHaveValue('0.25');
  await expect(transfer(page).getByRole('button', { name: 'Processing Transfer...' })).toBeDisabled();
  await page.evaluate(() => sessionStorage.setItem('reachable', 'yes'));
  await expect(page.getByText('Your SOL has been transferred successfully.', { exact: true })).toBeVisible();
  await expect(balance(page).getByText('0.7499 SOL', { exact: true })).toBeVisible();
});

test('the password reveals the key, and another user imports it [S2.12-12, S5-10, S8.6-02]', async ({
  page,
  browser,
}) => {
  const { address, password } = await openWallet(page);
  await details(page).getByRole('button', { name: 'Reveal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reveal private key' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  const shown = details(page).getByText(/^[0-9a-f]{128}$/);
  await expect(shown).toBeVisible();
  const key = (await shown.textContent()) ?? '';

  const other = await (await browser.newContext()).newPage();
  await register(other, '/app/wallet');
  await other.getByLabel('Private key (hex)').fill(key);
  await other.getByRole('button', { name: 'Import Wallet' }).click();
  await expect(other.getByText('Your Solana wallet has been imported successfully.', { exact: true })).toBeVisible();
  await expect(details(other).getByText(address)).toBeVisible();
  expect(await other.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(key);
  await other.context().close();
});

test('the password recovers a replaced wallet', async ({ page }) => {
  const { address, password } = await openWallet(page);
  await page.getByRole('tab', { name: 'Create New' }).click();
  await page.getByRole('button', { name: 'Generate Wallet' }).click();
  const question = page.getByRole('alertdialog', { name: 'Replace your wallet?' });
  await expect(question).toContainText('stays recoverable on this page for 30 days');
  await question.getByRole('button', { name: 'Create wallet' }).click();
  await expect(page.getByRole('tab', { name: 'Manage' })).toHaveAttribute('aria-selected', 'true');
  await expect(details(page).getByText(address)).toHaveCount(0);
  await page
    .getByRole('list', { name: 'Previous wallets' })
    .getByRole('button', { name: /^Recover/ })
    .click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Recover', exact: true }).click();
  await expect(details(page).getByText(address)).toBeVisible();
});

test('the wallet page meets WCAG in both themes, wide and narrow', async ({ page }) => {
  await openWallet(page);
  for (const tab of ['Manage', 'Create New']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessibleInAllLooks(page);
  }
});
