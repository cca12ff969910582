import { Connection } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { privateChain } from '../testing/private-services.ts';
import { clientOf, pay, post, request, SOL } from './testing/client.ts';

const chain = await privateChain();
const client = clientOf(chain);
const { connection } = client;

async function control(url: string, method: string, ...params: unknown[]): Promise<void> {
  const response = await post(url, request(method, params));
  expect(await response.json()).toMatchObject({ result: true });
}

test('refuses an unknown and an expired blockhash, and a confirmation fails after the expiry', async () => {
  const alice = await client.funded();
  const { publicKey } = await client.funded(SOL);
  const unknown = bs58.encode(new Uint8Array(32).fill(9));
  await expect(
    connection.sendRawTransaction(await client.signed([pay(alice, publicKey, 1)], [alice], unknown)),
  ).rejects.toThrow('Blockhash not found');

  const impatient = `${chain.rpcUrl}/impatient`;
  const other = new Connection(impatient, { commitment: 'confirmed', wsEndpoint: chain.wsUrl });
  const block = await other.getLatestBlockhash();
  const raw = await client.signed([pay(alice, publicKey, 1)], [alice], block.blockhash);
  expect((await other.isBlockhashValid(block.blockhash)).value).toBe(true);
  await control(impatient, 'test_inject', { kind: 'drop' });
  const signature = await other.sendRawTransaction(raw);
  await control(impatient, 'test_expireBlockhashes');
  await expect(other.sendRawTransaction(raw)).rejects.toThrow('Blockhash not found');
  await expect(other.confirmTransaction({ signature, ...block })).rejects.toThrow('block height exceeded');
  expect(await other.getBalance(publicKey)).toBe(SOL);
  // Other addresses are not affected.
  expect((await connection.isBlockhashValid(block.blockhash)).value).toBe(true);
  await other.sendRawTransaction(
    await client.signed([pay(alice, publicKey, 2)], [alice], (await other.getLatestBlockhash()).blockhash),
  );
});

test('injects too many requests, an error and a broken connection, once each', async () => {
  const url = `${chain.rpcUrl}/faulty`;
  const faulty = new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  const { publicKey } = await client.funded(SOL);
  await control(url, 'test_inject', { kind: 'status', status: 429, method: 'getBalance' });
  await expect(faulty.getBalance(publicKey)).rejects.toThrow('429');
  await control(url, 'test_inject', { kind: 'error', code: -32005, message: 'Node is behind', method: 'getBalance' });
  await expect(faulty.getBalance(publicKey)).rejects.toThrow('Node is behind');
  await control(url, 'test_inject', { kind: 'disconnect', method: 'getBalance' });
  await expect(faulty.getBalance(publicKey)).rejects.toThrow();
  expect(await faulty.getBalance(publicKey)).toBe(SOL);
});
