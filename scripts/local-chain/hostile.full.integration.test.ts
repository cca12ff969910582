/** Deliberate attacks by a program on this machine. */
import { once } from 'node:events';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { privateChain } from '../testing/private-services.ts';
import { clientOf, request, SOL, WAIT } from './testing/client.ts';

/** Room for two of the largest accounts. */
const ACCOUNT_BYTES = 24 * 1024 * 1024;
const chain = await privateChain({ accountBytes: ACCOUNT_BYTES });
const client = clientOf(chain);

interface Message {
  id?: unknown;
  method?: string;
  result?: unknown;
  error?: { code: number };
}

async function connect() {
  const socket = new WebSocket(chain.wsUrl);
  const messages: Message[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  return { socket, messages };
}

test('survives an encoding that does not exist, and one that is too small for a growing account', async () => {
  const pid = chain.pid();
  const { socket, messages } = await connect();
  const unborn = Keypair.generate();
  const address = unborn.publicKey.toBase58();
  socket.send(JSON.stringify(request('accountSubscribe', [address, { encoding: 'nothing' }], 1)));
  socket.send(
    JSON.stringify(request('accountSubscribe', [address, { encoding: 'base58', commitment: 'confirmed' }], 2)),
  );
  await vi.waitFor(() => expect(messages).toHaveLength(2), WAIT);
  expect(messages[0]?.error?.code).toBe(-32602);
  const payer = await client.funded();
  const isClosed = once(socket, 'close');
  const born = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: unborn.publicKey,
    lamports: SOL,
    space: 1000,
    programId: payer.publicKey,
  });
  await client.confirmed(await client.signed([born], [payer, unborn]));
  await isClosed;
  expect(chain.pid()).toBe(pid);
});

test('survives an id or a method of another type than text', async () => {
  const pid = chain.pid();
  const { socket, messages } = await connect();
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  socket.send(`{"jsonrpc":"2.0","id":${deep},"method":"slotSubscribe"}`);
  socket.send('{"jsonrpc":"2.0","id":7,"method":{"toString":1}}');
  await vi.waitFor(() => expect(messages.find(({ id }) => id === 7)?.error?.code).toBe(-32601), WAIT);
  expect(chain.pid()).toBe(pid);
  socket.terminate();
});

test('a notified signature no longer counts as a subscription of its socket', async () => {
  const signature = await client.connection.requestAirdrop(Keypair.generate().publicKey, SOL);
  const { socket, messages } = await connect();
  const options = { commitment: 'processed' };
  for (let id = 0; id < 600; id++) socket.send(JSON.stringify(request('signatureSubscribe', [signature, options], id)));
  await vi.waitFor(() => expect(messages.filter(({ method }) => method !== undefined)).toHaveLength(600), WAIT);
  expect(messages.filter(({ error }) => error)).toEqual([]);
  socket.terminate();
});

test('restores an account that was assigned to a system owner after a kill', async () => {
  const owned = await client.funded();
  const payer = await client.funded();
  const programId = new PublicKey('Sysvar1111111111111111111111111111111111111');
  const assign = SystemProgram.assign({ accountPubkey: owned.publicKey, programId });
  await client.confirmed(await client.signed([assign], [payer, owned]));
  await chain.kill();
  await vi.waitFor(async () => {
    const found = await client.connection.getAccountInfo(owned.publicKey);
    expect(found?.owner.toBase58()).toBe(programId.toBase58());
  }, WAIT);
});

test('limits the space of all accounts together, and still accepts small ones', { timeout: 120_000 }, async () => {
  const space = 10 * 1024 * 1024;
  const create = async () => {
    const payer = await client.funded(100 * SOL);
    const account = Keypair.generate();
    const { publicKey: programId } = account;
    const born = { fromPubkey: payer.publicKey, newAccountPubkey: programId, lamports: 74 * SOL, space, programId };
    const raw = await client.signed([SystemProgram.createAccount(born)], [payer, account]);
    const sent = await client.connection.sendRawTransaction(raw).catch((error: Error) => error);
    if (typeof sent !== 'string') expect(sent.message).toContain('total account data limit');
    return { raw, sent };
  };
  for (let n = 0; n < 2; n++) expect(typeof (await create()).sent).toBe('string');
  const refused = await create();
  expect(typeof refused.sent).not.toBe('string');
  const skipped = await client.connection.sendRawTransaction(refused.raw, { skipPreflight: true });
  expect(await client.connection.getSignatureStatus(skipped)).toMatchObject({ value: null });
  await client.funded();

  await chain.kill();
  await vi.waitFor(() => client.funded(), WAIT);
});
