import { Keypair, PublicKey } from '@solana/web3.js';
import type { Connection } from 'mongoose';
import { ensureIndexes } from '../../../api/platform/database.ts';
import type { Executor } from '../../../api/trading/executors/executor.ts';
import { createPumpExecutor } from '../../../api/trading/executors/pump-executor.ts';
import { createTradingNode } from '../../../api/trading/executors/trading-node.ts';
import { createFillBook } from '../../../api/trading/positions/apply-fill.ts';
import { positionFillModel, positionModel } from '../../../api/trading/positions/model.ts';
import { createFillStore, createPositionStore } from '../../../api/trading/positions/store.ts';
import { createSigner, type Signer } from '../../../api/trading/signer.ts';
import { type Around, createDesk, type DeskOptions } from '../../../api/trading/testing/desk.ts';
import { createMemoryPositions } from '../../../api/trading/testing/memory-positions.ts';
import type { Wallets } from '../../../api/wallet/service.ts';
import { clientOf, SOL } from '../../local-chain/testing/client.ts';
import type { PrivateChain } from '../../testing/local-chain.ts';

/** What a trader begins with, lamports. */
export const FUNDS = 2 * SOL;

/** A user with a funded wallet on the chain. */
export interface ChainTrader {
  userId: string;
  wallet: string;
  /** Signatures of its wallet before its first order. */
  funding: string[];
}

const plain: Around = (_, part) => part;

interface ChainDeskOptions {
  connection: Connection;
  chain: PrivateChain;
  /** The address that the executor uses, which may have faults. Default: the chain's. */
  rpcUrl?: string;
  /** Replaces the executor's sends. */
  sending?: (send: Executor['send']) => Executor['send'];
  /** Replaces the executor, which trades on curves. */
  trading?: (curve: Executor, signer: Signer) => Executor;
  /** Overrides the coins' figures. */
  coin?: DeskOptions['coin'];
  /** Replaces the signer. */
  signing?: (signer: Signer) => Signer;
  /** Where the keys of traders are. Default: in memory. */
  keys?: TraderKeys;
}

/** Keys of traders, by their user ids. */
interface TraderKeys extends Pick<Wallets, 'secretKey'> {
  add(userId: string, pair: Keypair): Promise<void>;
}

function createMemoryKeys(): TraderKeys {
  const pairs = new Map<string, Keypair>();
  return {
    add: async (userId, pair) => void pairs.set(userId, pair),
    async secretKey(userId) {
      const pair = pairs.get(userId);
      if (!pair) throw new Error('no key');
      return { walletAddress: pair.publicKey.toBase58(), secretKey: Buffer.from(pair.secretKey) };
    },
  };
}

/** Processes that trade on a local chain over one database, with the real executor and positions. */
export async function createChainDesk(options: ChainDeskOptions) {
  const { connection, chain, rpcUrl = chain.rpcUrl, sending = (send) => send } = options;
  const { keys = createMemoryKeys(), signing = (one) => one, trading = (curve) => curve, coin = {} } = options;
  const client = clientOf(chain);
  const node = createTradingNode({ url: rpcUrl, cluster: 'local', random: Math.random });
  const signer = signing(createSigner(keys));
  const pump = trading(createPumpExecutor({ mode: 'local', cluster: 'local', node, signer, clock: Date }), signer);
  const executor: Executor = { ...pump, send: sending(pump.send) };
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
        coin,
        wallets,
        around,
        openBook: (accounts, orders) => ({
          ...createMemoryPositions(),
          apply: createFillBook({
            positions: around('positions', positions),
            fills: around('fills', createFillStore(models.fills)),
            accounts,
            orders,
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
      await keys.add(userId, pair);
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
