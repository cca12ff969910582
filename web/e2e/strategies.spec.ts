import { expect, type Page } from '@playwright/test';
import { register } from './accounts.ts';
import { test } from './fixtures.ts';

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Fills in the fields of the type in an open form that already has a name. */
const types: readonly [label: string, fill: (page: Page) => Promise<void>, sentence: RegExp][] = [
  [
    'Time based',
    async (page) => {
      await choose(page, 'Time option', 'Buy within a time frame');
      await page.getByLabel('Start time').fill('2030-01-01T10:00:00');
      await page.getByLabel('End time').fill('2030-01-01T12:30:00');
    },
    /between 2030-01-01 10:00:00 and 2030-01-01 12:30:00/,
  ],
  [
    'Price based',
    async (page) => {
      await choose(page, 'Price option', 'Buy in an uptrend');
      await page.getByLabel('Trend percentage').fill('15');
      await page.getByLabel('Trend duration').fill('90');
    },
    /its price has risen 15% within 90 s/,
  ],
  ['Liquidity based', (page) => page.getByLabel('Target liquidity').fill('4.5'), /its liquidity is 4\.5 SOL or more/],
  [
    'Holder based',
    async (page) => {
      await choose(page, 'Holders option', 'Buy when holders increase');
      await page.getByLabel('Increase rate').fill('20');
      await page.getByLabel('Monitor duration').fill('600');
    },
    /its holders have increased 20% within 10 min/,
  ],
  [
    'Mixed',
    async (page) => {
      await page.getByRole('switch', { name: 'Require all conditions' }).click();
      await choose(page, 'Time option', 'Buy after a duration');
      await page.getByLabel('Duration', { exact: true }).fill('60');
      await choose(page, 'Price option', 'Buy at a fixed price');
      await page.getByLabel('Target price').fill('0.000002');
    },
    /1 min have passed since its detection and its price is 0\.000002 SOL or less/,
  ],
];

test('a strategy of each type is created, and another tab shows each at once [S2.10-08, S2.10-09, S8.5-05]', async ({
  page,
  otherTab,
}) => {
  await register(page, '/app/auto-buy-strategies');
  const other = await otherTab();
  await other.goto('/app/auto-buy-strategies');
  await expect(other.getByText('No Strategies')).toBeVisible();
  for (const [label, fill, sentence] of types) {
    await page.getByRole('tab', { name: 'Create Strategy' }).click();
    await page.getByLabel('Name', { exact: true }).fill(`My ${label}`);
    await choose(page, 'Strategy type', label);
    await fill(page);
    await expect(page.getByRole('region', { name: 'What this comes to' })).toContainText(sentence);
    await page.getByRole('button', { name: 'Create Strategy' }).click();
    await expect(page.getByText('Your auto-buy strategy has been created successfully', { exact: true })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
    for (const tab of [page, other]) {
      await expect(card(tab, `My ${label}`)).toContainText(label);
      await expect(card(tab, `My ${label}`)).toContainText(sentence);
    }
  }
  await other.reload();
  await expect(other.getByRole('article')).toHaveCount(types.length);
});

test('a strategy is deactivated, activated and deleted [S4-13, S5-24, S8.5-06, S8.5-07, S8.5-08]', async ({
  page,
  otherTab,
}) => {
  await register(page, '/app/auto-buy-strategies');
  await page.getByRole('button', { name: 'Create Your First Strategy' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Plain');
  await page.keyboard.press('Enter');
  const plain = card(page, 'Plain');
  await expect(plain).toContainText('0.05 SOL');
  const other = await otherTab();
  await other.goto('/app/auto-buy-strategies');

  await plain.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('Strategy has been deactivated successfully', { exact: true })).toBeVisible();
  await expect(card(other, 'Plain').getByText('Inactive')).toBeVisible();
  await card(other, 'Plain').getByRole('button', { name: 'Activate' }).click();
  await expect(plain.getByText('Active', { exact: true })).toBeVisible();

  await plain.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this strategy?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Strategy has been deleted successfully', { exact: true })).toBeVisible();
  for (const tab of [page, other]) await expect(tab.getByText('No Strategies')).toBeVisible();
});
