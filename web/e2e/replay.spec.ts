import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { priceExact } from '../ui/format.ts';
import { logIn } from './accounts.ts';
import { test } from './fixtures.ts';
import { newestTokens } from './listed-tokens.ts';
import { replayed } from './replayed.ts';

/**
 * The recorded mainnet frames in a trader's browser, compared with the decoded events that are stored beside the
 * recording. Field by field in storage: api/market/sources/replay/recording.integration.test.ts.
 */
test.use({ baseURL: replayed.url });

interface Decoded {
  event: 'CreateEvent' | 'TradeEvent';
  fields: Record<string, string | number | boolean>;
}

interface Coin {
  mint: string;
  created: Decoded;
  last: Decoded;
  trades: Decoded[];
}

/** Coins whose creation was recorded, with their last event in frame order (a transaction has several events). */
function createdCoins(): Coin[] {
  const lines = readFileSync(path.resolve(import.meta.dirname, '../..', replayed.expected), 'utf8')
    .trim()
    .split('\n');
  const events = lines.map((line): Decoded => JSON.parse(line));
  return events
    .filter(({ event }) => event === 'CreateEvent')
    .map((created) => {
      const mint = String(created.fields.mint);
      const trades = events.filter(({ event, fields }) => event === 'TradeEvent' && fields.mint === mint);
      return { mint, created, trades, last: trades.at(-1) ?? created };
    });
}

const coins = createdCoins();
const LAMPORTS_PER_SOL = 1e9;
const BASE_UNITS_PER_TOKEN = 1e6;

function sol(event: Decoded, field: string): number {
  return Number(event.fields[field]) / LAMPORTS_PER_SOL;
}

function priceOf({ last }: Coin): number {
  return sol(last, 'virtual_quote_reserves') / (Number(last.fields.virtual_token_reserves) / BASE_UNITS_PER_TOKEN);
}

function liquidityText({ last, trades }: Coin): string {
  const liquidity = trades.length === 0 ? 0 : sol(last, 'real_quote_reserves');
  return liquidity < 0.001 ? '< 0.001 SOL' : `${liquidity.toFixed(3)} SOL`;
}

test('every recorded coin is in the list with the name and liquidity of its events', async ({ page }) => {
  await logIn(page, replayed.admin);
  await page.goto('/app/tokens');
  await expect(page.getByText('27 tokens')).toBeVisible();
  // Only visible rows are in the document, so the test searches for each coin.
  for (const coin of coins) {
    await page.getByRole('searchbox').fill(coin.mint);
    const row = page.getByRole('row').filter({ has: page.locator(`[href="/app/tokens/${coin.mint}"]`) });
    await expect(row).toContainText(String(coin.created.fields.name));
    await expect(row).toContainText(String(coin.created.fields.symbol));
    await expect(row).toContainText(liquidityText(coin));
    await expect(row).toContainText('pump.fun');
  }
});

test("a recorded coin's page shows the numbers of its events", async ({ page }) => {
  await logIn(page, replayed.admin);
  for (const coin of coins.filter(({ trades }) => trades.length > 0).slice(0, 4)) {
    await page.goto(`/app/tokens/${coin.mint}`);
    await expect(
      page.getByRole('heading', { name: String(coin.created.fields.symbol), exact: false }).first(),
    ).toBeVisible();
    const main = page.getByRole('main');
    await expect(main).toContainText(priceExact(priceOf(coin)));
    await expect(main).toContainText(liquidityText(coin));
    const creator = String(coin.created.fields.creator);
    await expect(main).toContainText(`${creator.slice(0, 6)}…${creator.slice(-4)}`);
    await expect(main).toContainText(coin.mint);
    await page.getByRole('tab', { name: 'Transactions' }).click();
    for (const trade of coin.trades) {
      await expect(main).toContainText(`${sol(trade, 'quote_amount').toFixed(3)}`);
    }
  }
});

test('the lists behave as with a live feed: shifted times put recorded coins among the new ones of this hour', async ({
  page,
}) => {
  await logIn(page, replayed.admin);
  const addresses = async () => (await newestTokens(page)).map(({ address }) => address);
  // The server responds before it has replayed all frames.
  await expect.poll(addresses).toEqual(expect.arrayContaining(coins.map(({ mint }) => mint)));
});
