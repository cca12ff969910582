import { Transaction } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChainClient, TRANSACTION_BYTES_MAX } from './chain.ts';
import { ChainError } from './chain-error.ts';
import { generateWallet, openChain, walletOfKey } from './solana.ts';
import { fakeAddress } from './testing/fake-chain.ts';
import { type RpcStub, rpcStub } from './testing/rpc-stub.ts';

let node: RpcStub;
let client: ChainClient;
/** Records the delays instead of waiting. */
let slept: number[];

beforeEach(async () => {
  node = await rpcStub();
  slept = [];
  client = openChain(node.config, async (ms) => void slept.push(ms));
});
afterEach(() => node.close());

const inContext = (value: unknown) => ({ result: { context: { slot: 7 }, value } });
const block = { blockhash: fakeAddress(9), lastValidBlockHeight: 1150 };
const refusal = (message: string, code = -32002) => ({ error: { code, message, data: { logs: [] } } });

async function errorOf(work: Promise<unknown>): Promise<ChainError> {
  const reason: unknown = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(reason instanceof ChainError)) throw new Error('expected a ChainError', { cause: reason });
  return reason;
}

describe('keys', () => {
  test('a new wallet is generated in the browser: its key yields its address, and no two are the same [S3-17]', () => {
    const [one, other] = [generateWallet(), generateWallet()];
    expect(one.privateKey).toMatch(/^[0-9a-f]{128}$/);
    expect(walletOfKey(one.privateKey)).toEqual(one);
    expect(walletOfKey(one.privateKey.toUpperCase())).toEqual(one);
    expect(other.privateKey).not.toBe(one.privateKey);
    expect(node.calls).toEqual([]);
  });

  test.each([
    ['empty', ''],
    ['too short', 'ab'.repeat(63)],
    ['too long', 'ab'.repeat(65)],
    ['no hex', 'zz'.repeat(64)],
    ['of halves that do not belong together', 'ab'.repeat(64)],
  ])('a key that is %s is rejected [S5-10]', (_, hex) => {
    expect(walletOfKey(hex)).toBeNull();
  });
});

describe('the node', () => {
  test('reads the balance and the latest blockhash at confirmed [S7.4-01, S7.4-02]', async () => {
    node.respondTo('getBalance', inContext(1_500_000_000));
    node.respondTo('getLatestBlockhash', inContext(block));
    const address = fakeAddress(1);
    expect(await client.balance(address)).toBe(1_500_000_000n);
    expect(await client.latestBlock()).toEqual(block);
    expect(node.calls).toEqual([
      { method: 'getBalance', params: [address, { commitment: 'confirmed' }] },
      { method: 'getLatestBlockhash', params: [{ commitment: 'confirmed' }] },
    ]);
  });

  test('sends a signed transfer, complete and small enough, and reports its status [S7.4-02, S9-20]', async () => {
    const { walletAddress, privateKey } = generateWallet();
    const order = { from: walletAddress, to: fakeAddress(2), lamports: 1_000_000_001n };
    const signed = client.transfer(order).sign(block, privateKey);
    const bytes = Buffer.from(signed.bytes, 'base64');
    expect(bytes.length).toBeLessThanOrEqual(TRANSACTION_BYTES_MAX);
    expect(TRANSACTION_BYTES_MAX).toBe(1232);
    const read = Transaction.from(bytes);
    expect(read.verifySignatures()).toBe(true);
    expect(read.recentBlockhash).toBe(block.blockhash);
    expect(read.instructions[0]?.data.readBigUInt64LE(4)).toBe(1_000_000_001n);
    expect(signed.bytes).not.toContain(privateKey);

    node.respondTo('sendTransaction', { result: signed.signature });
    await client.send(signed.bytes);
    const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
    expect(node.calls.at(-1)).toEqual({ method: 'sendTransaction', params: [signed.bytes, options] });

    const status = (confirmationStatus: string, err: unknown = null) =>
      inContext([{ slot: 5, confirmations: 1, err, confirmationStatus }]);
    node.respondTo(
      'getSignatureStatuses',
      inContext([null]),
      status('processed'),
      status('confirmed'),
      status('finalized', { InstructionError: [0, { Custom: 1 }] }),
    );
    expect(await client.status(signed.signature)).toEqual({ is: 'unseen' });
    expect(node.calls.at(-1)?.params).toEqual([[signed.signature], { searchTransactionHistory: true }]);
    expect(await client.status(signed.signature)).toEqual({ is: 'seen' });
    expect(await client.status(signed.signature)).toEqual({ is: 'confirmed' });
    expect(await client.status(signed.signature)).toMatchObject({ is: 'failed', why: expect.stringContaining('SOL') });
  });

  test('reuses a blockhash for 30 s to estimate fees; signing uses a fresh one [S9-22]', async () => {
    node.respondTo('getLatestBlockhash', inContext(block));
    node.respondTo('getFeeForMessage', inContext(5000));
    const order = { from: fakeAddress(1), to: fakeAddress(2), lamports: 1n };
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    expect(await client.transfer(order).fee()).toBe(5000n);
    now.mockReturnValue(29_999);
    expect(await client.transfer(order).fee()).toBe(5000n);
    const hashes = () => node.calls.filter(({ method }) => method === 'getLatestBlockhash').length;
    expect(hashes()).toBe(1);
    now.mockReturnValue(30_000);
    await client.transfer(order).fee();
    expect(hashes()).toBe(2);
    await client.latestBlock();
    expect(hashes()).toBe(3);
    now.mockRestore();
  });

  test('reports the kind of an address: none, a wallet, a program', async () => {
    const account = (owner: string, executable = false) =>
      inContext({ lamports: 5, owner, executable, rentEpoch: 0, data: ['', 'base64'] });
    const { walletAddress } = generateWallet();
    node.respondTo(
      'getAccountInfo',
      inContext(null),
      account('11111111111111111111111111111111'),
      account(fakeAddress(3)),
    );
    expect(await client.account(walletAddress)).toEqual({ lamports: 0n, kind: 'none' });
    expect(await client.account(walletAddress)).toEqual({ lamports: 5n, kind: 'wallet' });
    expect(await client.account(walletAddress)).toEqual({ lamports: 5n, kind: 'program' });
  });

  test('reports balance changes, also after a lost connection, and unsubscribes when no listener is left [S7.4-04]', async () => {
    const received: bigint[] = [];
    const stop = client.watchBalance(fakeAddress(1), (lamports) => received.push(lamports));
    await expect.poll(() => node.subscriptions.size).toBe(1);
    const account = { owner: fakeAddress(3), executable: false, rentEpoch: 0, data: ['', 'base64'] };
    node.notify('account', { ...account, lamports: 5 });
    await expect.poll(() => received).toEqual([5n]);
    node.cut();
    await expect.poll(() => node.subscriptions.size).toBe(1);
    node.notify('account', { ...account, lamports: 6 });
    await expect.poll(() => received).toEqual([5n, 6n]);
    stop();
    await expect.poll(() => node.subscriptions.size).toBe(0);
  });

  test('reports the confirmation of a signature', async () => {
    const received: unknown[] = [];
    client.watchSignature('1'.repeat(64), (status) => received.push(status));
    await expect.poll(() => node.subscriptions.size).toBe(1);
    node.notify('signature', { err: null });
    await expect.poll(() => received).toEqual([{ is: 'confirmed' }]);
  });
});

describe('a failing node', () => {
  test('retries up to 5 times after 429, with the delay doubling from 500 ms [S9-21]', async () => {
    node.respondTo('getBalance', { status: 429 });
    const error = await errorOf(client.balance(fakeAddress(1)));
    expect(error.kind).toBe('rate-limited');
    expect(slept).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(node.calls).toHaveLength(6);
  });

  test('returns the response of the first retry that succeeds [S9-21]', async () => {
    node.respondTo('getBalance', { status: 429 }, { status: 429 }, inContext(3));
    expect(await client.balance(fakeAddress(1))).toBe(3n);
    expect(slept).toEqual([500, 1000]);
  });

  test('distinguishes a failing node from an unreachable one', async () => {
    node.respondTo('getBalance', { status: 503 });
    expect((await errorOf(client.balance(fakeAddress(1)))).kind).toBe('unreachable');
    await node.close();
    expect((await errorOf(client.balance(fakeAddress(1)))).kind).toBe('unreachable');
  });

  test.each([
    ['Transaction simulation failed: Blockhash not found', 'expired', true],
    ['Transaction simulation failed: Insufficient funds for fee', 'fee', true],
    ['Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.', 'fee', true],
    ['Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1', 'funds', true],
    [
      'Transaction simulation failed: Transaction results in an account (1) with insufficient funds for rent',
      'rent',
      true,
    ],
    ['Transaction simulation failed: Error processing Instruction 0: invalid program argument', 'simulation', true],
    ['Transaction simulation failed: This transaction has already been processed', 'processed', false],
    ['Node is behind by 150 slots', 'refused', false],
  ] as const)('recognises: %s', async (message, kind, definite) => {
    node.respondTo('sendTransaction', refusal(message));
    const error = await errorOf(client.send('AAAA'));
    expect(error.kind).toBe(kind);
    expect(error.refusal).toBe(definite ? kind : null);
  });
});
