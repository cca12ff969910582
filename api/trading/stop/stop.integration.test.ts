import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reason } from '../../../common/trading/reasons.ts';
import { testConnection } from '../../testing/database.ts';
import { type Desk, purchase, sale } from '../testing/desk.ts';
import type { ScriptedChain } from '../testing/scripted-chain.ts';
import { createStopStore } from './model.ts';
import { createStopReports } from './reports.ts';
import { actor, endStopDesk, openStopDesk } from './testing/stop-desk.ts';

const SOL = 1_000_000_000;
const connection = await testConnection({ journal: true });
let chain: ScriptedChain;
let desk: Desk;

beforeEach(async () => {
  ({ chain, desk } = await openStopDesk(connection));
});
afterEach(() => endStopDesk(desk));

async function bought(userId: string, lamports: number, address = 'coin'): Promise<string> {
  return (await desk.place(userId, purchase(lamports, { address })))._id.toHexString();
}
const status = async (id: string) => (await desk.store.find(id))?.status;
/** Waits until an order is out: its bytes have left. */
const sent = (id: string) => expect.poll(() => chain.sentOf(id)).toHaveLength(1);
const closed = (id: string) => expect.poll(async () => (await desk.store.find(id))?.open).toBe(false);
const ended = (userId: string) =>
  expect
    .poll(async () => (await desk.stop.report(userId))?.endedAt ?? null)
    .not.toBeNull()
    .then(() => desk.stop.report(userId));

/** Starts a worker whose fills of one side wait to get into their positions. Returns the function that lets them. */
function holdFills(held: 'buy' | 'sell'): () => void {
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  const apply: Desk['positions']['apply'] = async (order) => {
    if (order.side === held) await opened;
    return desk.positions.apply(order);
  };
  desk.startWorker({ fills: { apply } });
  return () => void gate.emit('open');
}

/** Has the reports looked at their orders once. */
async function look(): Promise<void> {
  const reports = createStopReports({ ...desk, store: createStopStore(desk.models.stops), orders: desk.store });
  reports.start();
  await reports.stop();
}

async function expectNothingHeld(userId: string): Promise<void> {
  expect(await desk.positions.sellable(userId)).toEqual([]);
  const wallet = desk.wallets.get(userId)?.walletAddress;
  expect([...chain.tokens].filter(([key, tokens]) => key.startsWith(`${wallet} `) && tokens > 0n)).toEqual([]);
}

describe('a stop', () => {
  test('cancels reserved purchases, leaves the sent one without a further attempt, and refuses new ones [T-18, O6]', async () => {
    const userId = desk.newUser();
    chain.fates.push('dropped');
    desk.startWorker();
    const out = await bought(userId, SOL / 10);
    await sent(out);
    await desk.stopWorkers();
    const waiting = await bought(userId, SOL / 10);
    const report = await desk.stop.stop(userId, { sell: false, by: 'user' }, actor);
    expect(report).toMatchObject({ by: 'user', cancelled: 1, out: 1, sells: false, positions: [], endedAt: null });
    expect(await status(waiting)).toBe('cancelled');
    expect(await desk.store.find(out)).toMatchObject({ status: 'sent', noMore: true });
    expect(await desk.placing.place(userId, purchase(SOL / 10))).toEqual({
      type: 'refused',
      reason: reason('stopped'),
    });
    const { look: lookFor } = chain.executor;
    let looks = 0;
    chain.executor.look = (attempts) => {
      looks += 1;
      return lookFor(attempts);
    };
    desk.startWorker();
    desk.stop.start();
    await closed(waiting);
    // The sent one is looked for again, and not sent again: it would land now.
    await expect.poll(() => looks).toBeGreaterThan(2);
    chain.mine(151);
    await closed(out);
    expect(await desk.store.find(out)).toMatchObject({
      status: 'failed',
      attempts: [{ outcome: 'expired', sends: 1 }],
    });
    expect(chain.signed).toHaveLength(1);
    expect(await ended(userId)).toMatchObject({ cancelled: 1, out: 1 });
    expect((await desk.accounts.view(userId)).budget).toMatchObject({ leftLamports: 2 * SOL, reservedLamports: 0 });
  });

  test('that is acknowledged while a key is being opened leaves the key unused [T-18, O6]', async () => {
    const userId = desk.newUser();
    const key = new EventEmitter();
    chain.openKey = async () => {
      key.emit('opening');
      await once(key, 'opened');
    };
    const opening = once(key, 'opening');
    desk.startWorker();
    const id = await bought(userId, SOL / 10);
    await opening;
    expect(await desk.stop.stop(userId, { sell: false, by: 'user' }, actor)).toMatchObject({ cancelled: 1, out: 0 });
    key.emit('opened');
    await closed(id);
    expect(await desk.store.find(id)).toMatchObject({ status: 'cancelled', attempts: [] });
    expect(chain.signed).toEqual([]);
  });

  test('sells every position, the largest first, also when another process continues it [T-18]', async () => {
    const userId = desk.newUser();
    desk.startWorker();
    const ids = [await bought(userId, SOL / 10, 'small'), await bought(userId, SOL / 5, 'large')];
    for (const id of ids) await closed(id);
    const report = await desk.stop.stop(userId, { sell: true, by: 'telegram' }, actor);
    expect(report.positions.map(({ token, outcome }) => [token.address, outcome])).toEqual([
      ['large', 'waiting'],
      ['small', 'waiting'],
    ]);
    // The process ends here; nothing was sold yet, and the next one starts.
    desk.stop.start();
    const last = await ended(userId);
    expect(last?.positions).toMatchObject([
      { outcome: 'sold', lamports: SOL / 5, failure: null },
      { outcome: 'sold', lamports: SOL / 10, failure: null },
    ]);
    expect(await desk.positions.sellable(userId)).toEqual([]);
    expect((await desk.store.list(userId, {})).filter(({ side }) => side === 'sell')).toHaveLength(2);
  });

  test('sells a purchase that has landed and is in no position yet [T-18]', async () => {
    const userId = desk.newUser();
    const release = holdFills('buy');
    const id = await bought(userId, SOL / 10);
    await expect.poll(() => status(id)).toBe('confirmed');
    const report = await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
    expect(report).toMatchObject({ out: 1, sells: true, positions: [], endedAt: null });
    await look();
    expect(await desk.stop.report(userId)).toMatchObject({ positions: [], endedAt: null });
    release();
    await closed(id);
    desk.stop.start();
    expect((await ended(userId))?.positions).toMatchObject([{ outcome: 'sold', lamports: SOL / 10 }]);
    await expectNothingHeld(userId);
  });

  test.each(['is over', 'is in no position yet'])(
    'sells what a purchase adds to a position whose sale %s [T-18]',
    async (sale) => {
      const userId = desk.newUser();
      const release = holdFills('sell');
      await closed(await bought(userId, SOL / 10));
      chain.fates.push('late');
      const out = await bought(userId, SOL / 5);
      await sent(out);
      await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
      await look();
      const sold = (await desk.store.list(userId, {})).find(({ side }) => side === 'sell') ?? expect.fail('no sale');
      await expect.poll(() => status(sold._id.toHexString())).toBe('confirmed');
      chain.mine(1);
      await closed(out);
      if (sale === 'is over') {
        release();
        await closed(sold._id.toHexString());
      }
      await look();
      expect(await desk.stop.report(userId)).toMatchObject({ endedAt: null });
      release();
      desk.stop.start();
      expect((await ended(userId))?.positions).toMatchObject([{ outcome: 'sold', lamports: SOL / 5 }]);
      await expectNothingHeld(userId);
    },
  );

  test('sells a position again whose sale had failed before a purchase added to it [T-18]', async () => {
    const userId = desk.newUser();
    desk.startWorker();
    await closed(await bought(userId, SOL / 10));
    chain.fates.push('late');
    const out = await bought(userId, SOL / 5);
    await sent(out);
    await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
    chain.refusal = reason('no-depth');
    await look();
    expect((await desk.stop.report(userId))?.positions).toMatchObject([{ outcome: 'failed' }]);
    chain.refusal = null;
    chain.mine(1);
    await closed(out);
    desk.stop.start();
    expect((await ended(userId))?.positions).toMatchObject([{ outcome: 'sold', lamports: (3 * SOL) / 10 }]);
    await expectNothingHeld(userId);
  });

  test('waits for the node with its sales, and names the ones that fail', async () => {
    const userId = desk.newUser();
    desk.startWorker();
    await closed(await bought(userId, SOL / 10, 'gone'));
    await closed(await bought(userId, SOL / 5, 'kept'));
    // Moved out of the wallet by its owner.
    chain.tokens.delete(`${desk.wallets.get(userId)?.walletAddress} gone`);
    chain.isAway = true;
    await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
    desk.stop.start();
    await expect.poll(async () => (await desk.stop.report(userId))?.positions.length).toBe(2);
    chain.isAway = false;
    expect((await ended(userId))?.positions).toMatchObject([
      { token: { address: 'kept' }, outcome: 'sold' },
      { token: { address: 'gone' }, outcome: 'failed', failure: reason('no-tokens') },
    ]);
  });

  test('counts a position as sold that another sale has emptied since', async () => {
    const userId = desk.newUser();
    desk.startWorker();
    await closed(await bought(userId, SOL / 10));
    const { positions } = await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
    await closed((await desk.place(userId, sale({ positionId: positions[0]?.positionId })))._id.toHexString());
    desk.stop.start();
    expect((await ended(userId))?.positions).toMatchObject([
      { outcome: 'sold', orderId: null, lamports: null, failure: null },
    ]);
    await expectNothingHeld(userId);
  });

  test('is one report while it is open, also when the second one sells', async () => {
    const userId = desk.newUser();
    desk.startWorker();
    await closed(await bought(userId, SOL / 10));
    const [first, second, third] = [
      await desk.stop.stop(userId, { sell: false, by: 'user' }, actor),
      await desk.stop.stop(userId, { sell: true, by: 'user' }, actor),
      await desk.stop.stop(userId, { sell: true, by: 'telegram' }, actor),
    ];
    expect([second.id, third.id]).toEqual([first.id, first.id]);
    expect(third.positions).toHaveLength(1);
    desk.stop.start();
    await ended(userId);
    expect((await desk.stop.stop(userId, { sell: false, by: 'user' }, actor)).id).not.toBe(first.id);
  });

  test('sells failed positions again on request, and new ones with them, and takes over a sale that is not over', async () => {
    const userId = desk.newUser();
    desk.startWorker();
    await closed(await bought(userId, SOL / 10, 'gone'));
    const key = `${desk.wallets.get(userId)?.walletAddress} gone`;
    const tokens = chain.tokens.get(key) ?? 0n;
    chain.tokens.delete(key);
    chain.fates.push('late');
    const out = await bought(userId, SOL / 10, 'late');
    await sent(out);
    desk.stop.start();
    const first = await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
    const outcomes = async () =>
      (await desk.stop.report(userId))?.positions.map(({ token, outcome }) => `${token.address} ${outcome}`);
    await expect.poll(outcomes).toEqual(['gone failed']);

    chain.tokens.set(key, tokens);
    const again = await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
    expect(again).toMatchObject({ id: first.id, out: 1 });
    await expect.poll(outcomes).toEqual(['gone sold']);

    await desk.stop.resume(userId, actor);
    await closed(await bought(userId, SOL / 10, 'newer'));
    desk.time.skipped += 1;
    const second = await desk.stop.stop(userId, { sell: true, by: 'user' }, actor);
    expect(second.id).not.toBe(first.id);
    // The purchase that was out at the stop lands afterwards.
    chain.mine(1);
    expect(await ended(userId)).toMatchObject({ id: second.id });
    expect((await outcomes())?.toSorted()).toEqual(['late sold', 'newer sold']);
    expect(await desk.positions.sellable(userId)).toEqual([]);
  });
});
