import { Transaction as ChainTransaction, Connection, Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { NOT_TAKEN } from '../../common/transactions/failure.ts';
import { type RecordTransaction, type Transaction, transactionSchema } from '../../common/transactions/model.ts';
import { startTestServer } from '../test-server.ts';
import { testChain } from '../testing/chain.ts';
import { testDatabase } from '../testing/database.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import type { TestServer } from '../testing/server.ts';
import { testWallet } from '../testing/wallets.ts';
import { NOT_YOURS } from './verdict.ts';

const SOL = 1_000_000_000;
const FEE = 0.000005;
/** The follower looks every second, and later after failures; the machine may be busy. */
const PATIENCE = { timeout: 25_000, interval: 50 };

/** The chain as the server reaches it, with injected faults, and as the wallet page reaches it. */
const chain = testChain();
const pageChain = testChain();
const page = new Connection(pageChain.rpcUrl, { commitment: 'confirmed', wsEndpoint: pageChain.wsUrl });
const database = testDatabase().uri;

/** A user with a wallet. */
type Owner = Person & { pair: Keypair };

let server: TestServer;
let alice: Owner;
let bob: Owner;
let carol: Owner;

beforeAll(async () => {
  server = await startTestServer({ chain, mongoUri: database });
  alice = await owner('Alice', 61);
  bob = await owner('Bob', 62);
  carol = await owner('Carol', 63);
  await pageChain.airdrop(addressOf(alice), 10 * SOL);
  await pageChain.airdrop(addressOf(carol), SOL);
});
afterAll(() => server.stop());

const addressOf = ({ pair }: Owner) => pair.publicKey.toBase58();

async function owner(name: string, number: number): Promise<Owner> {
  const one = await person(server, name);
  const json = testWallet(number);
  expect((await one.call(`/api/users/${one.id}/wallet`, { method: 'POST', json })).status).toBe(200);
  return { ...one, pair: Keypair.fromSecretKey(Buffer.from(json.privateKey, 'hex')) };
}

/** Returns the signed transfer of the wallet page and the fields it reports to the server. */
async function signed(from: Owner, to: string, lamports: number) {
  const { blockhash, lastValidBlockHeight } = await page.getLatestBlockhash();
  const transaction = new ChainTransaction({ recentBlockhash: blockhash, feePayer: from.pair.publicKey });
  transaction.add(SystemProgram.transfer({ fromPubkey: from.pair.publicKey, toPubkey: new PublicKey(to), lamports }));
  transaction.sign(from.pair);
  const signature = bs58.encode(transaction.signature ?? new Uint8Array());
  const recording: RecordTransaction = {
    type: 'transfer_out',
    signature,
    lamports,
    recipient: to,
    lastValidBlockHeight,
  };
  const send = () => page.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  return { recording, send };
}

async function record({ id, cookie }: Person, json: RecordTransaction): Promise<Transaction> {
  const reply = await server.fetchJson(`/api/users/${id}/transactions`, { method: 'POST', cookie, json });
  expect(reply.status).toBe(200);
  return transactionSchema.parse(reply.body);
}

async function listed({ id, cookie }: Person, signature: string): Promise<Transaction[]> {
  const reply = await server.fetchJson(`/api/users/${id}/transactions`, { cookie });
  return z
    .array(transactionSchema)
    .parse(reply.body)
    .filter((one) => one.signature === signature);
}

/** Resolves with the transaction once the chain has decided. */
async function decided(of: Person, { signature }: RecordTransaction): Promise<Transaction | undefined> {
  await expect.poll(async () => (await listed(of, signature))[0]?.status, PATIENCE).not.toBe('pending');
  return (await listed(of, signature))[0];
}

async function listening({ id, cookie }: Person) {
  const socket = await socketOf(server, { cookie });
  const received: unknown[] = [];
  socket.on('transaction', (event: unknown) => received.push(event));
  expect(await socket.emitWithAck('subscribe', { topic: `user:${id}` })).toEqual({ ok: true });
  return { socket, received };
}

test("a transfer is pending, then confirmed with the chain's figures, and reaches the recipient live [S4-14]", async () => {
  const [ofAlice, ofBob, ofCarol] = await Promise.all([alice, bob, carol].map(listening));
  const { recording, send } = await signed(alice, addressOf(bob), 1.25 * SOL);
  // The amount reported by the client shows while it is pending, and is replaced afterwards.
  const pending = await record(alice, { ...recording, lamports: 7 });
  expect(pending).toMatchObject({ status: 'pending', amount: 7e-9, fee: null });
  await send();

  const out = await decided(alice, recording);
  expect(out).toMatchObject({
    status: 'confirmed',
    amount: 1.25,
    fee: FEE,
    counterparty: addressOf(bob),
    failure: null,
  });
  const [arrived] = await listed(bob, recording.signature);
  expect(arrived).toMatchObject({ type: 'transfer_in', status: 'confirmed', amount: 1.25, fee: null });
  expect(arrived?.counterparty).toBe(addressOf(alice));

  await expect.poll(() => ofAlice?.received, PATIENCE).toEqual([pending, out]);
  await expect.poll(() => ofBob?.received, PATIENCE).toEqual([arrived]);
  // Every earlier event has arrived by the time of this response.
  await ofCarol?.socket.emitWithAck('echo', {});
  expect(ofCarol?.received).toEqual([]);
});

test('an airdrop is confirmed [S4-14]', async () => {
  const { lastValidBlockHeight } = await page.getLatestBlockhash();
  const signature = await page.requestAirdrop(alice.pair.publicKey, 2 * SOL);
  const recording: RecordTransaction = {
    type: 'airdrop',
    signature,
    lamports: 2 * SOL,
    recipient: addressOf(alice),
    lastValidBlockHeight,
  };
  await record(alice, recording);
  expect(await decided(alice, recording)).toMatchObject({ type: 'airdrop', status: 'confirmed', amount: 2, fee: null });
});

test('a signed transaction that is never sent fails once its blockhash has expired [S4-14]', async () => {
  const { recording } = await signed(alice, addressOf(bob), SOL);
  // A blockhash about to expire: a real one would be valid for a minute.
  await record(alice, { ...recording, lastValidBlockHeight: (await page.getBlockHeight()) + 20 });
  expect(await decided(alice, recording)).toMatchObject({ status: 'failed', failure: NOT_TAKEN, amount: 1, fee: null });
  expect(await listed(bob, recording.signature)).toEqual([]);
});

test('a transaction that fails on the chain is failed, and shows its fee [S4-14]', async () => {
  const { recording, send } = await signed(alice, addressOf(bob), 1_000 * SOL);
  await record(alice, recording);
  await send();
  expect(await decided(alice, recording)).toMatchObject({
    status: 'failed',
    failure: 'The network refused it: the wallet did not hold enough SOL.',
    fee: FEE,
  });
  expect(await listed(bob, recording.signature)).toEqual([]);
});

test("another user's signature recorded as one's own is failed", async () => {
  const { recording, send } = await signed(alice, addressOf(bob), SOL / 10);
  await send();
  await record(carol, recording);
  expect(await decided(carol, recording)).toMatchObject({
    status: 'failed',
    failure: NOT_YOURS,
    amount: null,
    fee: null,
  });
  expect(await listed(alice, recording.signature)).toEqual([]);
  expect(await listed(bob, recording.signature)).toEqual([]);
});

test('a transfer to oneself is one outgoing and one incoming transaction', async () => {
  const { recording, send } = await signed(alice, addressOf(alice), SOL / 10);
  await record(alice, recording);
  await send();
  await expect
    .poll(async () => (await listed(alice, recording.signature)).map(({ status }) => status), PATIENCE)
    .toEqual(['confirmed', 'confirmed']);
  const types = (await listed(alice, recording.signature)).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(['transfer_in', 'transfer_out']));
});

test('stays pending while the node is down, and is decided when it is back', async () => {
  await chain.inject({ kind: 'disconnect', times: 1_000_000 });
  const { recording, send } = await signed(alice, addressOf(bob), SOL / 10);
  await record(alice, { ...recording, lastValidBlockHeight: 0 });
  const { recording: later } = await signed(alice, addressOf(bob), SOL / 5);
  await record(alice, later);
  const signature = await send();
  await page.confirmTransaction({ signature, ...(await page.getLatestBlockhash()) });
  expect((await listed(alice, recording.signature))[0]?.status).toBe('pending');
  await chain.clearFaults();
  expect(await decided(alice, recording)).toMatchObject({ status: 'confirmed', amount: 0.1 });
  // Only time decides this one.
  expect((await listed(alice, later.signature))[0]?.status).toBe('pending');
});

test('a transaction pending while the server is down is decided after its restart', async () => {
  const { recording, send } = await signed(alice, addressOf(bob), SOL / 10);
  await record(alice, recording);
  await server.stop();
  await send();
  server = await startTestServer({ chain, mongoUri: database });
  alice = { ...alice, cookie: await server.login('Alice') };
  bob = { ...bob, cookie: await server.login('Bob') };
  expect(await decided(alice, recording)).toMatchObject({ status: 'confirmed', amount: 0.1, fee: FEE });
  expect(await listed(bob, recording.signature)).toHaveLength(1);
});
