import { once } from 'node:events';
import { Keypair, SystemProgram, Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { FEE, post, request, SOL } from './testing/client.ts';
import { signedV1 } from './testing/message-v1.ts';
import { createMint } from './testing/token-instructions.ts';
import { unharmedChain } from './testing/unharmed.ts';

const PAGE = 'http://127.0.0.1:3000';

const { chain, client, respond, isUp } = await unharmedChain();
const { connection } = client;

/** Returns a generator with the same numbers in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Returns the bytes with a few changes, a cut-off end, or an appendix. */
function mutated(original: Uint8Array, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(original);
  for (let left = 1 + random(3); left > 0 && bytes.length > 1; left--) {
    const kind = random(8);
    if (kind === 0) bytes = bytes.subarray(0, random(bytes.length));
    else if (kind === 1)
      bytes = Buffer.concat([bytes, Buffer.from(Array.from({ length: 1 + random(20) }, () => random(256)))]);
    // The head of the message, which holds the counts, changes as often as all the rest.
    else bytes[kind < 5 ? random(bytes.length) : Math.min(bytes.length - 1, 60 + random(16))] = random(256);
  }
  return bytes;
}

const MUTATIONS = 10_000;
const IN_A_BATCH = 50;

test('survives 10,000 mutated transactions, none of which moves unsigned funds', {
  timeout: 120_000,
}, async () => {
  const alice = await client.funded();
  const bob = await client.funded(SOL);
  const mint = Keypair.generate();
  const { blockhash } = await connection.getLatestBlockhash();
  const pay = SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob.publicKey, lamports: 4 });
  const message = new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: blockhash,
    instructions: [pay],
  });
  const originals = [message.compileToV0Message(), message.compileToLegacyMessage()].map((one) => {
    const transaction = new VersionedTransaction(one);
    transaction.sign([alice]);
    return transaction.serialize();
  });
  const large = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash });
  large.add(...createMint(alice.publicKey, mint.publicKey, 6, 2_000_000), pay).sign(alice, mint);
  originals.push(large.serialize(), signedV1(alice, [pay], blockhash));

  const random = randomFrom(20_261_121);
  const before = await connection.getBalance(alice.publicKey);
  let tried = 0;
  const landed = new Set<string>();
  while (tried < MUTATIONS) {
    const batch = Array.from({ length: IN_A_BATCH }, (_, id) => {
      const bytes = mutated(originals[(tried + id) % originals.length] ?? Buffer.alloc(0), random);
      const text = bytes.toString('base64');
      // One third executes directly, one third after a simulation, and one third is simulated without signatures.
      if (id % 3 === 2) return request('simulateTransaction', [text, { encoding: 'base64', sigVerify: false }], id);
      return request('sendTransaction', [text, { encoding: 'base64', skipPreflight: id % 3 === 0 }], id);
    });
    const replies = await respond(batch);
    if (!Array.isArray(replies)) throw new Error('the response is no batch');
    expect(replies).toHaveLength(IN_A_BATCH);
    for (const { result } of replies) if (typeof result === 'string') landed.add(result);
    tried += IN_A_BATCH;
  }
  await isUp();
  // A mutation without effect is the signed transaction, which executes once.
  const { value } = await connection.getSignatureStatuses([...landed].slice(0, 256));
  const took = value.filter((status) => status !== null).length;
  expect(took).toBeLessThanOrEqual(originals.length);
  expect(await connection.getBalance(bob.publicKey)).toBeLessThanOrEqual(SOL + 4 * took);
  expect(await connection.getBalance(alice.publicKey)).toBeGreaterThanOrEqual(
    before - took * (4 + 2 * FEE) - 2_000_000,
  );
  const raw = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash }).add(pay, pay);
  raw.sign(alice);
  const held = await connection.getBalance(bob.publicKey);
  await connection.sendRawTransaction(raw.serialize());
  expect(await connection.getBalance(bob.publicKey)).toBe(held + 8);
});

test('accepts a transaction of 1232 bytes and refuses one of 1233 in either encoding [S9-20]', async () => {
  const alice = await client.funded();
  const { blockhash } = await connection.getLatestBlockhash();
  const ofSize = (noise: number) => {
    const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash });
    const programId = SystemProgram.programId;
    const keys = [{ pubkey: alice.publicKey, isSigner: true, isWritable: true }];
    transaction.add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: alice.publicKey, lamports: 1 }));
    transaction.add({ programId, keys, data: Buffer.alloc(noise, 7) });
    transaction.sign(alice);
    const message = transaction.serializeMessage();
    return Buffer.concat([Buffer.from([1]), transaction.signature ?? Buffer.alloc(64), message]);
  };
  const around = ofSize(1000).length - 1000;
  const largest = ofSize(1232 - around);
  const tooLarge = ofSize(1233 - around);
  expect([largest.length, tooLarge.length]).toEqual([1232, 1233]);
  const send = (bytes: Buffer, encoding: 'base64' | 'base58') => {
    const text = encoding === 'base64' ? bytes.toString('base64') : bs58.encode(bytes);
    return respond(request('sendTransaction', [text, { encoding, skipPreflight: true }]));
  };
  expect(await send(largest, 'base64')).toHaveProperty('result');
  for (const encoding of ['base64', 'base58'] as const) {
    expect(await send(tooLarge, encoding)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('too large') },
    });
  }
  expect(await respond(request('sendTransaction', ['1'.repeat(200_000)]))).toMatchObject({ error: { code: -32602 } });
});

test('refuses a forged signature', async () => {
  const alice = await client.funded();
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash });
  transaction
    .add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: alice.publicKey, lamports: 1 }))
    .sign(alice);
  const raw = transaction.serialize();
  raw[5] = (raw[5] ?? 0) ^ 1;
  await expect(connection.sendRawTransaction(raw)).rejects.toThrow('signature verification failure');
  await connection.sendRawTransaction(raw, { skipPreflight: true });
  expect(await connection.getBalance(alice.publicKey)).toBe(10 * SOL);
});

test.each([
  ['no JSON', '{', -32700],
  ['nothing', '', -32700],
  ['a number', '5', -32600],
  ['null', 'null', -32600],
  ['an empty batch', '[]', -32600],
  ['a batch of 101', JSON.stringify(Array.from({ length: 101 }, (_, id) => request('getSlot', [], id))), -32600],
  ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
  ['a method of objects', JSON.stringify(request('constructor')), -32601],
  ['named parameters', '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":{"a":1}}', -32602],
  ['no address', JSON.stringify(request('getBalance', ['not an address'])), -32602],
  ['an endless address', JSON.stringify(request('getBalance', ['1'.repeat(100_000)])), -32602],
  ['an object for an address', JSON.stringify(request('getAccountInfo', [{}])), -32602],
  ['too many addresses', JSON.stringify(request('getMultipleAccounts', [Array(101).fill('1'.repeat(32))])), -32602],
  ['a transaction of objects', JSON.stringify(request('sendTransaction', [{ a: 1 }])), -32602],
  ['no base64', JSON.stringify(request('sendTransaction', ['!!!!', { encoding: 'base64' }])), -32602],
  ['an encoding of objects', JSON.stringify(request('sendTransaction', ['1', { encoding: 'toString' }])), -32602],
  ['rent below zero', JSON.stringify(request('getMinimumBalanceForRentExemption', [-1])), -32602],
  [
    'an unknown commitment',
    JSON.stringify(request('getSignaturesForAddress', ['1'.repeat(32), { commitment: 'maybe' }])),
    -32602,
  ],
])('responds to %s with an error', async (_, body, code) => {
  expect(await respond(body)).toMatchObject({ error: { code } });
  await isUp();
});

test('responds to each call of a batch', async () => {
  const replies = await respond([
    request('getHealth', [], 7),
    request('nothing', [], 8),
    { jsonrpc: '2.0', method: 'ping' },
  ]);
  expect(replies).toEqual([
    { jsonrpc: '2.0', id: 7, result: 'ok' },
    { jsonrpc: '2.0', id: 8, error: { code: -32601, message: 'Method not found' } },
  ]);
});

test('refuses or cuts off a body that is too large', async () => {
  const status = await post(chain.rpcUrl, 'x'.repeat(1_000_000)).then(
    (response) => response.status,
    () => 'cut off', // the connection may close during the upload, before the response
  );
  expect([413, 'cut off']).toContain(status);
  await isUp();
});

test('serves pages of this machine and refuses those of other sites', async () => {
  const body = request('getHealth');
  const allowed = await post(chain.rpcUrl, body, { origin: PAGE });
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
  const preflight = await fetch(chain.rpcUrl, { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/content-type.*solana-client/i);
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
    const refused = await post(chain.rpcUrl, body, { origin });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const socket = new WebSocket(chain.wsUrl, { origin });
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('403');
  }
  const socket = new WebSocket(chain.wsUrl, { origin: PAGE });
  await once(socket, 'open');
  socket.terminate();
});
