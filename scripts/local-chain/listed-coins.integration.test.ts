import { describe, expect, test, vi } from 'vitest';
import { tokenModels } from '../../api/tokens/model.ts';
import { clientOf, SOL, WAIT } from './testing/client.ts';
import { busyCoin, createListedScene, crowdTrades, solventReserves } from './testing/listed-market.ts';

const { chain, connection, node, running, restart, createUser } = await createListedScene();

/** Expects that a stored trade is a transaction of the chain. */
async function expectOnChain({ signature }: { signature: string | null }): Promise<void> {
  const { connection: client } = clientOf(chain);
  expect(await client.getTransaction(signature ?? '', { maxSupportedTransactionVersion: 0 })).not.toBeNull();
}

const tradesOf = (address: string) => tokenModels(connection).trades.find({ address }).sort({ at: 1 }).lean();

/** Waits until the market has the reserves of the chain. */
const sameReserves = (address: string) =>
  vi.waitFor(async () => {
    const onChain = await solventReserves(node, address);
    expect(running().market.liveCoin(address)).toMatchObject({ reserves: onChain, cluster: 'local' });
  }, WAIT);

describe('a simulated coin that a user buys', () => {
  test('is put on the chain as it is, moves in the feed, and is traded by simulated wallets there [T-15]', async () => {
    const address = await busyCoin(connection);
    const user = await createUser();
    const steps: number[] = [];
    running().market.pin(address);
    const end = running().market.onMoved(({ steps: moved }) =>
      steps.push(...moved.flatMap((step) => (step.address === address && step.price !== null ? [step.price] : []))),
    );
    const fill = await user.trade(address, { lamports: SOL });
    await sameReserves(address);
    expect(steps.length).toBeGreaterThan(0);
    end();
    const own = await vi.waitFor(async () => {
      const found = (await tradesOf(address)).find(({ wallet }) => wallet === user.wallet);
      return found ?? expect.fail('not stored');
    }, WAIT);
    expect(own).toMatchObject({ side: 'buy', amount: Number(fill.tokens) });
    await expectOnChain(own);
    await crowdTrades(connection, address, user.wallet, own.at);
    await expectOnChain((await tradesOf(address)).findLast(({ wallet }) => wallet !== user.wallet) ?? expect.fail());
    await user.trade(address, { tokens: fill.tokens });
    await sameReserves(address);
    // No trade is missing between the simulated ones and those of the chain.
    expect((await tokenModels(connection).tokens.findById(address).lean())?.tradesMissed ?? 0).toBe(0);
    running().market.unpin(address);
  });

  test('stays on the chain when the server restarts, which fetches the trades made meanwhile [T-15]', async () => {
    const address = await busyCoin(connection);
    const user = await createUser();
    const first = await user.trade(address, { lamports: SOL });
    await crowdTrades(connection, address, user.wallet, new Date(0));
    await running().market.stop();
    const half = await user.trade(address, { tokens: first.tokens / 2n });
    await restart(2);
    await sameReserves(address);
    // The market has a trade before the database has it.
    await vi.waitFor(async () => {
      const sales = (await tradesOf(address)).filter(({ wallet, side }) => wallet === user.wallet && side === 'sell');
      expect(sales).toMatchObject([{ amount: Number(half.tokens) }]);
    }, WAIT);
    expect((await tokenModels(connection).tokens.findById(address).lean())?.tradesMissed ?? 0).toBe(0);
    const since = new Date();
    await user.trade(address, { lamports: SOL / 10 });
    await sameReserves(address);
    await crowdTrades(connection, address, user.wallet, since);
  });

  test('is traded on when the chain is killed and comes back', async () => {
    const address = await busyCoin(connection);
    const user = await createUser();
    await user.trade(address, { lamports: SOL });
    await chain.kill();
    const since = new Date();
    await vi.waitFor(() => user.trade(address, { lamports: SOL / 2 }), WAIT);
    await sameReserves(address);
    await crowdTrades(connection, address, user.wallet, since);
    await sameReserves(address);
  });
});
