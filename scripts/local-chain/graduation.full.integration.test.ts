import { type Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, test, vi } from 'vitest';
import { poolSwapInstruction } from '../../api/launchpad/pool.ts';
import { tokenModels } from '../../api/tokens/model.ts';
import { readTokens } from '../../api/trading/pump/curve-state.ts';
import { tokenAccountOf } from '../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../api/trading/pump/interface.ts';
import { poolFeesAt, poolPurchase, poolSale, totalPoolFee } from '../../common/tokens/pool-trades.ts';
import { FEE_RECIPIENT } from './program/launchpad.ts';
import { buyOut as buyOutCurve } from './program/testing/listed-coin.ts';
import { clientOf, FEE, SOL, WAIT } from './testing/client.ts';
import { busyCoin, createListedScene, crowdTrades, MIGRATION, solventPool } from './testing/listed-market.ts';

/** Several waits for a move into a pool. */
const SLOW = { timeout: 120_000 };

const { chain, connection, node, running, restart } = await createListedScene();

const tokenProgram = new PublicKey(pumpAddresses.quoteTokenProgram);
const live = (address: string) => running().market.liveCoin(address);

/** Puts a busy coin on the chain, and returns it with a wallet that buys out its curve. */
async function buyOut(): Promise<{ address: string; user: Keypair; creator: string }> {
  const address = await busyCoin(connection);
  running().market.pin(address);
  expect(await running().simulated.ensureListed(address)).toEqual({ ok: true, value: null });
  const { creator } = (await tokenModels(connection).tokens.findById(address).lean()) ?? expect.fail('not stored');
  if (creator === null) return expect.fail('no creator');
  const user = await buyOutCurve(chain, new PublicKey(address), new PublicKey(creator));
  return { address, user, creator };
}

/** Waits until the market follows the coin in its pool with the reserves of the chain. */
const followsPool = (address: string) =>
  vi.waitFor(async () => {
    const reserves = await solventPool(node, address);
    expect(live(address)).toMatchObject({ stage: 'pool', reservesVenue: 'pool', cluster: 'local', reserves });
    return reserves;
  }, MIGRATION);

/** Trades in the pool by instruction and returns the change of the wallet's SOL, without the fee of the network. */
async function swap(
  coin: Awaited<ReturnType<typeof buyOut>>,
  side: 'buy' | 'sell',
  amountIn: bigint,
  leastOut: bigint,
) {
  const { address, user, creator } = coin;
  const { connection: client, signed, confirmed } = clientOf(chain);
  const before = await client.getBalance(user.publicKey);
  const accounts = { mint: new PublicKey(address), creator: new PublicKey(creator), user: user.publicKey };
  const feeRecipient = new PublicKey(FEE_RECIPIENT);
  await confirmed(await signed([poolSwapInstruction({ ...accounts, feeRecipient, side, amountIn, leastOut })], [user]));
  return (await client.getBalance(user.publicKey)) - before + FEE;
}

async function heldBy({ address, user }: Awaited<ReturnType<typeof buyOut>>): Promise<bigint> {
  const { accounts } = await node.accounts([tokenAccountOf(user.publicKey, tokenProgram, new PublicKey(address))]);
  return readTokens(accounts[0] ?? null);
}

describe('a coin whose curve is bought out on the chain', () => {
  test(
    'is between its venues, then trades in its pool, which users and simulated wallets move, over a restart',
    SLOW,
    async () => {
      const coin = await buyOut();
      const { address, user } = coin;
      const wallet = user.publicKey.toBase58();
      await vi.waitFor(() => expect(live(address)?.stage).toBe('complete'), WAIT);
      await followsPool(address);
      expect(live(address)?.liquidityLamports).toBe(live(address)?.reserves?.realQuote);

      // The crowd trades too, so that the expected amounts are a bound.
      const held = await heldBy(coin);
      const steps: number[] = [];
      const end = running().market.onMoved(({ steps: moved }) =>
        steps.push(...moved.flatMap((step) => (step.address === address && step.price !== null ? [step.price] : []))),
      );
      const bought = await swap(coin, 'buy', BigInt(10 * SOL), 1n);
      expect(bought).toBeGreaterThanOrEqual(-10 * SOL);
      expect(bought).toBeLessThan(-9.9 * SOL);
      expect(await heldBy(coin)).toBeGreaterThan(held);
      const pool = await followsPool(address);
      expect(steps.length).toBeGreaterThan(0);
      end();
      const price = pool.virtualQuote / 1e9 / (pool.virtualToken / 1e6);
      expect(live(address)?.price).toBeCloseTo(price, 12);
      const since = new Date();
      await crowdTrades(connection, address, wallet, since);

      await running().market.stop();
      // Without the market no simulated wallet trades.
      const still = await solventPool(node, address);
      const half = held / 2n;
      const expected = poolSale(still, Number(half), poolFeesAt(still)) ?? expect.fail('no sale');
      const left = expected.quote - totalPoolFee(expected.fees);
      expect(await swap(coin, 'sell', half, BigInt(left))).toBe(left);
      const lower = await solventPool(node, address);
      const again = poolPurchase(lower, SOL, poolFeesAt(lower)) ?? expect.fail('no purchase');
      expect(await swap(coin, 'buy', BigInt(SOL), BigInt(again.tokens))).toBe(
        -(again.quote + totalPoolFee(again.fees)),
      );
      await restart(2);
      running().market.pin(address);
      await followsPool(address);
      const missed = [
        { side: 'sell', amount: Number(half) },
        { side: 'buy', amount: again.tokens },
      ];
      // The market has a trade before the database has it.
      await vi.waitFor(async () => {
        const own = await tokenModels(connection).trades.find({ address, wallet }).lean();
        expect(own.map(({ side, amount }) => ({ side, amount }))).toEqual(expect.arrayContaining(missed));
      }, WAIT);
      const restarted = new Date();
      await swap(coin, 'sell', 1_000_000_000n, 0n);
      await followsPool(address);
      await crowdTrades(connection, address, wallet, restarted);
      expect((await tokenModels(connection).tokens.findById(address).lean())?.tradesMissed ?? 0).toBe(0);
    },
  );

  test('is moved into its pool after a restart of the server in between', SLOW, async () => {
    const { address } = await buyOut();
    await vi.waitFor(() => expect(live(address)?.stage).toBe('complete'), WAIT);
    await restart(3);
    running().market.pin(address);
    await followsPool(address);
  });

  test('is traded on in its pool when the chain is killed and comes back', SLOW, async () => {
    const coin = await buyOut();
    const { address, user } = coin;
    await followsPool(address);
    await chain.kill();
    const since = new Date();
    await vi.waitFor(() => swap(coin, 'sell', 1_000_000_000n, 0n), WAIT);
    await followsPool(address);
    await crowdTrades(connection, address, user.publicKey.toBase58(), since);
    await followsPool(address);
  });
});
