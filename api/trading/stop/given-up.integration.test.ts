import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { testConnection } from '../../testing/database.ts';
import { createWorld, newUser, request, startTrading, storedPositions, trade } from '../positions/testing/scene.ts';
import { createGivenUpPositions } from './given-up.ts';

const SOL = 1_000_000_000;
const world = createWorld(await testConnection());
const by = { user: { _id: new Types.ObjectId(), username: 'Root' }, address: '127.0.0.1' };

/** Returns a user with one open position worth what it cost, and what an administrator does with it. */
async function scene() {
  const running = await startTrading(world);
  const recorded: (string | null | undefined)[][] = [];
  const givenUp = createGivenUpPositions({
    ...running.trading,
    positions: running.opened,
    audit: { record: async (action, _by, subjectId, object) => void recorded.push([action, subjectId, object]) },
    bus: running.bus,
    clock: Date,
  });
  const userId = newUser(world);
  const wallet = world.wallets.get(userId) ?? expect.fail('no wallet');
  await trade(running, userId, request('buy', SOL / 10));
  const prepare = (choice?: 'close' | 'abandon') => givenUp.prepare(userId, wallet, choice, by);
  const worth = async () => (await running.opened.sellable(userId))[0]?.lamports;
  return { running, worth, givenUp, recorded, userId, wallet, prepare, stored: () => storedPositions(world, userId) };
}

test('open positions of a wallet refuse its replacement until a choice is made, with their number and value', async () => {
  const { worth, givenUp, recorded, userId, prepare, stored } = await scene();
  const details = { positions: ['1'], valueLamports: [String(await worth())] };
  await expect(prepare()).rejects.toMatchObject({ code: 'open-positions', details });
  await expect(givenUp.prepare(userId, 'another wallet', undefined, by)).resolves.toBeUndefined();
  expect(recorded).toEqual([]);
  expect(await stored()).toMatchObject([{ open: true }]);
});

test('"close" stops the user and sells the positions before the wallet is replaced', async () => {
  const { running, recorded, userId, prepare, stored } = await scene();
  await prepare('close');
  const [position] = await stored();
  expect(position).toMatchObject({ open: false, movedTokens: '0', soldTokens: position?.boughtTokens });
  expect((await running.trading.accounts.read(userId)).stopped).toMatchObject({ by: 'admin' });
  expect(recorded).toEqual([
    ['positions-sold', userId, expect.stringMatching(/^1 open position worth [\d.]+ SOL, Local chain$/)],
  ]);
});

test('"close" names what could not be sold, and leaves it open', async () => {
  const { userId, prepare, stored } = await scene();
  // Moved out of the wallet by its owner: nothing is there to be sold.
  world.chain.tokens.clear();
  await expect(prepare('close')).rejects.toMatchObject({
    code: 'open-positions',
    details: { positions: ['1'], unsold: [expect.stringMatching(/^\w+: .+/)] },
  });
  expect(await stored()).toMatchObject([{ open: true, userId: new Types.ObjectId(userId) }]);
});

test('"abandon" closes the positions of the replaced wallet as moved, and no others', async () => {
  const { running, givenUp, recorded, userId, wallet, prepare, stored } = await scene();
  await prepare('abandon');
  await givenUp.abandon(userId, 'another one');
  expect(await stored()).toMatchObject([{ open: true }]);
  for (let time = 0; time < 2; time += 1) await givenUp.abandon(userId, wallet);
  const [position] = await stored();
  expect(position).toMatchObject({ open: false, soldTokens: '0', movedTokens: position?.boughtTokens });
  expect(position?.realisedLamports).toBe(0);
  expect((await running.trading.accounts.view(userId)).budget).toMatchObject({ openPositions: 0 });
  expect(recorded).toMatchObject([['positions-abandoned', userId, expect.any(String)]]);
});
