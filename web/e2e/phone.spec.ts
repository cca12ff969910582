import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { register } from './accounts.ts';
import { test } from './fixtures.ts';

const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
/** A window of 1280 × 720 px at 200 % zoom. */
const zoomed = { viewport: { width: 640, height: 360 } };

async function open(browser: Browser, path: string, device: object): Promise<Page> {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  await register(page, path);
  await expect(page.locator('tr[data-address]').first()).toBeVisible();
  return page;
}

/** Returns the number of rows that nothing covers and no edge cuts. */
function rowsInSight(page: Page): Promise<number> {
  return page.locator('tr[data-address]').evaluateAll(
    (rows) =>
      rows.filter((row) => {
        const { left, top, width, bottom } = row.getBoundingClientRect();
        return [top + 2, bottom - 2].every((y) => row.contains(document.elementFromPoint(left + width / 2, y)));
      }).length,
  );
}

for (const [device, options, least] of [
  ['a phone', phone, 6],
  ['a window at 200 % zoom', zoomed, 4],
] as const) {
  for (const path of ['/app', '/app/tokens']) {
    test(`${device} shows at least ${least} rows at ${path}`, async ({ browser }) => {
      const page = await open(browser, path, options);
      const dismiss = page.getByRole('button', { name: 'Dismiss first steps' });
      if (await dismiss.isVisible()) await dismiss.click();
      await expect.poll(() => rowsInSight(page)).toBeGreaterThanOrEqual(least);
      if (path === '/app') await expect(page.getByText('Total Tokens')).toBeInViewport();
      await page.context().close();
    });
  }
}

/** Moves a finger over a row, px to the right. */
async function swipe(page: Page, row: Locator, by: number): Promise<void> {
  const box = await row.boundingBox();
  if (box === null) throw new Error('The row is not on screen.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number | null) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at === null ? [] : [{ x: x + at, y }] });
  await touch('touchStart', 0);
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', (by * step) / 6);
  await touch('touchEnd', null);
}

test('on a phone a swipe to the right watches a token, and one to the left hides it until it is undone', async ({
  browser,
}) => {
  const page = await open(browser, '/app/tokens', phone);
  const address = await page.locator('tr[data-address]').nth(1).getAttribute('data-address');
  const row = page.locator(`tr[data-address="${address}"]`);
  await swipe(page, row, 40);
  await swipe(page, row, 140);
  await expect(row.getByText('Watched')).toBeAttached();
  await swipe(page, row, -140);
  await expect(page.getByText('This token is on your blacklist.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row.getByRole('link')).toBeVisible();
  await expect(page).toHaveURL('/app/tokens');
  await page.context().close();
});

test('on a phone the menu of a card hides a token and copies its address, and the bar at the bottom sorts', async ({
  browser,
}) => {
  const page = await open(browser, '/app/tokens', phone);
  const address = await page.locator('tr[data-address]').nth(1).getAttribute('data-address');
  const row = page.locator(`tr[data-address="${address}"]`);
  // A row that has only just arrived at its place takes no press.
  const item = page.getByRole('menuitem', { name: 'Blacklist' });
  await expect(async () => {
    await row.getByRole('button', { name: /^More about/ }).tap();
    await expect(item).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('menuitem', { name: 'Copy address' })).toBeVisible();
  await expect(page.getByText('It is on no chain', { exact: false })).toBeVisible();
  await item.tap();
  await expect(page.getByText('This token is on your blacklist.')).toBeVisible();
  await page.getByRole('button', { name: 'Sort: newest' }).tap();
  await page.getByRole('menuitemradio', { name: 'Market cap' }).tap();
  await expect(page).toHaveURL('/app/tokens?sort=marketCap');
  await page.getByRole('button', { name: 'Sort: market cap ↓' }).tap();
  await page.getByRole('menuitemradio', { name: 'Lowest first' }).tap();
  await expect(page).toHaveURL('/app/tokens?sort=marketCap&order=asc');
  await page.context().close();
});

test('on a phone the first steps speak of touch, not of a pointer', async ({ browser }) => {
  const page = await open(browser, '/app/tokens', phone);
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByText('New rows wait. Tap the green count to show them.')).toBeVisible();
  await expect(steps.getByText('Hover to hold them.', { exact: false })).toBeHidden();
  await expect(steps.getByText('? for keys.', { exact: false })).toBeHidden();
  await page.context().close();
});

test('on the page of a token a phone has the trade at the thumb', async ({ browser }) => {
  const page = await open(browser, '/app/tokens', phone);
  const address = await page.locator('tr[data-address]').first().getAttribute('data-address');
  await page.goto(`/app/tokens/${address}`);
  const bar = page.getByRole('region', { name: 'Trade', exact: true });
  await expect(bar).toBeInViewport({ ratio: 1 });
  await bar.getByRole('button', { name: 'Sell' }).tap();
  const sell = page.getByRole('dialog').getByRole('button', { name: 'Sell', exact: true });
  await expect(sell).toHaveAttribute('aria-pressed', 'true');
  await page.context().close();
});
