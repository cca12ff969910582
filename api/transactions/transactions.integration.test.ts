import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Transaction, transactionSchema } from '../../common/transactions/model.ts';
import { startTestServer, testServer } from '../test-server.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { noLimits } from '../testing/server.ts';
import { testWallet } from '../testing/wallets.ts';
import { PENDING_MAX } from './service.ts';

/** Without a node: recorded transactions stay pending. */
const AWAY = { rpcUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9' };
const RECIPIENT = Keypair.generate().publicKey.toBase58();

let wallets = 0;
async function withWallet(username: string, at = server): Promise<Person> {
  const owner = await person(at, username);
  wallets += 1;
  const reply = await owner.call(`/api/users/${owner.id}/wallet`, { method: 'POST', json: testWallet(wallets) });
  expect(reply.status).toBe(200);
  return owner;
}

const signature = (number: number) => bs58.encode(new Uint8Array(64).fill(number + 1));
const recording = (number: number, given: object = {}) => ({
  type: 'transfer_out',
  signature: signature(number),
  lamports: 1_500_000_000,
  recipient: RECIPIENT,
  lastValidBlockHeight: 1_000,
  ...given,
});
const pathOf = ({ id }: Pick<Person, 'id'>) => `/api/users/${id}/transactions`;
const record = (by: Person, json: object, of: Pick<Person, 'id'> = by) => by.call(pathOf(of), { method: 'POST', json });

async function list(by: Person, query = '', of: Pick<Person, 'id'> = by) {
  const reply = await by.call(pathOf(of) + query);
  expect(reply.status).toBe(200);
  return { rows: z.array(transactionSchema).parse(reply.body), total: Number(reply.headers.get('X-Total-Count')) };
}

const server = await testServer({ chain: AWAY });
const alice = await withWallet('Alice');
const bob = await withWallet('Bob');
const admin = await person(server, 'Root', { isAdmin: true });

describe('recording', () => {
  test('a recording is pending, in SOL, and in the list [S7.2-10, S3-50]', async () => {
    const reply = await record(alice, recording(1));
    expect(reply.status).toBe(200);
    expect(transactionSchema.parse(reply.body)).toMatchObject({
      type: 'transfer_out',
      status: 'pending',
      token: null,
      amount: 1.5,
      price: null,
      fee: null,
      counterparty: RECIPIENT,
      signature: signature(1),
      cluster: 'local',
      failure: null,
    });
    expect((await list(alice)).rows).toEqual([reply.body]);
  });

  test('recording twice, even at once, returns the stored one', async () => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, (_, number) => record(alice, recording(2, { lamports: number + 1 }))),
    );
    const once = await record(alice, recording(2, { lamports: 99 }));
    for (const reply of [...others, once]) expect(reply).toMatchObject({ status: 200, body: first?.body });
    expect((await list(alice)).rows.filter((row) => row.signature === signature(2))).toHaveLength(1);
  });

  test('the same signature is a separate transaction for another user', async () => {
    const reply = await record(bob, recording(1));
    expect(transactionSchema.parse(reply.body).id).not.toBe((await list(alice)).rows.at(-1)?.id);
  });

  test('without a wallet nothing is recorded', async () => {
    const walletless = await person(server, 'Nobody');
    expect(await record(walletless, recording(1))).toMatchObject({ status: 409, body: { code: 'no-wallet' } });
  });

  test.each([
    ['no signature', { signature: 'x'.repeat(70) }, 'signature'],
    ['a signature of 63 bytes', { signature: bs58.encode(new Uint8Array(63).fill(255)) }, 'signature'],
    ['no amount', { lamports: 0 }, 'lamports'],
    ['a part of a lamport', { lamports: 0.5 }, 'lamports'],
    ['no address', { recipient: 'me' }, 'recipient'],
    ['a trade, which only the server records', { type: 'buy' }, 'type'],
    ['an arrival, which only the server records', { type: 'transfer_in' }, 'type'],
  ])('%s is rejected', async (_name, given, field) => {
    const reply = await record(alice, recording(3, given));
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
    expect(reply.body).toHaveProperty(['details', field]);
  });

  test('beyond the limit of pending ones recording is rejected, but repeated recordings still respond', async () => {
    const many = await withWallet('Many');
    for (const number of Array(PENDING_MAX).keys()) expect((await record(many, recording(number))).status).toBe(200);
    expect(await record(many, recording(PENDING_MAX))).toMatchObject({ status: 409, body: { code: 'limit-reached' } });
    expect((await record(many, recording(0))).status).toBe(200);
    expect((await record(bob, recording(7))).status).toBe(200);
  });

  test('too many in a short time are rejected, and without a cluster all are', async () => {
    const limits = { ...noLimits, recordTransactionPerUser: { tries: 2, seconds: 60 } };
    const other = await startTestServer({ limits });
    try {
      const owner = await withWallet('Alice', other);
      const codes = [];
      for (const number of [1, 2, 3]) codes.push((await record(owner, recording(number))).body);
      expect(codes).toMatchObject([
        { code: 'chain-unavailable' },
        { code: 'chain-unavailable' },
        { code: 'too-many-requests' },
      ]);
    } finally {
      await other.stop();
    }
  });
});

describe('access to transactions [S6-04, S7.2-10]', () => {
  test('those of other users are forbidden, whether they exist or not; nothing without a session', async () => {
    for (const id of [alice.id, '0'.repeat(24)]) {
      const forbidden = { status: 403, body: { code: 'forbidden' } };
      expect(await bob.call(pathOf({ id }))).toMatchObject(forbidden);
      expect(await record(bob, recording(8), { id })).toMatchObject(forbidden);
      expect((await server.fetchJson(pathOf({ id }))).status).toBe(401);
    }
  });

  test("an administrator reads any user's, which is recorded, and records no other user's", async () => {
    const { rows } = await list(admin, '', alice);
    expect(rows).toEqual((await list(alice)).rows);
    const looks = await server.connection.collection('audit').find({ action: 'user-looked-up' }).toArray();
    expect(looks).toMatchObject([{ actorName: 'Root', object: 'transactions' }]);
    expect(looks[0]?.subjectId.toHexString()).toBe(alice.id);
    expect(await record(admin, recording(8), alice)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('the list', () => {
  let paged: Person;
  let all: Transaction[];

  beforeAll(async () => {
    paged = await withWallet('Paged');
    for (const number of Array(12).keys()) {
      const type = number % 3 === 0 ? 'airdrop' : 'transfer_out';
      await record(paged, recording(number, { type }));
    }
    const collection = server.connection.collection('transactions');
    await collection.updateMany({ signature: { $in: [signature(1), signature(3)] } }, { $set: { status: 'failed' } });
    // Several of the same millisecond: the order must still be total.
    const at = new Date('2026-11-21T00:00:00Z');
    await collection.updateMany({ signature: { $in: [4, 5, 6, 7].map(signature) } }, { $set: { createdAt: at } });
    all = (await list(paged)).rows;
  });

  test('is newest first, and its pages are complete', async () => {
    expect(all).toHaveLength(12);
    const times = all.map(({ createdAt }) => createdAt);
    for (const [at, time] of times.entries()) expect(time <= (times[at - 1] ?? time)).toBe(true);
    const found: Transaction[] = [];
    for (let before = ''; ; ) {
      const { rows, total } = await list(paged, `?limit=5${before}`);
      expect(total).toBe(12);
      found.push(...rows);
      const last = rows.at(-1);
      if (!last) break;
      before = `&before=${Date.parse(last.createdAt)}_${last.id}`;
    }
    expect(found).toEqual(all);
  });

  test.each([
    ['?type=airdrop', 4],
    ['?status=failed', 2],
    ['?type=airdrop&status=failed', 1],
    ['?type=airdrop&status=pending&limit=2', 3],
    ['?type=buy', 0],
  ])('%s filters, and returns the count', async (query, total) => {
    const [, type] = /type=(\w+)/.exec(query) ?? [];
    const [, status] = /status=(\w+)/.exec(query) ?? [];
    const page = await list(paged, query);
    expect(page.total).toBe(total);
    expect(page.rows).toHaveLength(Math.min(total, query.includes('limit') ? 2 : 50));
    for (const row of page.rows) expect(row).toMatchObject({ ...(type && { type }), ...(status && { status }) });
  });

  test.each(['?before=1', '?before=1_xyz', '?type=gift', '?status=Unknown', '?limit=0', '?limit=501', '?page=2'])(
    '%s is rejected',
    async (query) => {
      expect((await paged.call(pathOf(paged) + query)).status).toBe(400);
    },
  );
});

test('each recording reaches the tabs of its user once, and no other user [S6-04]', async () => {
  const received = new Map<string, unknown[]>();
  const sockets = await Promise.all([alice, bob, admin].map((one) => listening(one, received)));
  const refused = await sockets[1]?.emitWithAck('subscribe', { topic: `user:${alice.id}` });
  expect(refused).toMatchObject({ code: 'forbidden' });
  const recorded = await record(alice, recording(20));
  await record(alice, recording(20));
  await record(alice, recording(21));
  await expect.poll(() => received.get(alice.id)).toHaveLength(2);
  expect(received.get(alice.id)?.[0]).toEqual(recorded.body);
  // Every earlier event has arrived by the time of this response.
  for (const socket of sockets) await socket.emitWithAck('echo', {});
  expect(received.get(bob.id)).toEqual([]);
  expect(received.get(admin.id)).toEqual([]);
});

async function listening({ id, cookie }: Person, received: Map<string, unknown[]>) {
  const socket = await socketOf(server, { cookie });
  const events: unknown[] = [];
  received.set(id, events);
  socket.on('transaction', (event: unknown) => events.push(event));
  expect(await socket.emitWithAck('subscribe', { topic: `user:${id}` })).toEqual({ ok: true });
  return socket;
}
