import { appendFile, copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Connection as ChainConnection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import mongoose, { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { claimDirectory, DATA_FORMAT, UNNUMBERED_VERSION } from '../api/platform/data-format.ts';
import { testFolder } from '../api/testing/folder.ts';
import { sessionUserSchema } from '../common/auth/model.ts';
import { cookieOf, post, startProduct } from './resilience/product.ts';
import { startBuiltMongo } from './testing/embedded-mongo.ts';
import { startBuiltChain } from './testing/local-chain.ts';
import { runCommand } from './testing/run-command.ts';

/** The first run may have to build the server. */
const SLOW = 240_000;
const PASSWORD = 'correct-horse-battery';
const { Binary, Decimal128, Long, ObjectId } = mongo;

const folder = await testFolder('backup');

const within = (name: string) => path.join(folder, name);

const run = (command: 'backup' | 'restore', backup: string, dataDir: string) =>
  runCommand('backup.mjs', dataDir, [command, backup]);

/** Starts the services of a data directory as a running Mintwatch holds them. */
async function startServices(dataDir: string) {
  await claimDirectory(dataDir);
  const server = await startBuiltMongo(path.join(dataDir, 'mongo'), { alone: true });
  const chain = await startBuiltChain(path.join(dataDir, 'chain'), { port: 0, slotMs: 50 });
  const env = { MONGODB_URI: server.uri, SOLANA_RPC_URL: chain.rpcUrl, SOLANA_WS_URL: chain.wsUrl };
  const connection = await mongoose.createConnection(server.uri, { autoIndex: false }).asPromise();
  return {
    product: () => startProduct({ ...env, DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, MARKET: 'off' }),
    collection: (name: string) => connection.getClient().db().collection<{ _id: unknown }>(name),
    chain: new ChainConnection(chain.rpcUrl, { commitment: 'confirmed', wsEndpoint: chain.wsUrl }),
    async stop() {
      await connection.close();
      await Promise.all([server.stop(), chain.stop()]);
    },
  };
}

/** Signs a user in. Returns their calls below their own address. */
async function entered(url: string, how: 'register' | 'login') {
  const response = await post(url, `/api/auth/${how}`, { username: 'Keeper', password: PASSWORD });
  expect(response.status).toBe(200);
  const cookie = cookieOf(response);
  const { id } = sessionUserSchema.parse(await response.json());
  return {
    async call(where: string, body: object) {
      const reply = await fetch(`${url}/api/users/${id}/${where}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: reply.status, body: await reply.json() };
    },
  };
}

/** Every type that the server stores, more documents than one batch, and one larger than a read. */
const documents = [
  {
    _id: new ObjectId(),
    name: 'Alice',
    at: new Date(1_800_000_000_000),
    lamports: Long.fromString('9007199254740993'),
  },
  {
    _id: 'text',
    sealed: new Binary(Buffer.from([0, 1, 255])),
    whole: 5,
    broken: 0.1,
    none: null,
    list: [1, { a: [] }],
  },
  { _id: 'more', exact: new Decimal128('0.1'), double: new mongo.Double(5), long: 'x'.repeat(300_000), pattern: /a+/i },
];
const many = Array.from({ length: 1_200 }, (_, _id) => ({ _id, text: `entry ${_id}` }));

const rawOf = async (collection: mongo.Collection<{ _id: unknown }>) =>
  (await collection.find({}, { raw: true }).sort({ _id: 1 }).toArray()).map((raw) =>
    Buffer.from(Object(raw)).toString('hex'),
  );

test('a backup of a running Mintwatch restores into an empty folder, where the product starts', {
  timeout: SLOW,
}, async () => {
  const pair = Keypair.generate();
  const wallet = { walletAddress: pair.publicKey.toBase58(), privateKey: Buffer.from(pair.secretKey).toString('hex') };
  const first = await startServices(within('first'));
  const product = await first.product();
  const { call } = await entered(product.url, 'register');
  expect(await call('wallet', wallet)).toMatchObject({ status: 200 });
  await first.collection('things').insertMany(documents);
  await first.collection('entries').insertMany(many);
  await first.chain.confirmTransaction(await first.chain.requestAirdrop(pair.publicKey, LAMPORTS_PER_SOL), 'confirmed');
  const collections = ['things', 'entries', 'users', 'wallets', 'dataKeys'];
  const rawOfAll = (services: typeof first) => Promise.all(collections.map((name) => rawOf(services.collection(name))));
  const before = await rawOfAll(first);

  const made = await run('backup', within('backup'), within('first'));
  expect(made).toMatchObject({ code: 0, errors: '' });
  expect(made.output).toMatch(/Backup in .+: 1[2-9]\d\d documents and the local chain\./);
  expect(made.output).toContain(`Not in it, to be kept apart: ${within('first/wallet-master-key')}`);
  expect(await product.stop()).toBe(0);
  await first.stop();
  expect((await stat(within('backup'))).mode & 0o077).toBe(0);
  const files = (await readdir(within('backup'), { recursive: true })).sort();
  expect(files.filter((file) => file.includes('key') && !file.endsWith('.bson'))).toEqual([]);

  // A file in the place of the chain's folder, which is only met once the database is restored.
  await claimDirectory(within('second'));
  await writeFile(within('second/chain'), '');
  expect(await run('restore', within('backup'), within('second'))).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^The restore failed: EEXIST.+ Nothing is left of it: mend this and restore again\.$/,
    ),
  });
  await rm(within('second/chain'));
  const restored = await run('restore', within('backup'), within('second'));
  expect(restored).toMatchObject({ code: 0, errors: '' });
  expect(restored.output).toContain(`put the key files of that time into ${within('second')}`);
  await copyFile(within('first/wallet-master-key'), within('second/wallet-master-key'));
  const second = await startServices(within('second'));
  expect(await rawOfAll(second)).toEqual(before);
  const again = await second.product();
  const user = await entered(again.url, 'login');
  expect(await user.call('wallet/reveal', { password: PASSWORD })).toEqual({ status: 200, body: wallet });
  expect(await second.chain.getBalance(pair.publicKey)).toBe(LAMPORTS_PER_SOL);
  expect(await again.stop()).toBe(0);
  await second.stop();
});

test('refuses a folder in use, a filled database, and a damaged backup, each in one line', {
  timeout: SLOW,
}, async () => {
  const refused = async (...order: Parameters<typeof run>) => {
    const { code, errors } = await run(...order);
    return { code, errors };
  };
  expect(await refused('backup', within('backup'), within('first'))).toEqual({
    code: 1,
    errors: `${within('backup')} exists already. Name a folder that does not exist yet.`,
  });
  expect(await refused('restore', within('backup'), within('first'))).toEqual({
    code: 1,
    errors: `${within('first/chain')} holds a chain already. Set DATA_DIR to an empty folder.`,
  });
  expect(await refused('restore', within('nothing'), within('third'))).toEqual({
    code: 1,
    errors: `${within('nothing')} holds no complete backup: backup.json cannot be read.`,
  });
  const manifest = await readFile(within('backup/backup.json'), 'utf8');
  expect(manifest).toContain(`"dataFormat": ${DATA_FORMAT}`);
  for (const [dataFormat, found, reader] of [
    [`"dataFormat": ${DATA_FORMAT + 1}`, `of format ${DATA_FORMAT + 1}`, '9.8.7'],
    ['"format": 2', 'without a format number', UNNUMBERED_VERSION],
  ]) {
    const other = manifest.replace(`"dataFormat": ${DATA_FORMAT}`, `${dataFormat}`).replace('0.1.0', '9.8.7');
    await writeFile(within('backup/backup.json'), other);
    expect(await refused('restore', within('backup'), within('third'))).toEqual({
      code: 1,
      errors: `${within('backup')} is a backup ${found}; Mintwatch 0.1.0 reads formats 1 to ${DATA_FORMAT} only. Restore it with version ${reader}.`,
    });
  }
  await writeFile(within('backup/backup.json'), manifest);
  await rm(within('first/chain'), { recursive: true });
  expect(await refused('restore', within('backup'), within('first'))).toEqual({
    code: 1,
    errors: 'The database is not empty. A backup is restored into an empty one: set DATA_DIR or MONGODB_URI.',
  });
  for (const file of ['chain/state.json', 'mongo/users.bson']) {
    await appendFile(within(`backup/${file}`), 'x');
    expect(await refused('restore', within('backup'), within('third'))).toEqual({
      code: 1,
      errors: `The backup is damaged: ${within(`backup/${file}`)} is not as it was written.`,
    });
  }
});
