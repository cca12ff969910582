import { expect, type Page } from '@playwright/test';
import { createUser, register } from './accounts.ts';
import { test, visit } from './fixtures.ts';
import { listedAddresses, listedTokens } from './listed-tokens.ts';

async function openList(page: Page): Promise<void> {
  await register(page, '/app/tokens');
  await expect(rows(page).first()).toBeVisible();
}

const rows = (page: Page) => page.getByRole('table', { name: 'Tokens' }).locator('tr[data-address]');
const addresses = (page: Page) => rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-address')));

test('a search by address finds a token on the server [S2.6-01, S2.6-04]', async ({ page }) => {
  await openList(page);
  await expect(page.getByText(/^[\d,]+ tokens$/)).toBeVisible();
  const oldest = (await listedAddresses(page, 'limit=500')).at(-1) ?? '';
  await page.keyboard.press('/');
  await page.getByPlaceholder('Search by name, symbol, or address...').pressSequentially(oldest.slice(0, 12));
  await expect.poll(() => addresses(page)).toEqual([oldest]);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await addresses(page)).length).toBeGreaterThan(5);
});

test('a column sorts all tokens of the server, and reload and back keep filter and order', async ({ page }) => {
  await openList(page);
  await page.getByRole('button', { name: 'Liquidity' }).click();
  // Off the list, where rows are held.
  await page.mouse.move(0, 0);
  await expect(page).toHaveURL('/app/tokens?sort=liquidity');
  const sortedAlike = async () => {
    const [most] = await listedAddresses(page, 'sort=liquidity&limit=1');
    return (await addresses(page))[0] === most;
  };
  await expect.poll(sortedAlike).toBe(true);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Liquidity' })).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(sortedAlike).toBe(true);
  await page.getByRole('button', { name: 'Safe' }).click();
  await expect(page).toHaveURL('/app/tokens?filter=safe&sort=liquidity');
  await page.goBack();
  await expect(page).toHaveURL('/app/tokens?sort=liquidity');
  await expect(page.getByRole('button', { name: 'All', exact: true })).toHaveAttribute('aria-pressed', 'true');
});

test('two browsers show the same newest tokens as the server [F3]', async ({ page, browser }) => {
  await openList(page);
  const context = await browser.newContext();
  const other = await context.newPage();
  await openList(other);
  await expect
    .poll(async () => {
      const newest = await listedAddresses(page, 'limit=5');
      const [here, there] = [await addresses(page), await addresses(other)];
      return newest.every((address, at) => here[at] === address && there[at] === address);
    })
    .toBe(true);
  await context.close();
});

test('a lost connection is shown, and missed events appear after its return [P1, P2, F2]', { tag: '@landing' }, async ({
  page,
  context,
}) => {
  test.setTimeout(90_000);
  await openList(page);
  await expect(page.getByRole('button', { name: /^Connection: Live/ })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole('button', { name: 'Connection: Offline' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/^Not live: this data is/)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('button', { name: /^Connection: Live/ })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/^Not live/)).toHaveCount(0);
  await expect
    .poll(async () => {
      const newest = await listedAddresses(page, 'limit=15');
      const here = await addresses(page);
      return newest.every((address, at) => here[at] === address);
    })
    .toBe(true);
});

test('the page of a token shows its cards, its risk and its trades [S2.7-01, S2.7-09, S2.7-10, S2.7-11]', async ({
  page,
}) => {
  await createUser(page);
  const all = await listedTokens(page, 'limit=200');
  // An order puts a simulated token on the local chain; other tests order newer ones.
  const simulated = all.filter(({ metadata }) => metadata.cluster === null);
  const traded = simulated.findLast(({ holderCount }) => (holderCount ?? 0) > 5) ?? simulated.at(-1);
  await page.goto(`/app/tokens/${traded?.address}`);
  await expect(page.getByRole('heading', { name: 'Token Information' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Risk score' })).toBeVisible();
  const clear = page.getByRole('region', { name: 'Checked and clear' });
  await clear.getByRole('button', { name: 'Show the clear checks' }).click();
  await expect(clear.getByRole('listitem').first()).toBeVisible();
  await expect(page.getByRole('figure').locator('canvas').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Transactions' }).click();
  await expect(page.getByText(/▲ Buy|▼ Sell/).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Holders' }).click();
  await expect(page.getByRole('columnheader', { name: 'Share of supply' })).toBeVisible();
  await page.getByRole('tab', { name: 'Actions', exact: true }).click();
  await expect(page.getByRole('button', { name: 'View on explorer' })).toBeDisabled();
  await page.getByRole('link', { name: 'Back to tokens' }).click();
  await expect(page).toHaveURL('/app/tokens');
});

test('nothing scrolls sideways at 360 px', { tag: '@landing' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openList(page);
  const [address] = await addresses(page);
  for (const [path, heading] of [
    ['/app', 'Dashboard'],
    [`/app/tokens/${address}`, 'Market Data'],
    ['/app/tokens', 'Tokens'],
  ] as const) {
    await visit(page, path);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    await expect(page.locator('main table, main figure, main section').first()).toBeVisible();
    const excess = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    // A list measures its rows again after their first layout.
    await expect.poll(excess, path).toBe(0);
  }
});
