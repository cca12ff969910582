import { expect, type Page } from '@playwright/test';
import { admin, logIn, register } from './accounts.ts';
import { test, visit } from './fixtures.ts';

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Presses the button on a user's card and confirms. */
async function setRights(page: Page, username: string, verb: 'Make Admin' | 'Remove Admin'): Promise<void> {
  await card(page, username).getByRole('button', { name: verb }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: verb }).click();
  await expect(page.getByText('User updated', { exact: true })).toBeVisible();
}

test('a user in another browser is promoted and demoted, and their menu follows [S4-23, S2.2-03, S2.3-05]', {
  tag: '@landing',
}, async ({ page, browser }) => {
  const theirs = await (await browser.newContext()).newPage();
  const { username } = await register(theirs);
  await expect(menu(theirs).getByRole('link', { name: 'Settings' })).toBeVisible();
  await expect(menu(theirs).getByRole('link', { name: 'Admin' })).toHaveCount(0);

  await logIn(page, admin);
  await page.goto('/admin');
  await expect(page).toHaveURL('/app/admin');
  await page.getByRole('searchbox', { name: 'Search by username or messaging ID' }).fill(username);
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await setRights(page, username, 'Make Admin');
  // Without a reload of the user's page.
  for (const entry of ['Admin', 'Diagnostics', 'Telegram Status']) {
    await expect(menu(theirs).getByRole('link', { name: entry, exact: true })).toBeVisible();
  }
  await menu(theirs).getByRole('link', { name: 'Admin', exact: true }).click();
  await expect(theirs.getByRole('tab', { name: 'User Management' })).toBeVisible();

  await page.reload();
  await page.getByRole('searchbox', { name: 'Search by username or messaging ID' }).fill(username);
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await setRights(page, username, 'Remove Admin');
  await expect(theirs.getByText('Access Denied')).toBeVisible();
  await expect(menu(theirs).getByRole('link', { name: 'Admin', exact: true })).toHaveCount(0);

  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  for (const done of ['Admin status granted', 'Admin status revoked']) {
    await expect(log.getByRole('row').filter({ hasText: done }).filter({ hasText: username })).toBeVisible();
  }
  await visit(theirs, '/app/settings');
  await theirs.getByRole('region', { name: 'Account activity' }).getByRole('button', { name: 'Show' }).click();
  await expect(theirs.getByRole('table', { name: 'Account activity' })).toContainText('Admin status revoked');
  await theirs.context().close();
});

test('a template is created, edited, made the default and deleted [S4-24, S2.13-17, S2.13-19, S5-25]', async ({
  page,
}) => {
  await logIn(page, admin);
  await page.goto('/app/admin?tab=templates');
  const dialog = page.getByRole('dialog');
  async function create(name: string, isDefault: boolean): Promise<void> {
    await page.getByRole('button', { name: 'Create Template' }).first().click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Type').fill('e2e_digest');
    await dialog.getByLabel('Content').fill('{token.symbol}, {timeAgo(token.createdAt)}: {token.colour}');
    if (isDefault) await dialog.getByRole('switch', { name: 'Set as Default' }).click();
    await dialog.getByRole('button', { name: 'Create Template' }).click();
    await expect(dialog).toBeHidden();
  }
  await create('First', false);
  // The only template of a type is its default.
  await expect(card(page, 'First').getByText('Default')).toBeVisible();
  await create('Second', true);
  await expect(card(page, 'Second').getByText('Default')).toBeVisible();
  await expect(card(page, 'First').getByText('Default')).toBeHidden();

  await card(page, 'First').getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Name').fill('First, again');
  await dialog.getByRole('switch', { name: 'Set as Default' }).click();
  await dialog.getByRole('button', { name: 'Save Template' }).click();
  await expect(card(page, 'First, again').getByText('Default')).toBeVisible();
  await expect(card(page, 'Second').getByText('Default')).toBeHidden();

  await card(page, 'Second').getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByText(/, .*(just now|ago): \{token\.colour\}/)).toBeVisible();
  await expect(dialog.getByText('{token.colour} stays as written.')).toBeVisible();
  await page.keyboard.press('Escape');

  await card(page, 'First, again').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(card(page, 'First, again')).toBeHidden();
  await expect(card(page, 'Second').getByText('Default')).toBeVisible();
  await card(page, 'Second').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(card(page, 'Second')).toBeHidden();
});
