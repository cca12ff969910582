import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { testConnection } from '../../api/testing/database.ts';
import type { OrderRecord } from '../../api/trading/orders/model.ts';
import type { OrderRequest } from '../../api/trading/orders/place.ts';
import { purchase, sale } from '../../api/trading/testing/desk.ts';
import type { ReasonCode } from '../../common/trading/reasons.ts';
import type { Fault } from '../jupiter-emulator/emulator.ts';
import { listPooledCoin } from '../local-chain/program/testing/listed-coin.ts';
import { SOL, WAIT } from '../local-chain/testing/client.ts';
import { IN_POOL, openPoolMarket } from '../local-chain/testing/pool-market.ts';
import { privateChain } from '../testing/private-services.ts';
import { type ChainTrader, createChainDesk } from './testing/chain-desk.ts';
import { expectTruth } from './testing/expect-truth.ts';

const chain = await privateChain();
const connection = await testConnection({ journal: true });
const coin = (await listPooledCoin(chain)).toBase58();
const market = await openPoolMarket(chain);
const desk = await createChainDesk({ connection, chain, coin: IN_POOL, trading: market.executor });
const running = await desk.process();
running.startWorker();

afterEach(() => market.emulator.setFault(null));
afterAll(async () => {
  await running.stopWorkers();
  desk.stop();
  await market.stop();
  expect(running.warnings).toEqual([]);
});

const buying = (fields: Partial<OrderRequest> = {}) => purchase(SOL / 50, { address: coin, ...fields });
const selling = (fields: Partial<OrderRequest> = {}) => sale({ address: coin, ...fields });

/** Places an order, and resolves with it once it is over. */
async function ended(trader: ChainTrader, wanted: OrderRequest): Promise<OrderRecord> {
  const { _id } = await running.place(trader.userId, wanted);
  await expect.poll(() => running.models.orders.exists({ _id, open: true }), WAIT).toBeNull();
  return (await running.store.find(_id.toHexString())) ?? expect.fail('no order');
}

describe('orders for a coin in a pool', () => {
  test('buy and sell it through the worker, and agree with the chain to the lamport [O2, O7, O8, T-45]', async () => {
    const trader = await desk.trader();
    expect(await ended(trader, buying())).toMatchObject({ status: 'confirmed' });
    expect(await ended(trader, selling({ sharePercent: 50 }))).toMatchObject({ status: 'confirmed' });
    expect(await ended(trader, buying())).toMatchObject({ status: 'confirmed' });
    expect(await ended(trader, selling())).toMatchObject({ status: 'confirmed' });
    const orders = await expectTruth(desk, running, trader, coin);
    expect(orders.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
    expect(await desk.tokens(trader, coin)).toBe(0n);
  });

  test('wait while Jupiter does not respond, and are made then', async () => {
    const trader = await desk.trader();
    market.emulator.setFault({ kind: 'status', status: 503 });
    const placed = ended(trader, buying());
    const before = market.emulator.count();
    await expect.poll(() => market.emulator.count(), WAIT).toBeGreaterThan(before + 1);
    market.emulator.setFault(null);
    expect(await placed).toMatchObject({ status: 'confirmed' });
    await expectTruth(desk, running, trader, coin);
  });

  test.each<[Fault, ReasonCode]>([
    [{ kind: 'foreign-program' }, 'route-program'],
    [{ kind: 'extra-debit' }, 'route-instruction'],
    [{ kind: 'double-spend' }, 'route-overspends'],
    [{ kind: 'larger-spend' }, 'route-terms'],
    [{ kind: 'no-bound' }, 'route-terms'],
    [{ kind: 'wrong-taker' }, 'route-signer'],
    [{ kind: 'approve' }, 'route-instruction'],
    [{ kind: 'set-authority' }, 'route-instruction'],
    [{ kind: 'less-out' }, 'route-shortfall'],
    [{ kind: 'false-table' }, 'route-tables'],
    [{ kind: 'garbage' }, 'route-unreadable'],
    [{ kind: 'status', status: 400 }, 'no-route'],
    [{ kind: 'status', status: 403 }, 'route-denied'],
  ])('end without a transaction when the response has the fault %j: %s [T-46]', async (fault, code) => {
    const trader = await desk.trader();
    market.emulator.setFault(fault);
    const order = await ended(trader, buying());
    expect(order).toMatchObject({ status: 'cancelled', failure: { code }, attempts: [] });
    await expectTruth(desk, running, trader, coin);
  });
});
