import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exitSlippageBps } from '../../../../common/trading/account.ts';
import { reason } from '../../../../common/trading/reasons.ts';
import { testConnection } from '../../../testing/database.ts';
import type { Executor } from '../../executors/executor.ts';
import { createDesk, type Desk, purchase, sale } from '../../testing/desk.ts';
import { createScriptedChain, type Fate, type ScriptedChain } from '../../testing/scripted-chain.ts';
import type { OrderRecord } from '../model.ts';
import type { OrderRequest } from '../place.ts';
import { FRESH_MS, OVERDUE_MS, resendMs, STUCK_MS } from './next-action.ts';

const SOL = 1_000_000_000;
const FEE = 5_000;
const connection = await testConnection({ journal: true });
let chain: ScriptedChain;
let desk: Desk;
let userId: string;
const wallet = () => desk.wallets.get(userId)?.walletAddress ?? '';

beforeEach(async () => {
  chain = createScriptedChain(Date.now);
  desk = await createDesk({ connection, executor: chain.executor });
  // Nothing is too old or sent again because the machine is slow.
  desk.time.stop();
  userId = desk.newUser();
});
afterEach(async () => {
  await desk.stopWorkers();
  expect(desk.warnings).toEqual([]);
});

async function place(request: OrderRequest, ...fates: Fate[]): Promise<string> {
  chain.fates.push(...fates);
  return (await desk.place(userId, request))._id.toHexString();
}

/** Waits for a state of an order, and returns it. */
async function when(id: string, is: (order: OrderRecord) => boolean): Promise<OrderRecord> {
  const found = async () => (await desk.store.find(id)) ?? expect.fail('no such order');
  await expect.poll(async () => is(await found())).toBe(true);
  return found();
}
const closed = (id: string) => when(id, ({ open }) => !open);
/** Waits until a number of attempts of an order are out: their bytes have left. */
const sent = (id: string, attempts = 1) => expect.poll(() => chain.sentOf(id)).toHaveLength(attempts);
const outcomes = ({ attempts }: OrderRecord) => attempts.map(({ outcome }) => outcome);

/** What the account has left and reserved, of 2 SOL a day. */
async function budget() {
  const { budget: of } = await desk.accounts.view(userId);
  return [of?.leftLamports, of?.reservedLamports, of?.openPositions];
}
const UNTOUCHED = [2 * SOL, 0, 0];

describe('a purchase', () => {
  beforeEach(() => void desk.startWorker());

  test('is bought once, and its position and budget follow', async () => {
    const order = await closed(await place(purchase(SOL / 10)));
    expect(order).toMatchObject({ status: 'confirmed', fill: { tokens: String(SOL / 10), lamports: SOL / 10 } });
    expect(order.attempts).toMatchObject([{ outcome: 'landed', sends: 1, bytes: null }]);
    expect(await budget()).toEqual([2 * SOL - SOL / 10, 0, 1]);
    expect(chain.lamports.get(wallet())).toBe(-SOL / 10 - FEE);
    expect(await desk.positions.sellable(userId)).toMatchObject([{ tokens: BigInt(SOL / 10) }]);
  });

  test('has its own time for each of reserved, signed and sent', async () => {
    const skip = (ms: number) => {
      desk.time.skipped += ms;
    };
    chain.openKey = async () => skip(20);
    const { change } = desk.orders;
    desk.orders.change = async (...args) => {
      const stored = await change(...args);
      if (args[0].attempts.length === 0) skip(5);
      return stored;
    };
    const { times } = await closed(await place(purchase(SOL / 10)));
    expect([times.signed, times.sent].map((at) => Number(at) - Number(times.held))).toEqual([20, 25]);
  });

  test('is tried again when it reverted, and pays for both', async () => {
    // A chain without programs reports every failure as lasting, so only a refusal passes.
    const order = await closed(await place(purchase(SOL / 10), 'refused', 'lands'));
    expect(order).toMatchObject({ status: 'confirmed' });
    expect(outcomes(order)).toEqual(['refused', 'landed']);
    expect(order.attempts.map(({ sends }) => sends)).toEqual([1, 1]);
  });

  test('fails after three refusals, and leaves no trace in the budget', async () => {
    const order = await closed(await place(purchase(SOL / 10), 'refused', 'refused', 'refused'));
    expect(order).toMatchObject({ status: 'failed', failure: reason('tries-used', { tries: 3, feesLamports: 0 }) });
    expect(chain.landed.size).toBe(0);
    expect(await budget()).toEqual(UNTOUCHED);
  });

  test('fails by an error of the network with its fee, and is not repeated', async () => {
    const order = await closed(await place(purchase(SOL / 10), 'reverts'));
    expect(order).toMatchObject({ status: 'failed', failure: reason('chain-error'), fill: null });
    expect(order.attempts).toMatchObject([{ outcome: 'reverted', feeLamports: FEE }]);
    expect(await budget()).toEqual(UNTOUCHED);
  });

  test.each<Fate>(['dropped', 'lost'])('is sent again with the same bytes when it was %s', async (fate) => {
    const id = await place(purchase(SOL / 10), fate);
    await sent(id);
    desk.time.skipped += resendMs(null);
    expect(await closed(id)).toMatchObject({ status: 'confirmed', attempts: [{ sends: 2 }] });
    expect(chain.signed).toHaveLength(1);
  });

  test('lands late although it was sent again, and is bought once [T-08, O3]', async () => {
    const id = await place(purchase(SOL / 10), 'late', 'dropped', 'dropped');
    await sent(id);
    desk.time.skipped += resendMs(null);
    await when(id, ({ attempts }) => attempts[0]?.sends === 2);
    chain.mine(1);
    expect(await closed(id)).toMatchObject({ status: 'confirmed' });
    expect(chain.landed.size).toBe(1);
  });

  test('is attempted again only after the former attempt expired [O4]', async () => {
    const id = await place(purchase(SOL / 10), 'dropped');
    await sent(id);
    chain.mine(151);
    const order = await closed(id);
    expect(outcomes(order)).toEqual(['expired', 'landed']);
    expect(chain.landed.size).toBe(1);
  });

  test('waits for the node without a second attempt, and is found when the node returns [T-09, O10]', async () => {
    const id = await place(purchase(SOL / 10), 'late');
    await sent(id);
    chain.isAway = true;
    chain.mine(1);
    desk.time.skipped += OVERDUE_MS + 1;
    const unknown = await when(id, ({ status }) => status === 'unknown');
    expect(unknown.open).toBe(true);
    expect((await budget())[1]).toBe(SOL / 10 + FEE);
    chain.isAway = false;
    expect(await closed(id)).toMatchObject({ status: 'confirmed', attempts: [{ outcome: 'landed' }] });
  });

  test('that is unknown and expired is over, and not tried again', async () => {
    const id = await place(purchase(SOL / 10), 'dropped', 'dropped', 'dropped');
    await sent(id);
    desk.time.skipped += OVERDUE_MS + 1;
    await when(id, ({ status }) => status === 'unknown');
    chain.mine(151);
    const order = await closed(id);
    expect([order.status, outcomes(order)]).toEqual(['failed', ['expired']]);
    expect(await budget()).toEqual(UNTOUCHED);
  });
});

describe('a purchase that the worker finds', () => {
  test('is not made when it is too old, whether its money is reserved or not', async () => {
    const [created, held] = [await place(purchase(SOL / 10)), await place(purchase(SOL / 10))];
    const order = (await desk.store.find(held)) ?? expect.fail();
    const money = { lamports: SOL / 10, totalLamports: SOL / 10, address: order.token.address, isAutomatic: false };
    const request = { mode: 'local', side: 'buy', orderId: held, ...money } as const;
    expect(await desk.accounts.hold(userId, request)).toBeNull();
    await desk.orders.change(order, [{ type: 'held' }]);
    desk.time.skipped += FRESH_MS + 1;
    desk.startWorker();
    for (const id of [created, held]) {
      expect(await closed(id)).toMatchObject({ status: 'cancelled', failure: reason('too-old'), attempts: [] });
    }
    expect(chain.signed).toEqual([]);
    expect(await budget()).toEqual(UNTOUCHED);
  });

  test('is not signed after the wallet was replaced', async () => {
    const id = await place(purchase(SOL / 10));
    desk.wallets.set(userId, { walletAddress: 'another', hasKey: true });
    desk.startWorker();
    expect(await closed(id)).toMatchObject({ status: 'cancelled', failure: reason('wallet-changed') });
    expect(await budget()).toEqual(UNTOUCHED);
  });

  test('fails when its money can not be reserved', async () => {
    const lamports = (SOL / 10) * 9;
    const ids = await Promise.all([1, 2, 3].map(() => place(purchase(lamports))));
    desk.startWorker();
    const orders = await Promise.all(ids.map(closed));
    const [failed, ...others] = orders.filter(({ status }) => status !== 'confirmed');
    expect(others).toEqual([]);
    expect(failed?.failure).toEqual(reason('day-budget', { needsLamports: lamports, leftLamports: SOL / 5 }));
    expect(await budget()).toEqual([SOL / 5, 0, 1]);
  });

  test('stays as it is while other changes of its account are faster, and is bought in a later round', async () => {
    const id = await place(purchase(SOL / 10));
    const statuses: (string | undefined)[] = [];
    desk.startWorker({
      accounts: {
        ...desk.accounts,
        async hold(...request) {
          if (statuses.length === 3) return desk.accounts.hold(...request);
          statuses.push((await desk.store.find(id))?.status);
          return 'lost';
        },
      },
    });
    expect(await closed(id)).toMatchObject({ status: 'confirmed', failure: null });
    expect(statuses).toEqual(['created', 'created', 'created']);
  });

  test('waits for a node that is away only as long as it is fresh', async () => {
    const id = await place(purchase(SOL / 10));
    chain.isAway = true;
    desk.startWorker();
    await when(id, ({ status }) => status === 'held');
    desk.time.skipped += FRESH_MS + 1;
    expect(await closed(id)).toMatchObject({ status: 'cancelled', failure: reason('too-old') });
  });
});

describe('a sale of everything by an exit', () => {
  const exit = () =>
    sale({ key: `exit:${userId}:1`, cause: { kind: 'exit', name: 'stop loss' }, slippageBps: exitSlippageBps });
  beforeEach(() => {
    desk.startWorker();
    chain.tokens.set(`${wallet()} coin`, 1_000n);
  });

  test('sells, however long the node is away before it', async () => {
    const id = await place(exit());
    chain.isAway = true;
    await when(id, ({ status }) => status !== 'created');
    desk.time.skipped += 10 * FRESH_MS;
    chain.isAway = false;
    expect(await closed(id)).toMatchObject({ status: 'confirmed', fill: { tokens: '1000' } });
  });

  test('gets a second attempt with more slippage, whose end and fee count too [O5]', async () => {
    const id = await place(exit(), 'late', 'late', 'late');
    await sent(id);
    desk.time.skipped += STUCK_MS + 1;
    await sent(id, 2);
    const out = await when(id, ({ attempts }) => attempts.every(({ firstSentAt }) => firstSentAt !== null));
    expect(out.attempts.map(({ least }) => Number(least))).toEqual([850, 700]);
    chain.mine(1);
    const order = await closed(id);
    expect(new Set(outcomes(order))).toEqual(new Set(['landed', 'reverted']));
    expect(order.fill).toMatchObject({ tokens: '1000', lamports: 1_000 });
    expect(chain.lamports.get(wallet())).toBe(1_000 - 2 * FEE);
    expect(order.attempts.reduce((sum, { feeLamports }) => sum + feeLamports, 0)).toBe(FEE);
  });

  test('does not send its second attempt again once the first one has landed', async () => {
    // The first send of the second attempt is dropped, so that only another send could bring it into a block.
    const id = await place(exit(), 'late', 'dropped', 'dropped', 'dropped', 'dropped', 'dropped');
    await sent(id);
    desk.time.skipped += STUCK_MS + 1;
    await sent(id, 2);
    chain.mine(1);
    const sold = await when(id, ({ status }) => status === 'confirmed');
    expect(sold.open).toBe(true);
    const sends = sold.attempts[1]?.sends;
    desk.time.skipped += 10_000;
    chain.mine(151);
    const order = await closed(id);
    expect(outcomes(order)).toEqual(['landed', 'expired']);
    expect(order.attempts[1]?.sends).toBe(sends);
  });
});

test('a network other than that of an order decides nothing about it', async () => {
  const looked: string[] = [];
  const elsewhere: Executor = {
    ...chain.executor,
    cluster: 'devnet',
    async look(attempts) {
      looked.push(...attempts.map(({ signature }) => signature));
      const expired = { outcome: 'expired' as const, reason: reason('expired') };
      return new Map(attempts.map(({ signature }) => [signature, expired]));
    },
  };
  desk.startWorker();
  const out = await place(purchase(SOL / 10), 'late');
  await sent(out);
  await desk.stopWorkers();
  desk.startWorker({ executorOf: () => elsewhere });
  // An order without an attempt is cancelled in time; by then the worker has come to both of them.
  const unsent = await place(purchase(SOL / 10));
  desk.time.skipped += FRESH_MS + 1;
  expect(await closed(unsent)).toMatchObject({ status: 'cancelled', attempts: [] });
  expect(looked).toEqual([]);
  desk.time.skipped += OVERDUE_MS;
  await when(out, ({ status }) => status === 'unknown');
  await desk.stopWorkers();
  chain.mine(1);
  desk.startWorker();
  expect(await closed(out)).toMatchObject({ status: 'confirmed' });
});
