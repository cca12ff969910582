import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { NOT_TAKEN } from '../../common/transactions/failure.ts';
import type { TransactionRecord } from './model.ts';
import { ALICE, BOB, CAROL, followedTransactions, sentToBob, signature, toBob } from './testing/followed.ts';

const { chain, events, look, model, open, statuses, stored, transactions, wallets } = await followedTransactions();

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

  test('uses the wallet of the time of recording', async () => {
    await transactions.record(ALICE, toBob(1));
    wallets[ALICE] = 'AnotherWallet';
    chain.recent.set(signature(1), sentToBob);
    await look();
    expect(await stored(ALICE)).toMatchObject([{ status: 'confirmed', wallet: 'AliceWallet' }]);
  });

  test('every user who has the wallet now receives it, once', async () => {
    wallets[CAROL] = 'BobWallet';
    await transactions.record(ALICE, toBob(1));
    chain.recent.set(signature(1), sentToBob);
    await look();
    expect(await stored(BOB)).toHaveLength(1);
    expect(await stored(CAROL)).toHaveLength(1);
  });
});

describe('several followers', () => {
  test('two followers duplicate neither an event nor a row', async () => {
    for (const number of Array(40).keys()) {
      await transactions.record(ALICE, toBob(number));
      chain.recent.set(signature(number), sentToBob);
    }
    events.length = 0;
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
