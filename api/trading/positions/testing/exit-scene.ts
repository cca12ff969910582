import { expect } from 'vitest';
import { type Exits, noExits } from '../../../../common/trading/account.ts';
import { type OrderRecord, orderModel } from '../../orders/model.ts';
import { MINT } from '../../testing/coin.ts';
import type { PositionRecord } from '../model.ts';
import { newUser, type RunningTrading, request, startTrading, storedPositions, trade, type World } from './scene.ts';

/** Spent, and base units bought at a price of 1. */
export const AMOUNT = 100_000_000;

/** One user with one position, whose exits the test sets. */
export interface ExitScene {
  userId: string;
  /** The process at present. */
  running(): RunningTrading;
  /** Ends the process and starts another one. `meanwhile` runs in between. */
  restart(meanwhile?: () => unknown): Promise<void>;
  /** Buys, and sets exits. Resolves with the id of the position. */
  bought(exits: Partial<Exits>): Promise<string>;
  position(): Promise<PositionRecord>;
  status(): Promise<string>;
  /** Waits until the position has a status, and the process that stored it has gone on from there. */
  becomes(status: PositionRecord['status']): Promise<void>;
  /** Returns the orders of exits, oldest first. */
  orders(): Promise<OrderRecord[]>;
  /** Base units in the wallet. */
  held(): bigint;
}

export async function createExitScene(world: World): Promise<ExitScene> {
  let running = await startTrading(world);
  const userId = newUser(world);
  const wallet = world.wallets.get(userId) ?? '';

  async function position(): Promise<PositionRecord> {
    const [only, ...others] = await storedPositions(world, userId);
    expect(others).toEqual([]);
    return only ?? expect.fail('no position');
  }

  return {
    userId,
    running: () => running,
    async restart(meanwhile) {
      await running.stop();
      await meanwhile?.();
      running = await startTrading(world);
    },
    async bought(exits) {
      const order = await trade(running, userId, request('buy', AMOUNT));
      const id = order.positionId?.toHexString() ?? expect.fail('no position');
      await running.opened.changeExits(id, { ...noExits, ...exits });
      return id;
    },
    position,
    status: async () => (await position()).status,
    async becomes(status) {
      const id = (await position())._id.toHexString();
      await expect.poll(() => running.positions.findLast((one) => one.id === id)?.status).toBe(status);
    },
    orders: () =>
      orderModel(world.connection)
        .find({ key: /^exit:/, wallet })
        .sort({ _id: 1 })
        .lean<OrderRecord[]>()
        .exec(),
    held: () => world.chain.tokens.get(`${wallet} ${MINT}`) ?? 0n,
  };
}
