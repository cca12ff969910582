import { expect } from '@playwright/test';
import { type Picture, region, visible } from './picture.ts';

/** Returns the pictures of wallet, rules, strategies and trades. `traded`: address of a token that the user holds. */
export function ofTrading(traded: string): Picture[] {
  return [...ofPlans(), ...ofTrades(traded)];
}

/** The strategy that buys while the pictures are taken. */
const BUYER = 'After the first minute';
/** Its first purchases and refusals take a while. */
const DECIDED = { timeout: 180_000 };

function ofPlans(): Picture[] {
  return [
    {
      name: 'wallet',
      path: '/app/wallet',
      prepare: (page) => visible(region(page, 'WALLET BALANCE').getByText(/^\d\.\d{4} SOL$/)),
    },
    {
      name: 'rules',
      path: '/app/auto-buy',
      prepare: (page) => visible(page.getByRole('article').nth(1)),
    },
    {
      name: 'rule-dialog',
      path: '/app/auto-buy',
      frame: (page) => page.getByRole('dialog'),
      async prepare(page) {
        await page.getByRole('button', { name: 'New Rule' }).click();
        await page.getByRole('button', { name: /^Low Risk Small Buys/ }).click();
        await visible(page.getByText(/^Buys 0\.1 SOL of a token/));
      },
    },
    {
      name: 'strategies',
      path: '/app/auto-buy-strategies',
      prepare: (page) => visible(page.getByRole('article').nth(1)),
    },
    {
      name: 'strategy-form',
      path: '/app/auto-buy-strategies',
      async prepare(page) {
        await page.getByRole('tab', { name: 'Create Strategy' }).click();
        await page.getByLabel('Name', { exact: true }).fill('Early and liquid');
        await page.getByLabel('Strategy type', { exact: true }).click();
        await page.getByRole('option', { name: 'Liquidity based', exact: true }).click();
        await page.getByLabel('Target liquidity').fill('4.5');
        await visible(page.getByText(/its liquidity is 4\.5 SOL or more/));
      },
      windowHeight: 872,
    },
    {
      name: 'why',
      path: '/app/auto-buy-strategies',
      frame: (page) => page.getByRole('dialog'),
      async prepare(page) {
        const card = page.getByRole('article', { name: BUYER });
        await expect(card.getByText(/^Bought \d/)).toBeVisible(DECIDED);
        await card.getByRole('button', { name: /^Why/ }).click();
        const list = page.getByRole('dialog').getByRole('list', { name: 'Decisions' });
        await expect(list.getByText('Bought', { exact: true }).first()).toBeVisible(DECIDED);
        await expect(list.getByText('Not bought', { exact: true }).first()).toBeVisible(DECIDED);
        await expect(list.getByRole('listitem').nth(6)).toBeVisible(DECIDED);
      },
      rows: 520,
    },
  ];
}

function ofTrades(traded: string): Picture[] {
  return [
    {
      name: 'trade-panel',
      path: `/app/tokens/${traded}`,
      frame: (page) => region(page, 'Trade'),
      prepare: (page) => visible(region(page, 'Trade').getByText(/^Leaves your wallet: at most /)),
      margin: 8,
      windowHeight: 1000,
    },
    {
      name: 'positions',
      path: '/app/positions',
      async prepare(page) {
        const table = page.getByRole('table', { name: 'Open positions' });
        await expect(table.getByRole('row').nth(2)).toBeVisible({ timeout: 30_000 });
        await expect(table.getByText(/%$/).nth(1)).toBeVisible({ timeout: 30_000 });
      },
      windowHeight: 640,
    },
    {
      name: 'replay',
      path: '/app/replay',
      async prepare(page) {
        await page.getByLabel('Rule or strategy').click();
        await page.getByRole('option', { name: `Strategy · ${BUYER}` }).click();
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        await expect(page.getByRole('table', { name: 'Totals' })).toBeVisible(DECIDED);
        await expect(page.getByRole('table', { name: 'Trades' }).getByRole('row').nth(2)).toBeVisible();
      },
      windowHeight: 1000,
    },
    {
      name: 'transactions',
      path: '/app/transactions',
      // Five by hand, and those of the strategy.
      prepare: (page) => expect(page.getByText('Confirmed', { exact: true }).nth(6)).toBeVisible({ timeout: 60_000 }),
      windowHeight: 640,
    },
  ];
}
