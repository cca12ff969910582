import { type Connection, Types } from 'mongoose';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import type { TradingMode } from '../../../../common/trading/account.ts';
import type { Position } from '../../../../common/trading/position.ts';
import { createAdminActions } from '../../../audit/admin-actions.ts';
import { openAudit } from '../../../audit/service.ts';
import { createEventBus } from '../../../events/bus.ts';
import { noLimits } from '../../../testing/server.ts';
import type { OrderRecord } from '../../orders/model.ts';
import type { OrderRequest } from '../../orders/place.ts';
import { heldLease, MINT, noApiKeys } from '../../testing/coin.ts';
import { createScriptedChain, type ScriptedChain } from '../../testing/scripted-chain.ts';
import { createTestTime, type TestTime } from '../../testing/time.ts';
import { openTrading } from '../../trading.ts';
import { type PositionRecord, positionModel } from '../model.ts';
import { openPositions, type Positions } from '../positions.ts';
import { createTestMarket, type TestMarket } from './market.ts';

/** What a process finds when it starts: the chain, the market, and the wallets of users. */
export interface World {
  connection: Connection;
  chain: ScriptedChain;
  market: TestMarket;
  time: TestTime;
  wallets: Map<string, string>;
}

export function createWorld(connection: Connection, mode: TradingMode = 'local'): World {
  const time = createTestTime();
  const { now } = time;
  return { connection, chain: createScriptedChain(now, mode), market: createTestMarket(now), time, wallets: new Map() };
}

/** Orders and positions of one process over a real database, with running parts. They stop with the test. */
export async function startTrading(world: World) {
  const { connection, chain, market, time, wallets } = world;
  const clock = { now: time.now };
  const log = pino({ level: 'silent' });
  const bus = createEventBus((error) => {
    throw error;
  });
  const positions: Position[] = [];
  /** Episodes of stuck exits, one for each event within one. */
  const stuck: string[] = [];
  bus.on('position-changed', ({ position, stuckId }) => {
    positions.push(position);
    if (stuckId !== null) stuck.push(stuckId);
  });
  const audit = await openAudit(connection, clock);
  const adminActions = await createAdminActions({ connection, audit, limits: noLimits, clock });
  const open = openPositions({
    connection,
    market,
    adminActions,
    publisher: { hasMembers: () => true },
    bus,
    clock,
    log,
  });
  let opened: Positions | undefined;
  const trading = await openTrading({
    ...{ connection, server: 'local', audit, adminActions, limits: noLimits, bus, clock, log, market },
    apiKeys: noApiKeys,
    lease: heldLease,
    network: { slotMs: () => null },
    executorOf: (mode) => (mode === chain.executor.mode ? chain.executor : null),
    async openPositions(tools) {
      opened = await open(tools);
      return opened;
    },
    wallets: {
      async current(userId) {
        const walletAddress = wallets.get(userId);
        return walletAddress === undefined ? null : { walletAddress, hasKey: true };
      },
    },
    watchlists: { of: async () => ({ black: new Set() }) },
    transactions: { recordTrades: async () => {} },
    ...{ isLocked: () => false, testAgain: async () => {}, isWatched: () => false, random: () => 0.5 },
  });
  for (const part of trading.parts) await part.start?.();
  let isRunning = true;
  async function stop(): Promise<void> {
    if (!isRunning) return;
    isRunning = false;
    for (const part of trading.parts) await part.stop();
  }
  onTestFinished(stop);
  if (!opened) throw new Error('trading opened no positions');
  return { trading, opened, bus, positions, stuck, stop };
}
export type RunningTrading = Awaited<ReturnType<typeof startTrading>>;

/** Returns a new user with a wallet of their own. */
export function newUser({ wallets }: World): string {
  const userId = new Types.ObjectId().toHexString();
  wallets.set(userId, new Types.ObjectId().toHexString());
  return userId;
}

/** Returns a request of the page: to spend lamports, or to sell a share in percent. */
export function request(side: 'buy' | 'sell', amount: number): OrderRequest {
  const amounts = side === 'buy' ? { lamports: amount } : { sharePercent: amount };
  const key = `page:${new Types.ObjectId().toHexString()}`;
  return { key, cause: { kind: 'page', name: null }, side, address: MINT, accept: null, ...amounts };
}

/** Makes an order and returns it once it is closed. */
export async function trade({ trading }: RunningTrading, userId: string, asked: OrderRequest): Promise<OrderRecord> {
  const placement = await trading.placing.place(userId, asked);
  if (placement.type !== 'placed') throw new Error(`not placed: ${JSON.stringify(placement)}`);
  const find = () => trading.orderStore.find(placement.order._id.toHexString());
  await expect.poll(async () => (await find())?.open).toBe(false);
  const order = await find();
  if (!order) throw new Error('the order is gone');
  return order;
}

/** Returns the stored positions of a user, oldest first. */
export function storedPositions({ connection }: World, userId: string): Promise<PositionRecord[]> {
  return positionModel(connection)
    .find({ userId: new Types.ObjectId(userId) })
    .sort({ _id: 1 })
    .lean<PositionRecord[]>()
    .exec();
}
