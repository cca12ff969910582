import { expect, type Page } from '@playwright/test';
import type { Token } from '../../common/tokens/model.ts';
import { defaultPresets } from '../../common/trading/account.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { createUser, register } from './accounts.ts';
import { test, visit } from './fixtures.ts';
import { newestTokens } from './listed-tokens.ts';
import { giveWallet } from './wallets.ts';

/** The market is alive: with the usual slippage its moves would refuse an order now and then. */
const calm = <Preset extends object>(preset: Preset) => ({ ...preset, slippageBps: 5_000 });
const calmPresets = { buy: defaultPresets.buy.map(calm), sell: defaultPresets.sell.map(calm) };
/** Listing a coin, sending and confirming take longer on a busy machine. */
const TRADE = { timeout: 30_000 };

/** Registers a new user with a wallet and test SOL. */
async function newTrader(page: Page): Promise<void> {
  const { id } = await createUser(page);
  await giveWallet(page, id, 1);
  const changed = await page.request.patch('/api/trading/account', { data: { presets: calmPresets } });
  expect(changed.ok(), await changed.text()).toBe(true);
}

/** Returns tokens with some depth, the oldest of the last hour first: few others trade them. */
async function tradable(page: Page): Promise<Token[]> {
  const list = await newestTokens(page);
  return list.filter(({ currentLiquidity, price }) => price !== null && (currentLiquidity ?? 0) > 2).toReversed();
}

/** Finds a token that can be bought now: some coins can't be put on the local chain, others change their venue. */
async function findToken(page: Page): Promise<Token> {
  for (const token of await tradable(page)) {
    const params = { address: token.address, side: 'buy', lamports: 100_000_000 };
    const response = await page.request.get(tradingCalls.quote.path, { params });
    // A token may be removed meanwhile.
    if (response.ok() && tradingCalls.quote.output.parse(await response.json()).refusal === null) return token;
  }
  throw new Error('no token can be bought');
}

/** Opens the page of a token that can be bought now. */
async function openToken(page: Page): Promise<void> {
  await page.goto(`/app/tokens/${(await findToken(page)).address}`);
  await expect(panel(page).getByText(/^You get about/)).toBeVisible(TRADE);
}

const panel = (page: Page) => page.getByRole('region', { name: 'Trade' });
const header = (page: Page) => page.getByRole('banner');

/** Presses the button of the panel; warnings are accepted first. */
async function buy(page: Page): Promise<void> {
  const button = panel(page).getByRole('button', { name: 'Buy for 0.1 SOL · Local chain' });
  const anyway = panel(page).getByLabel('Buy anyway');
  // The warnings follow the market, so a new one may appear until the order is placed.
  await expect(async () => {
    if (await anyway.isVisible()) await anyway.check({ timeout: 1_000 });
    await button.click({ timeout: 1_000 });
  }).toPass(TRADE);
  await expect(
    panel(page)
      .getByText(/ with all costs/)
      .first(),
  ).toBeVisible(TRADE);
}

test('a new user buys on the page of a token, sees every cost, and another tab and user see what they may', async ({
  page,
  otherTab,
  browser,
}) => {
  test.slow();
  await newTrader(page);
  await openToken(page);
  await expect(panel(page).getByText(/^Launchpad fee 0\.\d+ SOL$/)).toBeVisible();
  await expect(panel(page).getByText(/^network 0\.000005$/)).toBeVisible();
  await expect(panel(page).getByText(/^account rent 0\.00204 \(comes back when you sell all\)$/)).toBeVisible();
  await expect(panel(page).getByText(/^Leaves your wallet: at most 0\.10\d+ SOL$/)).toBeVisible();
  const second = await otherTab();
  await second.goto('/app/positions');
  await expect(second.getByText('No Positions')).toBeVisible();

  await buy(page);
  await expect(header(page).getByTitle(/^1 open position; a sale of all would return 0\.\d+ SOL now/)).toBeVisible(
    TRADE,
  );
  await expect(page.locator('figure [data-fill=buy]').first()).toBeVisible(TRADE);
  await panel(page).getByRole('button', { name: 'Details' }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Purchase of / });
  await expect(dialog.getByText('Account rent (comes back when you sell all)')).toBeVisible();
  await expect(dialog.getByText('0.000005 SOL', { exact: true })).toBeVisible();
  await expect(dialog.getByText('1. Landed')).toBeVisible();
  const explorer = dialog.getByRole('link', { name: 'View on explorer' });
  await expect(explorer).toHaveAttribute('href', /\/tx\/[1-9A-HJ-NP-Za-km-z]{64,88}/);

  // Without a reload of the other tab.
  await expect(second.getByRole('table', { name: 'Open positions' }).getByRole('row')).toHaveCount(2, TRADE);
  const stranger = await (await browser.newContext()).newPage();
  await register(stranger, '/app/positions');
  await expect(stranger.getByText('No Positions')).toBeVisible();
  await stranger.context().close();
});

test('a user buys from a row, sees its profit move, and sells half of it', { tag: '@landing' }, async ({ page }) => {
  // Narrower windows leave out the column of the amount.
  await page.setViewportSize({ width: 1_920, height: 900 });
  test.slow();
  await newTrader(page);
  const { address } = await findToken(page);
  await page.goto(`/app/tokens?q=${address}`);
  await page.getByPlaceholder('Search by name, symbol, or address...').fill(address);
  const row = page.locator(`tr[data-address="${address}"]`);
  await expect(row).toBeVisible();
  await row.hover();
  await expect(row.getByRole('button', { name: /^Buy for/ })).toHaveCount(0);
  await page.getByRole('switch', { name: 'Quick trade' }).click();
  await row.getByRole('button', { name: /^Buy for 0\.1 SOL/ }).click();
  await expect(row.getByRole('button', { name: /: Bought$/ })).toBeVisible(TRADE);
  await expect(row.getByRole('button', { name: /^Sell 50 %/ })).toBeEnabled(TRADE);

  await visit(page, '/app/positions');
  const position = page.getByRole('table', { name: 'Open positions' }).getByRole('row').nth(1);
  const profit = position.getByText(/^[+−]?0\.\d{4,6} SOL$/).first();
  await expect(profit).toBeVisible(TRADE);
  const held = await position.getByRole('cell').nth(2).textContent();
  await position.getByRole('button', { name: /^Sell 50 %/ }).click();
  await expect(position.getByRole('button', { name: /: Sold$/ })).toBeVisible(TRADE);
  const tokens = (text: string | null) => Number((text ?? '').replaceAll(/[^\d.]/g, ''));
  const half = tokens(held) / 2;
  await expect
    .poll(async () => Math.abs(tokens(await position.getByRole('cell').nth(2).textContent()) - half), TRADE)
    .toBeLessThan(2);
  await expect(page.getByText(/^(1 with a gain, 0|0 with a gain, 1) without\.$/)).toBeVisible(TRADE);

  // More purchases raise the price: the value of the position follows.
  const before = await position.textContent();
  await expect
    .poll(async () => {
      await page.request.post('/api/trading/orders', {
        data: {
          ...{ clientId: crypto.randomUUID(), mode: 'local', side: 'buy', address, lamports: 50_000_000, from: 'page' },
          accept: ['high-risk', 'unknown-risk', 'low-liquidity', 'copied-symbol', 'no-exit'],
        },
      });
      return position.textContent();
    }, TRADE)
    .not.toBe(before);
});

for (const pointer of ['mouse', 'touch'] as const) {
  test(`two presses at a place of a row never trade two things, by ${pointer} [T-03]`, async ({ browser }) => {
    test.slow();
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const context = await browser.newContext(pointer === 'touch' ? phone : {});
    const page = await context.newPage();
    await newTrader(page);
    const amounts = [10_000_000, 20_000_000, 30_000_000];
    const presets = { buy: calmPresets.buy.map((preset, at) => ({ ...preset, lamports: amounts[at] })) };
    expect((await page.request.patch('/api/trading/account', { data: { presets } })).ok()).toBe(true);
    const { address } = await findToken(page);
    await page.goto(`/app/tokens?q=${address}`);
    await page.getByPlaceholder('Search by name, symbol, or address...').fill(address);
    const row = page.locator(`tr[data-address="${address}"]`);
    const places = row.locator('[data-quick]');
    await expect(row).toBeVisible();
    await page.getByRole('switch', { name: 'Quick trade' }).click();
    await expect(places).toHaveCount(6);
    const points = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const box = await places.nth(at).boundingBox();
        return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
      }),
    );
    const press = async (at: number) => {
      const { x, y } = points[at] ?? { x: 0, y: 0 };
      if (pointer === 'touch') await page.touchscreen.tap(x, y);
      else await page.mouse.click(x, y);
    };
    /** Trades of the server, oldest first: lamports of purchases, 'sell' of sales. */
    const trades = async () => {
      const response = await page.request.get(tradingCalls.orders.path, { params: { limit: 50 } });
      const list = tradingCalls.orders.output.parse(await response.json());
      return list.toReversed().map(({ side, lamports }) => (side === 'buy' ? lamports : side));
    };
    const idle = () => expect(row.locator('[data-quick][aria-busy]')).toHaveCount(0, TRADE);

    // The rows of a phone grow with their buttons: until then another thing was at these places.
    const clock = () => page.evaluate(() => performance.now());
    const armedAt = await clock();
    await expect.poll(clock).toBeGreaterThan(armedAt + 1_500);
    // Nothing is held: the places of sales do nothing.
    for (const at of [4, 5, 4, 5]) await press(at);
    await expect(places.nth(4)).toBeDisabled();
    const expected: (number | 'sell')[] = [];
    for (const [at, lamports] of amounts.entries()) {
      for (let time = 0; time < 2; time += 1) {
        await press(at);
        expected.push(lamports);
        await expect.poll(trades, TRADE).toEqual(expected);
        await idle();
        if (expected.length > 1) continue;
        // The first purchase enables the sales: at once they do nothing.
        await expect(places.nth(5)).toBeEnabled(TRADE);
        await press(5);
      }
    }
    expect(await trades()).toEqual(expected);
    await press(4);
    expected.push('sell');
    await expect.poll(trades, TRADE).toEqual(expected);
    await idle();
    await press(5);
    expected.push('sell');
    await expect.poll(trades, TRADE).toEqual(expected);
    // The impatient second press, before and after the position is closed.
    await press(5);
    await expect(places.nth(5)).toBeDisabled(TRADE);
    await idle();
    await press(5);
    await press(5);
    await expect(page).toHaveURL(/\/app\/tokens/);
    expect(await trades()).toEqual(expected);
    await context.close();
  });
}

test('Shift+Esc stops buying until it is resumed, and sells everything on request', { tag: '@landing' }, async ({
  page,
  otherTab,
}) => {
  test.slow();
  await newTrader(page);
  await openToken(page);
  await buy(page);
  await page.keyboard.press('Shift+Escape');
  const question = page.getByRole('dialog', { name: 'Stop buying?' });
  await expect(question).toContainText('Your 1 position stays.');
  await expect(question).toContainText('Local chain');
  await question.getByRole('button', { name: 'Stop and sell everything' }).click();
  const report = page.getByRole('dialog', { name: 'Buying is stopped' });
  await expect(report.getByText('The sales are over.')).toBeVisible(TRADE);
  await expect(report.getByText('Sold', { exact: true })).toBeVisible();
  await report.getByRole('button', { name: 'Close' }).last().click();
  await expect(panel(page).getByText('You have stopped trading. Resume it to buy again.')).toBeVisible(TRADE);

  const second = await otherTab();
  await second.goto('/app/positions');
  await expect(second.getByText('Buying is stopped')).toBeVisible();
  await expect(second.getByText('No Positions')).toBeVisible();
  await second.getByRole('button', { name: 'Resume trading' }).click();
  await expect(second.getByText('Trading Resumed')).toBeVisible();
  await expect(page.getByText('Buying is stopped')).toHaveCount(0);
  await expect(panel(page).getByText(/^You get about/)).toBeVisible(TRADE);
});
