import { Keypair, PublicKey } from '@solana/web3.js';
import type { Connection } from 'mongoose';
import { expect } from 'vitest';
import { ensureIndexes } from '../../api/platform/database.ts';
import { createPumpExecutor } from '../../api/trading/executors/pump-executor.ts';
import { createTradingNode } from '../../api/trading/executors/trading-node.ts';
import { walletChangeOf } from '../../api/trading/orders/changes.ts';
import type { OrderRecord } from '../../api/trading/orders/record.ts';
import { createFillBook } from '../../api/trading/positions/fills/apply-fill.ts';
import { createFillStore } from '../../api/trading/positions/fills/fill-store.ts';
import { positionFillModel, positionModel } from '../../api/trading/positions/model.ts';
import { createPositionStore } from '../../api/trading/positions/store.ts';
import { createSigner } from '../../api/trading/signer.ts';
import { type Around, createDesk, type DeskOptions } from '../../api/trading/testing/desk.ts';
import { createMemoryPositions } from '../../api/trading/testing/memory-orders.ts';
import { clientOf, SOL } from '../local-chain/testing/client.ts';
import type { PrivateChain } from '../testing/local-chain.ts';

/** What a trader begins with, lamports. */
const FUNDS = 2 * SOL;

/** A user with a funded wallet on the chain. */
export interface ChainTrader {
  userId: string;
  wallet: string;
  /** Signatures of its wallet before its first order. */
  funding: string[];
}

const plain: Around = (_, part) => part;

/**
 * Processes that trade on a local chain over one database, with the real executor and positions. `rpcUrl`: the address
 * that they use, which may have faults.
 */
export async function createChainDesk(connection: Connection, chain: PrivateChain, rpcUrl = chain.rpcUrl) {
  const keys = new Map<string, Keypair>();
  const client = clientOf(chain);
  const node = createTradingNode({ url: rpcUrl, cluster: 'local', random: Math.random });
  const signer = createSigner({
    async secretKey(userId) {
      const pair = keys.get(userId) ?? expect.fail('no key');
      return { walletAddress: pair.publicKey.toBase58(), secretKey: Buffer.from(pair.secretKey) };
    },
  });
  const executor = createPumpExecutor({ mode: 'local', cluster: 'local', node, signer, clock: Date });
  const wallets: DeskOptions['wallets'] = new Map();
  const models = { positions: positionModel(connection), fills: positionFillModel(connection) };
  await ensureIndexes(models.positions);
  await ensureIndexes(models.fills);
  const positions = createPositionStore(models.positions);

  /** Returns the signatures of a wallet's transactions with their errors. */
  const history = (wallet: string) => client.connection.getSignaturesForAddress(new PublicKey(wallet));

  return {
    node,
    client,
    positions,
    history,
    /** Starts a process. `around`: put around everything that it awaits. */
    process: (around: Around = plain) =>
      createDesk({
        connection,
        executor,
        wallets,
        around,
        openBook: (accounts) => ({
          ...createMemoryPositions(),
          hasOpen: async (userId, mode, _wallet, address) => {
            const open = await around('positions', positions).openOf(userId, mode);
            return open.some(({ token }) => token.address === address);
          },
          apply: createFillBook({
            positions: around('positions', positions),
            fills: around('fills', createFillStore(models.fills)),
            accounts,
            onStored: () => {},
            clock: Date,
          }).apply,
        }),
      }),
    async trader(): Promise<ChainTrader> {
      const pair = await client.funded(FUNDS);
      const [userId, wallet] = [
        Keypair.generate().publicKey.toBuffer().toString('hex').slice(0, 24),
        pair.publicKey.toBase58(),
      ];
      keys.set(userId, pair);
      wallets.set(userId, { walletAddress: wallet, hasKey: true });
      return { userId, wallet, funding: (await history(wallet)).map(({ signature }) => signature) };
    },
    /** Returns the base units that a wallet holds. */
    async tokens({ userId, wallet }: ChainTrader, address: string): Promise<bigint> {
      const [held = 0n] = await executor.balances([{ userId, wallet, address }]);
      return held;
    },
    stop: () => node.stop(),
  };
}
export type ChainDesk = Awaited<ReturnType<typeof createChainDesk>>;
type Process = Awaited<ReturnType<ChainDesk['process']>>;

/**
 * Expects that the orders of a trader, all of them over, say what the chain says: every transaction of the wallet has its
 * order, every order its true end, and balances, budget, reservations and positions equal the sum of the fills.
 */
export async function expectTruth(
  desk: ChainDesk,
  process: Process,
  trader: ChainTrader,
  address: string,
): Promise<OrderRecord[]> {
  const { userId, wallet, funding } = trader;
  const orders = await process.store.list(userId, { limit: 100 });
  const attempts = orders.flatMap((order) => order.attempts);
  const onChain = (await desk.history(wallet)).filter(({ signature }) => !funding.includes(signature));
  const outcomeOf = new Map(onChain.map(({ signature, err }) => [signature, err === null ? 'landed' : 'reverted']));
  for (const { signature, outcome } of attempts) {
    const absent = outcome === 'expired' || outcome === 'refused' ? outcome : 'nothing';
    expect(outcome).toBe(outcomeOf.get(signature) ?? absent);
    outcomeOf.delete(signature);
  }
  expect([...outcomeOf]).toEqual([]);
  for (const { status, attempts: own, fill } of orders) {
    const landed = own.filter(({ outcome }) => outcome === 'landed').length;
    expect([status === 'confirmed', fill !== null]).toEqual([landed === 1, landed === 1]);
  }
  const lamports = orders.reduce((sum, order) => sum + walletChangeOf(order), FUNDS);
  expect(await desk.client.connection.getBalance(new PublicKey(wallet))).toBe(lamports);
  const tokens = orders.reduce((sum, { side, fill }) => {
    const moved = BigInt(fill?.tokens ?? 0);
    return side === 'buy' ? sum + moved : sum - moved;
  }, 0n);
  expect(await desk.tokens(trader, address)).toBe(tokens);
  const book = (await process.accounts.read(userId)).books.local;
  const spent = orders.reduce((sum, { side, fill }) => sum + (side === 'buy' ? (fill?.lamports ?? 0) : 0), 0);
  const open = await desk.positions.openOf(userId, 'local');
  expect(book).toMatchObject({ holds: {}, usedLamports: spent, heldLamports: 0, reservedLamports: 0, opening: 0 });
  expect(book.positions).toEqual(open.map(({ _id }) => _id.toHexString()));
  expect(open.reduce((sum, position) => sum + BigInt(position.tokens), 0n)).toBe(tokens);
  return orders;
}
