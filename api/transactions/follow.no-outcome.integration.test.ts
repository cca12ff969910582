import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { NOT_TAKEN, refusalTexts } from '../../common/transactions/failure.ts';
import { RpcError } from '../chain/rpc-error.ts';
import { ALICE, BOB, followedTransactions, sentToBob, signature, toBob } from './testing/followed.ts';
import { NOT_REMEMBERED } from './verdict.ts';

const { chain, look, model, open, statuses, stored, transactions } = await followedTransactions();

describe('without an outcome', () => {
  test('fails after its last height, and not before', async () => {
    await transactions.record(ALICE, toBob(1));
    chain.newest = 150;
    expect(await look()).toBe(1);
    chain.newest = 151;
    expect(await look()).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'failed', failure: NOT_TAKEN, lamports: 1_000 }]);
  });

  test('searches the history once after its last height', async () => {
    await transactions.record(ALICE, toBob(1));
    chain.newest = 200;
    chain.older.set(signature(1), sentToBob);
    await look();
    expect(await stored(ALICE)).toMatchObject([{ status: 'confirmed' }]);
  });

  test('gives the reason of the node that refused it, the first one reported [S8.6-10]', async () => {
    await transactions.record(ALICE, toBob(1));
    await transactions.record(ALICE, toBob(1, { refusal: 'funds' }));
    await transactions.record(ALICE, toBob(1, { refusal: 'fee' }));
    chain.newest = 151;
    expect(await look()).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'failed', failure: refusalTexts.funds }]);
  });

  test('an absurdly distant last height is lowered to what the network would accept', async () => {
    await transactions.record(ALICE, toBob(1, { lastValidBlockHeight: Number.MAX_SAFE_INTEGER }));
    chain.newest = 10;
    expect(await look()).toBe(1);
    // Seen again later, it is not extended.
    chain.newest = 3_010;
    expect(await look()).toBe(1);
    chain.newest = 3_011;
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
    chain.newest = 1_000;
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
    chain.newest = 6_001;
    expect(await look()).toBe(2);
    chain.newest = 6_002;
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
    chain.newest = 1_000;
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

  test('on a public cluster it fails at once by an answer as new as the height, else when no node can lag that far', async () => {
    const there = open('devnet');
    await there.record(ALICE, toBob(1));
    chain.newest = 300;
    chain.slotsBehind = 1;
    expect(await look(there, 'devnet')).toBe(1);
    chain.newest = 301;
    expect(await look(there, 'devnet')).toBe(0);
    expect(await stored(ALICE)).toMatchObject([{ status: 'failed', failure: NOT_TAKEN }]);
    await there.record(ALICE, toBob(2));
    chain.newest = 151;
    chain.slotsBehind = 0;
    expect(await look(there, 'devnet')).toBe(0);
  });

  test('after nodes have pruned it, the reason does not claim that nothing was sent', async () => {
    await transactions.record(ALICE, toBob(1));
    await transactions.record(ALICE, toBob(2, { lastValidBlockHeight: 151 }));
    chain.newest = 100_151;
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
});
