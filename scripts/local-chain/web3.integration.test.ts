import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test, vi } from 'vitest';
import { chainTransactions } from '../../api/chain/transactions.ts';
import { startLocalChainForTest } from '../testing/local-chain.ts';
import { privateChain } from '../testing/private-services.ts';
import { clientOf, FEE, pay, post, request, SOL, WAIT } from './testing/client.ts';
import { signedV1 } from './testing/message-v1.ts';

const chain = await privateChain();
const client = clientOf(chain);
const { connection } = client;

test('an airdrop is a normal transfer, even when repeated', async () => {
  const { publicKey } = Keypair.generate();
  const first = await connection.requestAirdrop(publicKey, SOL);
  const second = await connection.requestAirdrop(publicKey, SOL);
  expect(first).not.toBe(second);
  expect(await connection.getBalance(publicKey)).toBe(2 * SOL);
  await vi.waitFor(async () => {
    const found = await connection.getParsedTransaction(second, { commitment: 'confirmed' });
    expect(found?.transaction.message.instructions[0]).toMatchObject({
      program: 'system',
      parsed: { type: 'transfer', info: { destination: publicKey.toBase58(), lamports: SOL } },
    });
  }, WAIT);
});

test('limits the amount of an airdrop, and refuses too many with 429', async () => {
  const { publicKey } = Keypair.generate();
  await expect(connection.requestAirdrop(publicKey, 100 * SOL + 1)).rejects.toThrow('at most 100 SOL');
  await expect(connection.requestAirdrop(publicKey, 0)).rejects.toThrow('not an amount');

  const strict = await startLocalChainForTest({ faucetLimits: { perRecipient: 2, total: 3 } });
  try {
    const requestAirdrop = (to: PublicKey) => post(strict.rpcUrl, request('requestAirdrop', [to.toBase58(), SOL]));
    const other = Keypair.generate().publicKey;
    const statuses = [];
    for (const to of [publicKey, publicKey, publicKey, other]) statuses.push((await requestAirdrop(to)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const refused = await requestAirdrop(other);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await new Connection(strict.rpcUrl).getBalance(publicKey)).toBe(2 * SOL);
  } finally {
    await strict.remove();
  }
});

test('confirms and finalizes a transfer, with its fee and balances', async () => {
  const alice = await client.funded();
  const bob = await client.funded(SOL);
  const message = new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
    instructions: [pay(alice, bob.publicKey, SOL)],
  }).compileToLegacyMessage();
  expect((await connection.getFeeForMessage(message)).value).toBe(FEE);

  const signature = await client.confirmed(await client.signed([pay(alice, bob.publicKey, SOL)], [alice]));
  expect(await connection.getBalance(alice.publicKey)).toBe(9 * SOL - FEE);
  expect(await connection.getBalance(bob.publicKey)).toBe(2 * SOL);
  const found = await connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  expect(found?.meta).toMatchObject({ err: null, fee: FEE, preBalances: [10 * SOL, SOL, 1] });
  expect(found?.meta?.postBalances).toEqual([9 * SOL - FEE, 2 * SOL, 1]);
  expect(await connection.getTransaction(signature)).not.toBeNull();

  const listed = await connection.getSignaturesForAddress(bob.publicKey, { limit: 10 }, 'confirmed');
  expect(listed.map((one) => one.signature)[0]).toBe(signature);
  const before = await connection.getSignaturesForAddress(bob.publicKey, { before: signature }, 'confirmed');
  expect(before).toHaveLength(1);
  await vi.waitFor(async () => {
    const { value } = await connection.getSignatureStatuses([signature, bs58.encode(new Uint8Array(64).fill(3))]);
    expect(value).toEqual([expect.objectContaining({ confirmationStatus: 'finalized', confirmations: null }), null]);
  }, WAIT);
});

test('refuses an overdraft, an empty wallet, and too little for the fee with the texts of a validator', async () => {
  const alice = await client.funded(SOL);
  const bob = await client.funded(SOL);
  const poor = Keypair.generate();
  const tooMuch = connection.sendRawTransaction(await client.signed([pay(alice, bob.publicKey, 2 * SOL)], [alice]));
  await expect(tooMuch).rejects.toThrow(SendTransactionError);
  await expect(tooMuch).rejects.toThrow('custom program error: 0x1');
  await expect(tooMuch).rejects.toMatchObject({
    logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
  });
  await expect(
    connection.sendRawTransaction(await client.signed([pay(poor, bob.publicKey, 1)], [poor])),
  ).rejects.toThrow('Attempt to debit an account but found no record of a prior credit');
  // Only a fee's worth is left, so the next transaction can't be paid.
  const rent = await connection.getMinimumBalanceForRentExemption(0);
  await client.confirmed(await client.signed([pay(alice, bob.publicKey, SOL - rent - FEE)], [alice]));
  const last = await client.signed([pay(alice, bob.publicKey, rent - FEE + 1)], [alice]);
  await expect(connection.sendRawTransaction(last)).rejects.toThrow(/insufficient|custom program error: 0x1/);
  await expect(
    connection.sendRawTransaction(await client.signed([pay(bob, poor.publicKey, 5)], [bob])),
  ).rejects.toThrow('insufficient funds for rent');
  expect(await connection.getBalance(alice.publicKey)).toBe(rent);
});

test('executes a transaction that is sent twice once', async () => {
  const alice = await client.funded();
  const { publicKey } = await client.funded(SOL);
  const raw = await client.signed([pay(alice, publicKey, SOL)], [alice]);
  const both = await Promise.all([1, 2].map(() => connection.sendRawTransaction(raw, { skipPreflight: true })));
  expect(new Set(both).size).toBe(1);
  await expect(connection.sendRawTransaction(raw)).rejects.toThrow('This transaction has already been processed');
  expect(await connection.getBalance(publicKey)).toBe(2 * SOL);
});

test('a failed transaction without preflight costs its fee and reports its error', async () => {
  const alice = await client.funded(SOL);
  const { publicKey } = await client.funded(SOL);
  const raw = await client.signed([pay(alice, publicKey, 5 * SOL)], [alice]);
  const signature = await connection.sendRawTransaction(raw, { skipPreflight: true });
  await vi.waitFor(async () => {
    const { value } = await connection.getSignatureStatus(signature);
    expect(value).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, confirmationStatus: 'confirmed' });
  }, WAIT);
  expect(await connection.getBalance(alice.publicKey)).toBe(SOL - FEE);
});

test('a simulation changes nothing and shows the outcome', async () => {
  const alice = await client.funded();
  const bob = await client.funded(SOL);
  const message = new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [pay(alice, bob.publicKey, SOL)],
  }).compileToV0Message();
  const { value } = await connection.simulateTransaction(new VersionedTransaction(message), {
    replaceRecentBlockhash: true,
    sigVerify: false,
    accounts: { encoding: 'base64', addresses: [bob.publicKey.toBase58()] },
  });
  expect(value).toMatchObject({ err: null, accounts: [{ lamports: 2 * SOL }] });
  expect(value.unitsConsumed).toBeGreaterThan(0);
  expect(await connection.getBalance(bob.publicKey)).toBe(SOL);
});

test('a versioned transaction pays its priority fee', async () => {
  const alice = await client.funded();
  const message = new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 50_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
      pay(alice, alice.publicKey, 1),
    ],
  }).compileToV0Message();
  expect((await connection.getFeeForMessage(message)).value).toBe(FEE + 50_000);
  const transaction = new VersionedTransaction(message);
  transaction.sign([alice]);
  const signature = await client.confirmed(transaction.serialize());
  const found = await connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  expect(found?.meta?.fee).toBe(FEE + 50_000);
  await expect(connection.getTransaction(signature, { commitment: 'confirmed' })).rejects.toThrow('version (0)');
});

test('executes a transaction of version 1, and returns it to the clients that read it', async () => {
  const alice = await client.funded();
  const bob = await client.funded(SOL);
  const { blockhash } = await connection.getLatestBlockhash();
  const raw = signedV1(alice, [pay(alice, bob.publicKey, SOL)], blockhash);
  const signature = await client.confirmed(raw);
  expect(await connection.getBalance(bob.publicKey)).toBe(2 * SOL);
  expect(await connection.getBalance(alice.publicKey)).toBe(9 * SOL - FEE - 1_000);
  const { transaction } = chainTransactions({ request: (work) => work(connection) });
  const found = await transaction(signature);
  expect(found).toMatchObject({ version: 1, meta: { err: null, fee: FEE + 1_000 } });
  expect(found?.transaction.message).toMatchObject({ version: 1, transactionConfig: { priorityFee: 1_000 } });
  const old = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
  await expect(connection.getParsedTransaction(signature, old)).rejects.toMatchObject({ code: -32_015 });
});

test('notifies subscribers of accounts, signatures, logs and slots', async () => {
  const alice = await client.funded();
  const { publicKey } = await client.funded(SOL);
  const balances: number[] = [];
  const logs: string[] = [];
  let slots = 0;
  const account = connection.onAccountChange(publicKey, ({ lamports }) => balances.push(lamports));
  const log = connection.onLogs(publicKey, ({ signature }) => logs.push(signature));
  const slot = connection.onSlotChange(() => slots++);
  await vi.waitFor(() => expect(slots).toBeGreaterThan(1), WAIT); // by now all three are subscribed
  const signature = await connection.sendRawTransaction(await client.signed([pay(alice, publicKey, SOL)], [alice]));
  const outcome = await new Promise((resolve) => connection.onSignature(signature, resolve, 'confirmed'));
  expect(outcome).toEqual({ err: null });
  await vi.waitFor(() => expect([balances, logs]).toEqual([[2 * SOL], [signature]]), WAIT);
  await connection.removeAccountChangeListener(account);
  await connection.removeOnLogsListener(log);
  await connection.removeSlotChangeListener(slot);
});
