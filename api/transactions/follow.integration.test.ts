// long because all of these tests share one scripted chain and its users
import bs58 from 'bs58';
import mongoose from 'mongoose';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ChainCluster } from '../../common/client-config/model.ts';
import { NOT_TAKEN, refusalTexts } from '../../common/transactions/failure.ts';
import type { RecordTransaction, Transaction } from '../../common/transactions/model.ts';
import { RpcError } from '../chain/rpc-error.ts';
import { createEventBus } from '../events/bus.ts';
import { ensureIndexes } from '../platform/database.ts';
import { testConnection } from '../testing/database.ts';
import type { ChainReader, ChainTransaction, Sighting } from './chain-reader.ts';
import { followOnce } from './follow.ts';
import { type TransactionRecord, transactionModel } from './model.ts';
import { createTransactions, type Transactions } from './service.ts';
import { NOT_REMEMBERED, NOT_YOURS } from './verdict.ts';

const ALICE = '64b0000000000000000000a1';
const BOB = '64b0000000000000000000b2';
const CAROL = '64b0000000000000000000c3';
const wallets: Record<string, string> = { [ALICE]: 'AliceWallet', [BOB]: 'BobWallet', [CAROL]: 'CarolWallet' };
const NOW = Date.parse('2026-11-21T04:00:00Z');
const log = pino({ level: 'silent' });

const signature = (number: number) => bs58.encode(new Uint8Array(64).fill(number + 1));
const toBob = (number: number, given: Partial<RecordTransaction> = {}): RecordTransaction => ({
  type: 'transfer_out',
  signature: signature(number),
  lamports: 1_000,
  recipient: 'BobWallet',
  lastValidBlockHeight: 150,
  ...given,
});
const sentToBob: ChainTransaction = {
  feePayer: 'AliceWallet',
  feeLamports: 5_000,
  error: null,
  transfers: [{ from: 'AliceWallet', to: 'BobWallet', lamports: 900n }],
};

/** A chain with scripted responses. */
class ScriptedChain implements ChainReader {
  height = 1;
  away: boolean = false;
  /** By signature; `null`: in a block, but this node cannot show it. */
  readonly recent = new Map<string, ChainTransaction | null | Error>();
  readonly older = new Map<string, ChainTransaction>();
  /** In a block that may still be dropped. */
  readonly unsettled = new Set<string>();
  /** The node's statuses, also of transactions that it cannot show. */
  readonly errors = new Map<string, unknown>();
  readonly asked: number[] = [];

  async blockHeight() {
    if (this.away) throw new RpcError('network');
    return this.height;
  }
  async seen(signatures: readonly string[], { history }: { history: boolean }) {
    if (this.away) throw new RpcError('network');
    this.asked.push(signatures.length);
    const found = signatures.filter((one) => this.recent.has(one) || (history && this.older.has(one)));
    return new Map(
      found.map((one): [string, Sighting] => {
        const shown = this.recent.get(one) ?? this.older.get(one);
        const error = shown instanceof Error ? null : (shown?.error ?? null);
        return [one, { isSettled: !this.unsettled.has(one), error: this.errors.get(one) ?? error }];
      }),
    );
  }
  async transaction(one: string) {
    if (this.away) throw new RpcError('network');
    const found = this.recent.get(one) ?? this.older.get(one) ?? null;
    if (found instanceof Error) throw found;
    return found;
  }
}

const connection = await testConnection();
let transactions: Transactions;
let chain: ScriptedChain;
let events: { userId: string; transaction: Transaction }[];

await ensureIndexes(transactionModel(connection));

beforeEach(async () => {
  await transactionModel(connection).deleteMany({});
  Object.assign(wallets, { [ALICE]: 'AliceWallet', [BOB]: 'BobWallet', [CAROL]: 'CarolWallet' });
  chain = new ScriptedChain();
  events = [];
  transactions = open();
});

/** Collects the emitted transactions. */
function createBus() {
  const bus = createEventBus((error) => {
    throw error;
  });
  bus.on('transaction-changed', (event) => void events.push(event));
  return bus;
}

/** The same database as another process would open it. */
function open(cluster: ChainCluster = 'local'): Transactions {
  return createTransactions({
    model: transactionModel(connection),
    limiter: { count: async () => {} },
    chain: { cluster },
    wallets: {
      current: async (userId) => ({ walletAddress: wallets[userId] ?? '', hasKey: true }),
      usersOf: async (address) => Object.keys(wallets).filter((userId) => wallets[userId] === address),
    },
    bus: createBus(),
    clock: { now: () => NOW },
  });
}
const look = (by = transactions, cluster: ChainCluster = 'local') =>
  followOnce({ transactions: by, chain, cluster, log });
const statuses = () => events.map(({ userId, transaction: { type, status } }) => `${userId} ${type} ${status}`);
const stored = async (userId: string): Promise<TransactionRecord[]> => transactions.list(userId, {});

describe('status changes are real [S4-14]', () => {
  test("pending → confirmed with the chain's figures, and the recipient sees it at once", async () => {
    await transactions.record(ALICE, toBob(1));
    expect(await look()).toBe(1);
    expect(statuses()).toEqual([`${ALICE} transfer_out pending`]);
    chain.recent.set(signature(1), sentToBob);
    expect(await look()).toBe(0);
    expect(statuses().slice(1)).toEqual([`${BOB} transfer_in confirmed`, `${ALICE} transfer_out confirmed`]);
    expect(events.at(-1)?.transaction).toMatchObject({ amount: 9e-7, fee: 5e-6, counterparty: 'BobWallet' });
    expect(events.at(-2)?.transaction).toMatchObject({ amount: 9e-7, fee: null, counterparty: 'AliceWallet' });
    expect(await stored(BOB)).toMatchObject([{ type: 'transfer_in', lamports: 900, signature: signature(1) }]);
    expect(await stored(CAROL)).toEqual([]);
    expect(await look()).toBe(0);
    expect(events).toHaveLength(3);
  });

  test('pending → failed by an error on the chain: nothing is received, and the fee is shown', async () => {
    await transactions.record(ALICE, toBob(1));
    chain.recent.set(signature(1), { ...sentToBob, error: { InstructionError: [0, { Custom: 1 }] } });
    await look();
    expect(statuses()).toEqual([`${ALICE} transfer_out pending`, `${ALICE} transfer_out failed`]);
    expect(events[1]?.transaction).toMatchObject({
      fee: 5e-6,
      failure: expect.stringMatching(/^The network refused it/),
    });
    expect(await stored(BOB)).toEqual([]);
  });

  test("another user's transaction reported as one's own is failed and creates no arrival", async () => {
    await transactions.record(CAROL, toBob(1));
    chain.recent.set(signature(1), sentToBob);
    await look();
    expect(await stored(CAROL)).toMatchObject([{ status: 'failed', failure: NOT_YOURS, lamports: null }]);
    expect(await stored(BOB)).toEqual([]);
  });

  test('uses the wallet of the time of recording', async () => {
    await transactions.record(ALICE, toBob(1));
    wallets[ALICE] = 'AnotherWallet';
    chain.recent.set(signature(1), sentToBob);
    await look();
    expect(await stored(ALICE)).toMatchObject([{ status: 'confirmed', wallet: 'AliceWallet' }]);
  });

  test('a transfer to oneself is one outgoing and one incoming transaction', async () => {
    await transactions.record(ALICE, toBob(1, { recipient: 'AliceWallet' }));
    chain.recent.set(signature(1), {
      ...sentToBob,
      transfers: [{ from: 'AliceWallet', to: 'AliceWallet', lamports: 5n }],
    });
    await look();
    await look();
    expect(new Set((await stored(ALICE)).map(({ type }) => type))).toEqual(new Set(['transfer_in', 'transfer_out']));
    expect(events).toHaveLength(3);
  });

  test('every user who has the wallet now receives it, once', async () => {
    wallets[CAROL] = 'BobWallet';
    await transactions.record(ALICE, toBob(1));
    chain.recent.set(signature(1), sentToBob);
    await look();
    expect(await stored(BOB)).toHaveLength(1);
    expect(await stored(CAROL)).toHaveLength(1);
  });

  test('an airdrop is confirmed', async () => {
    await transactions.record(ALICE, toBob(1, { type: 'airdrop', recipient: 'AliceWallet' }));
    chain.recent.set(signature(1), {
      ...sentToBob,
      feePayer: 'Faucet',
      transfers: [{ from: 'Faucet', to: 'AliceWallet', lamports: 2_000n }],
    });
    await look();
    expect(await stored(ALICE)).toMatchObject([
      { type: 'airdrop', status: 'confirmed', lamports: 2_000, feeLamports: null, counterparty: 'Faucet' },
    ]);
  });
});

describe('without an outcome', () => {
  test('fails after its last height, and not before', async () => {
    await transactions.record(ALICE, toBob(1));
    chain.height = 150;
    expect(await look()).toBe(1);
    chain.height = 151;
    expect(await look()).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'failed', failure: NOT_TAKEN, lamports: 1_000 }]);
  });

  test('searches the history once after its last height', async () => {
    await transactions.record(ALICE, toBob(1));
    chain.height = 200;
    chain.older.set(signature(1), sentToBob);
    await look();
    expect(await stored(ALICE)).toMatchObject([{ status: 'confirmed' }]);
  });

  test('gives the reason of the node that refused it, the first one reported [S8.6-10]', async () => {
    await transactions.record(ALICE, toBob(1));
    await transactions.record(ALICE, toBob(1, { refusal: 'funds' }));
    await transactions.record(ALICE, toBob(1, { refusal: 'fee' }));
    chain.height = 151;
    expect(await look()).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'failed', failure: refusalTexts.funds }]);
  });

  test('an absurdly distant last height is lowered to what the network would accept', async () => {
    await transactions.record(ALICE, toBob(1, { lastValidBlockHeight: Number.MAX_SAFE_INTEGER }));
    chain.height = 10;
    expect(await look()).toBe(1);
    // Seen again later, it is not extended.
    chain.height = 3_010;
    expect(await look()).toBe(1);
    chain.height = 3_011;
    expect(await look()).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'failed', failure: NOT_TAKEN }]);
  });

  test('a transaction that the node cannot show stays pending and delays no other', async () => {
    await transactions.record(ALICE, toBob(1));
    await transactions.record(ALICE, toBob(2));
    await transactions.record(ALICE, toBob(3));
    chain.recent.set(signature(1), null);
    chain.recent.set(signature(2), new TypeError('unreadable'));
    chain.recent.set(signature(3), sentToBob);
    chain.height = 1_000;
    expect(await look()).toBe(2);
    expect(await transactions.count(ALICE, { status: 'pending' })).toBe(2);
    expect(await transactions.count(ALICE, { status: 'confirmed' })).toBe(1);
  });

  test("a transaction in a block that is not shown for long ends with the node's status and unknown amounts", async () => {
    for (const [number, error] of [null, { InstructionError: [0, { Custom: 1 }] }].entries()) {
      // However distant the client's last height is.
      await transactions.record(ALICE, toBob(number, { lastValidBlockHeight: Number.MAX_SAFE_INTEGER }));
      chain.recent.set(signature(number), null);
      if (error) chain.errors.set(signature(number), error);
    }
    expect(await look()).toBe(2);
    chain.height = 6_001;
    expect(await look()).toBe(2);
    chain.height = 6_002;
    expect(await look()).toBe(0);
    const unknown = { lamports: null, feeLamports: null, counterparty: null };
    expect((await stored(ALICE)).toSorted((one, other) => one.status.localeCompare(other.status))).toMatchObject([
      { ...unknown, status: 'confirmed', failure: null },
      { ...unknown, status: 'failed', failure: expect.stringMatching(/^The network refused it/) },
    ]);
    expect(await stored(BOB)).toEqual([]);
  });

  test('in a block that may still be dropped it has neither arrived nor failed', async () => {
    await transactions.record(ALICE, toBob(1));
    chain.height = 1_000;
    chain.older.set(signature(1), sentToBob);
    chain.unsettled.add(signature(1));
    expect(await look()).toBe(1);
    chain.older.delete(signature(1));
    chain.recent.set(signature(1), sentToBob);
    expect(await look()).toBe(1);
    expect(statuses()).toEqual([`${ALICE} transfer_out pending`]);
    chain.unsettled.clear();
    expect(await look()).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'confirmed' }]);
  });

  test('on a public cluster it fails only when no node can lag that far', async () => {
    const there = open('devnet');
    await there.record(ALICE, toBob(1));
    chain.height = 300;
    expect(await look(there, 'devnet')).toBe(1);
    chain.height = 301;
    expect(await look(there, 'devnet')).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'failed', failure: NOT_TAKEN }]);
  });

  test('after nodes have pruned it, the reason does not claim that nothing was sent', async () => {
    await transactions.record(ALICE, toBob(1));
    await transactions.record(ALICE, toBob(2, { lastValidBlockHeight: 151 }));
    chain.height = 100_151;
    expect(await look()).toBe(0);
    const failures = (await stored(ALICE)).map(({ signature: of, failure }) => [of, failure]);
    expect(new Map(failures.map(([of, failure]) => [of, failure]))).toEqual(
      new Map([
        [signature(1), NOT_REMEMBERED],
        [signature(2), NOT_TAKEN],
      ]),
    );
  });

  test('a transaction for which the node fails each time is retried without delaying the others', async () => {
    const model = transactionModel(connection);
    const one = await transactions.record(ALICE, toBob(0));
    chain.recent.set(signature(0), new RpcError('http', 500));
    const others = Array.from({ length: 300 }, (_, at) => `${signature(1)}-${at}`);
    await model.insertMany(others.map((name) => ({ ...one, _id: new mongoose.Types.ObjectId(), signature: name })));
    for (const name of others) chain.recent.set(name, sentToBob);
    await expect(look()).rejects.toThrow(RpcError);
    expect(await transactions.count(ALICE, { status: 'confirmed' })).toBe(others.length);
    chain.recent.set(signature(0), sentToBob);
    expect(await look()).toBe(0);
  });

  test('nothing changes while the node is down', async () => {
    await transactions.record(ALICE, toBob(1));
    chain.away = true;
    chain.height = 1_000;
    await expect(look()).rejects.toThrow(RpcError);
    expect(await stored(ALICE)).toMatchObject([{ status: 'pending' }]);
    chain.away = false;
    chain.recent.set(signature(1), sentToBob);
    expect(await look()).toBe(0);
  });
});

describe('several followers', () => {
  test('two followers duplicate neither an event nor a row', async () => {
    for (const number of Array(40).keys()) {
      await transactions.record(ALICE, toBob(number));
      chain.recent.set(signature(number), sentToBob);
    }
    events = [];
    const others = [open(), open(), open()];
    await Promise.all(others.map((other) => look(other)));
    expect(events).toHaveLength(80);
    expect(statuses().filter((one) => one === `${ALICE} transfer_out confirmed`)).toHaveLength(40);
    expect(statuses().filter((one) => one === `${BOB} transfer_in confirmed`)).toHaveLength(40);
    expect(await transactions.count(BOB, {})).toBe(40);
  });

  test('a follower that saw less of the chain does not raise the last height again', async () => {
    const record = await transactions.record(ALICE, toBob(1, { lastValidBlockHeight: 9_000 }));
    await transactions.expireBy(record, 3_010);
    await open().expireBy(record, 3_020);
    expect(await stored(ALICE)).toMatchObject([{ lastValidBlockHeight: 3_010 }]);
  });

  test('the first verdict stays', async () => {
    const record = await transactions.record(ALICE, toBob(1));
    const verdict = { lamports: 1, feeLamports: null, counterparty: null, failure: null };
    expect(await transactions.decide(record, { ...verdict, status: 'confirmed' })).toBe(true);
    expect(await transactions.decide(record, { ...verdict, status: 'failed', failure: NOT_TAKEN })).toBe(false);
    expect(await stored(ALICE)).toMatchObject([{ status: 'confirmed', failure: null }]);
    expect(events).toHaveLength(2);
  });

  test('the next process completes a change left between the arrival and the verdict', async () => {
    const record = await transactions.record(ALICE, toBob(1));
    const { signature: name, cluster, wallet: counterparty } = record;
    await transactions.arrived({ signature: name, cluster, wallet: 'BobWallet', lamports: 900, counterparty });
    chain.recent.set(signature(1), sentToBob);
    await look(open());
    expect(statuses()).toEqual([
      `${ALICE} transfer_out pending`,
      `${BOB} transfer_in confirmed`,
      `${ALICE} transfer_out confirmed`,
    ]);
    expect(await transactions.count(BOB, {})).toBe(1);
  });

  test('queries in batches that a node accepts, and one cluster only', async () => {
    const model = transactionModel(connection);
    const one = await transactions.record(ALICE, toBob(1));
    const copy = (number: number): TransactionRecord => ({
      ...one,
      _id: new mongoose.Types.ObjectId(),
      signature: `${signature(2)}-${number}`,
      cluster: number === 0 ? 'devnet' : 'local',
    });
    await model.insertMany(Array.from({ length: 600 }, (_, number) => copy(number)));
    expect(await look()).toBe(600);
    expect(chain.asked).toEqual([256, 256, 88]);
  });
});
