import { expect } from '@playwright/test';
import { register } from './accounts.ts';
import { test } from './fixtures.ts';

test('the dashboard shows its cards and lists, and new tokens appear without a reload [S2.5-01, S2.5-06, S2.5-10]', {
  tag: '@landing',
}, async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await register(page);
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByText('Total Tokens')).toBeVisible();
  await expect(page.getByText('New Tokens', { exact: true })).toBeVisible();

  // The pointer is where the form's button was; the list would pause under it.
  await page.mouse.move(0, 0);
  const newest = page.getByRole('table', { name: 'Newest Tokens' });
  const first = newest.locator('tr[data-address]').first();
  await expect(first).toBeVisible();
  const before = await first.getAttribute('data-address');
  // The simulated market launches about one token every three seconds; nothing is reloaded.
  await expect.poll(() => first.getAttribute('data-address')).not.toBe(before);
  expect(problems).toEqual([]);
});

test('runner and might-run tokens appear within two minutes of a first start [S2.5-10, S2.5-15]', async ({ page }) => {
  test.setTimeout(150_000);
  await register(page);
  for (const [tab, badge] of [
    ['Runner Tokens', 'Runner'],
    ['Might Run Tokens', 'Might Run'],
  ] as const) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    const row = page.getByRole('table', { name: tab }).locator('tr[data-address]').first();
    await expect(row).toBeVisible({ timeout: 120_000 });
    await expect(row.getByText(badge, { exact: true })).toBeVisible();
  }
});

test('a row leads to its token [S2.5-16]', async ({ page }) => {
  await register(page);
  const newest = page.getByRole('table', { name: 'Newest Tokens' });
  // Under the pointer the list pauses, so that the click hits the row.
  await newest.hover();
  const address = await newest.locator('tr[data-address]').first().getAttribute('data-address');
  // By its address: the list may move once more before it has noticed the pointer.
  const row = newest.locator(`tr[data-address="${address}"]`);
  // A row that has only just arrived under the pointer does not open.
  await expect(async () => {
    await row.click();
    await expect(page).toHaveURL(`/app/tokens/${address}`, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('heading', { name: 'Market Data' })).toBeVisible();
});

test('the user guide opens in its three formats, each in a new window [S2.5-13]', async ({ page, context }) => {
  await register(page);
  await page.getByRole('tab', { name: 'User Guide' }).click();
  const open = async (name: string) => {
    const [opened] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name }).click()]);
    return opened;
  };
  const html = await open('View in Browser');
  await expect(html.getByRole('heading', { level: 1, name: 'Mintwatch user guide' })).toBeVisible();
  // The content security policy allows its styles and pictures.
  await expect(html.getByRole('navigation', { name: 'Contents' })).toHaveCSS('position', 'sticky');
  const picture = html.getByRole('img', { name: 'The dashboard' });
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBe(1280);

  const source = await open('View Source');
  await expect(source.locator('body')).toContainText('# Mintwatch user guide');

  // Browsers show a PDF or save it.
  await open('Download PDF');
  const pdf = await page.request.get(
    (await page.getByRole('link', { name: 'Download PDF' }).getAttribute('href')) ?? '',
  );
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
});
