import { expect, type Page } from '@playwright/test';
import { createUser, logIn, register } from './accounts.ts';
import { test } from './fixtures.ts';
import { newestTokens } from './listed-tokens.ts';

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

async function createRule(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New Rule' }).click();
  await page.getByLabel('Rule Name').fill(name);
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByText('Rule Created', { exact: true })).toBeVisible();
}

test('a rule is created, edited, switched off and deleted, and another tab shows each change at once [S2.9-12, S4-15, S8.4-04]', {
  tag: '@landing',
}, async ({ page, otherTab }) => {
  await register(page, '/app/auto-buy');
  await expect(page.getByText('Wallet Required')).toBeVisible();
  await expect(page.getByText("You haven't created any auto-buy rules yet")).toBeVisible();
  const other = await otherTab();
  await other.goto('/app/auto-buy');
  await expect(other.getByText('No Rules')).toBeVisible();

  await page.getByRole('button', { name: 'Create Your First Rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Auto-Buy Rule' });
  await dialog.getByRole('button', { name: /^Low Risk Small Buys/ }).click();
  await dialog.getByLabel('Buy Amount').fill('0.25');
  await dialog.getByRole('textbox', { name: 'Max Risk Level, %' }).fill('35');
  await dialog.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByText('Your auto-buy rule has been created successfully', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  for (const tab of [page, other]) {
    await expect(card(tab, 'Low Risk Small Buys')).toContainText(
      'Buys 0.25 SOL of a token as soon as it is detected, if it has at least 0.5 SOL of liquidity and at most 35% risk.',
    );
  }

  await card(page, 'Low Risk Small Buys').getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Rule Name').fill('Small ones');
  await page.getByRole('button', { name: 'Save Rule' }).click();
  await expect(card(other, 'Small ones')).toContainText('35%');

  await card(page, 'Small ones').getByRole('switch', { name: 'Active' }).click();
  await expect(card(other, 'Small ones').getByText('Inactive')).toBeVisible();
  await other.reload();
  await expect(card(other, 'Small ones').getByText('Inactive')).toBeVisible();

  await card(other, 'Small ones').getByRole('button', { name: 'Delete' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  for (const tab of [page, other]) await expect(tab.getByText('No Rules')).toBeVisible();
});

test('the list shows only the rules of its user [S2.9-09, S7.2-11]', async ({ page, browser }) => {
  await register(page, '/app/auto-buy');
  await createRule(page, 'Only mine');
  const elsewhere = await (await browser.newContext()).newPage();
  const account = await register(elsewhere, '/app/auto-buy');
  await expect(elsewhere.getByText('No Rules')).toBeVisible();
  await createRule(elsewhere, 'Only theirs');
  await expect(page.getByRole('article')).toHaveCount(1);
  await elsewhere.context().clearCookies();
  await logIn(elsewhere, account);
  await elsewhere.goto('/app/auto-buy');
  await expect(elsewhere.getByRole('article')).toHaveCount(1);
  await expect(card(elsewhere, 'Only theirs')).toBeVisible();
  await elsewhere.context().close();
});

test('a rule from a token starts with the limits of that token', async ({ page }) => {
  await createUser(page);
  const [token] = await newestTokens(page);
  await page.goto(`/app/auto-buy?from=${token?.address}`);
  await expect(page.getByRole('dialog', { name: 'Create Auto-Buy Rule' })).toBeVisible();
  await expect(page.getByLabel('Rule Name')).toHaveValue(/^Like /);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/app/auto-buy');
});
