import bs58 from 'bs58';
import pino from 'pino';
import { beforeEach } from 'vitest';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { RecordTransaction, Transaction } from '../../../common/transactions/model.ts';
import type { Sighting } from '../../chain/transactions.ts';
import { createEventBus } from '../../events/bus.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import type { ChainReader, ChainTransaction } from '../chain-reader.ts';
import { followOnce } from '../follow.ts';
import { type TransactionRecord, transactionModel } from '../model.ts';
import { createTransactions, type Transactions } from '../service.ts';

export const ALICE = '64b0000000000000000000a1';
export const BOB = '64b0000000000000000000b2';
export const CAROL = '64b0000000000000000000c3';
const NOW = Date.parse('2026-11-21T04:00:00Z');
const log = pino({ level: 'silent' });

/** A signature, the same for the same number. */
export const signature = (number: number) => bs58.encode(new Uint8Array(64).fill(number + 1));

/** A transfer of Alice's to Bob, as her browser records it. */
export const toBob = (number: number, given: Partial<RecordTransaction> = {}): RecordTransaction => ({
  type: 'transfer_out',
  signature: signature(number),
  lamports: 1_000,
  recipient: 'BobWallet',
  lastValidBlockHeight: 150,
  ...given,
});

/** That transfer on the chain. */
export const sentToBob: ChainTransaction = {
  feePayer: 'AliceWallet',
  feeLamports: 5_000,
  error: null,
  transfers: [{ from: 'AliceWallet', to: 'BobWallet', lamports: 900n }],
};

/** A chain with scripted responses. */
class ScriptedChain implements ChainReader {
  newest = 1;
  /** By signature; `null`: in a block, but this node cannot show it. */
  readonly recent = new Map<string, ChainTransaction | null | Error>();
  readonly older = new Map<string, ChainTransaction>();
  /** In a block that may still be dropped. */
  readonly unsettled = new Set<string>();
  /** The node's statuses, also of transactions that it cannot show. */
  readonly errors = new Map<string, unknown>();
  readonly asked: number[] = [];
  /** Slots that the node with the statuses lags behind the one with the height. */
  slotsBehind = 0;

  /** Forgets everything. */
  reset(): void {
    this.newest = 1;
    this.slotsBehind = 0;
    for (const one of [this.recent, this.older, this.unsettled, this.errors]) one.clear();
    this.asked.length = 0;
  }

  async finalized() {
    return { height: this.newest, slot: this.newest };
  }
  async sightings(signatures: readonly string[], { history, minSlot }: { history: boolean; minSlot: number }) {
    this.asked.push(signatures.length);
    const found = signatures.filter((one) => this.recent.has(one) || (history && this.older.has(one)));
    const seen = new Map(
      found.map((one): [string, Sighting] => {
        const shown = this.recent.get(one) ?? this.older.get(one);
        const error = shown instanceof Error ? null : (shown?.error ?? null);
        return [one, { isSettled: !this.unsettled.has(one), error: this.errors.get(one) ?? error }];
      }),
    );
    return { seen, slot: minSlot - this.slotsBehind };
  }
  async transaction(one: string) {
    const found = this.recent.get(one) ?? this.older.get(one) ?? null;
    if (found instanceof Error) throw found;
    return found;
  }
}

/**
 * Transactions of three users in a database of the file, and the scripted chain that they are followed on. Each test begins
 * without transactions.
 */
export async function followedTransactions() {
  const connection = await testConnection();
  const model = transactionModel(connection);
  await ensureIndexes(model);
  const chain = new ScriptedChain();
  const wallets: Record<string, string> = {};
  const events: { userId: string; transaction: Transaction }[] = [];
  const bus = createEventBus((error) => {
    throw error;
  });
  bus.on('transaction-changed', (event) => void events.push(event));

  beforeEach(async () => {
    await model.deleteMany({});
    Object.assign(wallets, { [ALICE]: 'AliceWallet', [BOB]: 'BobWallet', [CAROL]: 'CarolWallet' });
    chain.reset();
    events.length = 0;
  });

  /** Opens the same database as another process would. */
  const open = (cluster: ChainCluster = 'local'): Transactions =>
    createTransactions({
      model,
      limiter: { count: async () => {} },
      chain: { cluster },
      wallets: {
        current: async (userId) => ({ walletAddress: wallets[userId] ?? '', hasKey: true }),
        usersOf: async (address) => Object.keys(wallets).filter((userId) => wallets[userId] === address),
      },
      bus,
      clock: { now: () => NOW },
    });
  const transactions = open();

  return {
    model,
    /** Wallets of the users, by id. */
    wallets,
    chain,
    /** The emitted transactions. */
    events,
    transactions,
    open,
    /** Looks at the chain once, as a follower does. Resolves with the number of pending transactions. */
    look: (by = transactions, cluster: ChainCluster = 'local') => followOnce({ transactions: by, chain, cluster, log }),
    statuses: () => events.map(({ userId, transaction: { type, status } }) => `${userId} ${type} ${status}`),
    stored: async (userId: string): Promise<TransactionRecord[]> => transactions.list(userId, {}),
  };
}
