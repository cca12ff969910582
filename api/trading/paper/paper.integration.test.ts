import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { PAPER_START_LAMPORTS, type TradingAccount, tradingAccountSchema } from '../../../common/trading/account.ts';
import { type Order, orderSchema, quoteResponseSchema, type TradeWarning } from '../../../common/trading/order.ts';
import { positionSchema } from '../../../common/trading/position.ts';
import { transactionSchema } from '../../../common/transactions/model.ts';
import { testServer } from '../../test-server.ts';
import { type Person, person } from '../../testing/people.ts';
import { justLaunched } from '../../testing/tokens.ts';
import { testWallet } from '../../testing/wallets.ts';

const SOL = 1_000_000_000;
const WAIT = { timeout: 15_000, interval: 50 };
/** For a condition that takes twenty calls to test. */
const SELDOM = { ...WAIT, interval: 250 };
const ALL_WARNINGS: TradeWarning[] = ['high-risk', 'unknown-risk', 'low-liquidity', 'copied-symbol'];

/** Most purchases until one is filled. */
const PURCHASES = 5;

let alice: Person;

const server = await testServer({
  stored: [justLaunched()],
  env: { MARKET: 'simulator', MARKET_SEED: '7', MARKET_RATE: '60' },
});
beforeAll(async () => {
  alice = await person(server, 'Alice');
  const set = await alice.call(`/api/users/${alice.id}/wallet`, { method: 'POST', json: testWallet(9) });
  expect(set.status).toBe(200);
});

const account = async (): Promise<TradingAccount> =>
  tradingAccountSchema.parse((await alice.call('/api/trading/account')).body);

/** Returns the oldest listed coin of which a purchase has a price: those of new ones move most. */
function tradable(): Promise<string> {
  return vi.waitFor(async () => {
    const tokens = z.array(z.object({ address: z.string() })).parse((await alice.call('/api/tokens?limit=20')).body);
    for (const { address } of tokens.toReversed()) {
      const reply = await alice.call(
        `/api/trading/quote?address=${address}&side=buy&lamports=${SOL / 10}&slippageBps=5000`,
      );
      if (reply.status === 200 && quoteResponseSchema.parse(reply.body).refusal === null) return address;
    }
    return expect.fail('no coin can be bought');
  }, SELDOM);
}

/** Returns what the page sends with every order on paper. */
const shown = () => ({ clientId: randomUUID(), mode: 'paper', from: 'page', accept: ALL_WARNINGS });

/** Trades and waits for the end of the order. */
async function traded(request: {
  side: 'buy' | 'sell';
  address: string;
  lamports?: number;
  sharePercent?: number;
}): Promise<Order> {
  const json = { ...request, ...shown(), slippageBps: 5_000 };
  const reply = await alice.call('/api/trading/orders', { method: 'POST', json });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 });
  const { id } = orderSchema.parse(reply.body);
  const order = await vi.waitFor(async () => {
    const found = orderSchema.parse((await alice.call(`/api/trading/orders/${id}`)).body);
    expect(['confirmed', 'failed', 'cancelled']).toContain(found.status);
    return found;
  }, WAIT);
  return order;
}

/**
 * Buys a coin for 0.1 SOL; again while its price moves by more than half before the purchase falls due. `before`: the play money before it,
 * lamports.
 */
async function bought(): Promise<{ purchase: Order; address: string; before: number }> {
  for (let tries = 1; ; tries += 1) {
    const { paper } = await vi.waitFor(async () => {
      const present = await account();
      expect(present.budget?.reservedLamports).toBe(0);
      return present;
    }, WAIT);
    const address = await tradable();
    const purchase = await traded({ side: 'buy', address, lamports: SOL / 10 });
    if (purchase.status === 'confirmed') return { purchase, address, before: paper.lamports };
    expect(['slippage', 'impact', 'tries-used']).toContain(purchase.failure?.code);
    expect(tries).toBeLessThan(PURCHASES);
  }
}

/** Returns the change of the play money by a filled order, lamports. */
function changeOf({ side, fill }: Order): number {
  const { lamports, costs } = fill ?? expect.fail('not filled');
  const paid = costs.networkFeeLamports + costs.priorityFeeLamports + costs.tipLamports;
  const rent = costs.accountRentLamports + costs.volumeRentLamports - costs.returnedRentLamports;
  return (side === 'buy' ? -lamports : lamports) - paid - rent;
}

test('play money buys, sells half and all, and equals the sum of the fills to the lamport', async () => {
  expect(await account()).toMatchObject({ server: 'paper', mode: 'paper', paper: { lamports: PAPER_START_LAMPORTS } });
  const { purchase, address, before } = await bought();
  expect(purchase).toMatchObject({ mode: 'paper', cluster: null });
  // Without a pause: bought tokens can be sold before they are in their position.
  const half = await traded({ side: 'sell', address, sharePercent: 50 });
  expect(half).toMatchObject({ status: 'confirmed', fill: { costs: { returnedRentLamports: 0 } } });
  const rest = await traded({ side: 'sell', address, sharePercent: 100 });
  expect(rest.fill?.costs.returnedRentLamports).toBe(purchase.fill?.costs.accountRentLamports);
  const soldTokens = BigInt(half.fill?.tokens ?? 0) + BigInt(rest.fill?.tokens ?? 0);
  expect(String(soldTokens)).toBe(purchase.fill?.tokens);

  const orders = [purchase, half, rest];
  const expected = before + orders.reduce((sum, order) => sum + changeOf(order), 0);
  await vi.waitFor(async () => {
    const { paper, budget } = await account();
    expect(paper.lamports).toBe(expected);
    expect(budget).toMatchObject({ reservedLamports: 0, openPositions: 0 });
  }, WAIT);
  const { body } = await alice.call('/api/trading/positions?state=closed');
  expect(z.array(positionSchema).parse(body)).toMatchObject([{ mode: 'paper', token: { address }, tokens: '0' }]);

  const { body: all } = await alice.call(`/api/users/${alice.id}/transactions`);
  // A purchase whose price had moved before has a row as well.
  const rows = z
    .array(transactionSchema)
    .parse(all)
    .filter(({ status }) => status === 'confirmed');
  expect(rows.map(({ type, status, cluster, orderId }) => ({ type, status, cluster, orderId }))).toEqual(
    orders.toReversed().map(({ side, id }) => ({ type: side, status: 'confirmed', cluster: null, orderId: id })),
  );
});

test('nothing is bought that brings less than was shown', async () => {
  const purchase = { side: 'buy', address: await tradable(), lamports: SOL / 10, least: '9'.repeat(18) };
  const json = { ...purchase, ...shown(), slippageBps: 500 };
  const refused = await alice.call('/api/trading/orders', { method: 'POST', json });
  expect(refused).toMatchObject({ status: 409, body: { error: 'The price moved beyond your limit of 5.0 %.' } });
});

test('a quote or an order that was shown in another mode is refused, and nothing is stored [T-01]', async () => {
  const ids = async () =>
    z
      .array(orderSchema)
      .parse((await alice.call('/api/trading/orders')).body)
      .map(({ id }) => id);
  const before = await ids();
  const purchase = { side: 'buy', address: await tradable(), lamports: SOL / 10, slippageBps: 5_000 };
  const quoted = (mode: string) =>
    alice.call(`/api/trading/quote?address=${purchase.address}&side=buy&lamports=${SOL / 10}&mode=${mode}`);
  expect(await quoted('live')).toMatchObject({
    status: 200,
    body: { quote: null, refusal: { code: 'mode-changed' } },
  });
  expect((await quoted('paper')).body).not.toMatchObject({ refusal: { code: 'mode-changed' } });
  const json = { ...purchase, ...shown(), mode: 'live' };
  const refused = await alice.call('/api/trading/orders', { method: 'POST', json });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'confirm-needed', error: 'Your trading mode has changed. Nothing was ordered.' },
  });
  expect(await ids()).toEqual(before);
});

test('tokens are sold once by two sales of everything at the same moment', async () => {
  const { purchase, address } = await bought();
  const everything = { side: 'sell', address, sharePercent: 100 } as const;
  const sales = await Promise.all([traded(everything), traded(everything)]);
  expect(sales.map(({ status }) => status).toSorted()).toEqual(['confirmed', 'failed']);
  expect(sales.flatMap(({ fill }) => fill?.tokens ?? [])).toEqual([purchase.fill?.tokens]);
  expect(sales.find(({ status }) => status === 'failed')?.failure?.code).toBe('no-tokens');
});

test('nothing is sold that is not held, and nothing is bought without the money', async () => {
  const address = await tradable();
  const sale = await alice.call(`/api/trading/quote?address=${address}&side=sell&sharePercent=100`);
  expect(quoteResponseSchema.parse(sale.body).refusal?.code).toBe('no-tokens');
  const { paper } = await account();
  const limits = { perTradeLamports: 100 * SOL, perDayLamports: 1_000 * SOL };
  expect((await alice.call('/api/trading/account', { method: 'PATCH', json: { limits } })).status).toBe(200);
  const dear = `/api/trading/quote?address=${address}&side=buy&lamports=${paper.lamports}&slippageBps=5000`;
  expect(['balance', 'impact']).toContain(quoteResponseSchema.parse((await alice.call(dear)).body).refusal?.code);
});
