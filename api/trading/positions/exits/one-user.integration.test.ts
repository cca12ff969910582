import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { noExits } from '../../../../common/trading/account.ts';
import { testConnection } from '../../../testing/database.ts';
import type { Executor } from '../../executors/executor.ts';
import { coin } from '../../testing/coin.ts';
import { positionModel } from '../model.ts';
import { openPosition } from '../testing/position.ts';
import { createWorld, newUser, startTrading } from '../testing/scene.ts';

const COUNT = 50;
const connection = await testConnection();

test.each(['quote', 'sign', 'send'] as const)(
  `${COUNT} positions of one user whose stop losses fire together are all sold while the %s of one of them hangs [T-13]`,
  async (call) => {
    const world = createWorld(connection);
    const { executor } = world.chain;
    const userId = newUser(world);
    const wallet = world.wallets.get(userId) ?? '';
    const positions = Array.from({ length: COUNT }, (_, index) => {
      const address = `token ${index}`;
      const position = openPosition(new Types.ObjectId(userId));
      world.chain.tokens.set(`${wallet} ${address}`, BigInt(position.tokens));
      world.market.coins.set(address, coin({ address, price: 1 }));
      return { ...position, wallet, token: { ...position.token, address }, exits: { ...noExits, stopLossPercent: 20 } };
    });
    await positionModel(connection).insertMany(positions);
    let goOn = (): void => {};
    const hanging = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const node = { ...executor };
    /** Resolves at once for every token but one. */
    const responding = async ({ address }: { address: string }) => (address === 'token 7' ? hanging : undefined);
    const calls: Pick<Executor, typeof call> = {
      quote: (ask) => responding(ask).then(() => node.quote(ask)),
      sign: (ask, ...rest) => responding(ask).then(() => node.sign(ask, ...rest)),
      send: (sent, isFirst) => responding(sent).then(() => node.send(sent, isFirst)),
    };
    Object.assign(executor, { [call]: calls[call] });
    await startTrading(world);
    for (const { token } of positions) world.market.move([0.79], token.address);
    const open = () => positionModel(connection).countDocuments({ userId, open: true });
    await expect.poll(open, { timeout: 120_000 }).toBe(1);
    goOn();
    await expect.poll(open, { timeout: 120_000 }).toBe(0);
    const sold = [...world.chain.landed.values()].filter((one) => one.userId === userId && one.isSuccess);
    expect(sold).toHaveLength(COUNT);
  },
  300_000,
);
