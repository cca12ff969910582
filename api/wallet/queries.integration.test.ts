import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { type Audit, openAudit } from '../audit/service.ts';
import { masterKey, masterKeyText } from '../config/master-key.ts';
import { dataKeyModel } from '../keys/model.ts';
import { rewrapAll } from '../keys/rotate.ts';
import { openKeys } from '../keys/service.ts';
import { testConnection } from '../testing/database.ts';
import { type Explained, expectIndexed, explainer } from '../testing/explain.ts';
import { testWallet } from '../testing/wallets.ts';
import { openWallets, type Wallets } from './service.ts';

const clock = { now: Date.now };
const master = masterKey(Buffer.alloc(32, 1));
const ids = Array.from({ length: 30 }, () => new Types.ObjectId());
const [user = new Types.ObjectId()] = ids;
const userId = user.toHexString();
const by = { user: { _id: user, username: 'Somebody' }, address: '198.51.100.7' };

const connection = await testConnection({ monitorCommands: true });
let wallets: Wallets;
let audit: Audit;
let explained: Explained;

beforeAll(async () => {
  audit = await openAudit(connection, clock);
  const config = { walletMasterKeys: [masterKeyText(master)], dataDir: '/nowhere' };
  const keys = await openKeys(connection, config, clock);
  wallets = await openWallets(connection, { keys, audit, clock });
  for (const [number, id] of ids.entries()) {
    await wallets.save(id.toHexString(), testWallet(number), by);
    await wallets.save(id.toHexString(), testWallet(number + 100), by);
  }
  explained = explainer(connection);
});

test.each<[string, () => Promise<unknown>]>([
  ['the wallet of a user', () => wallets.current(userId)],
  ['the users of a wallet', () => wallets.usersOf(testWallet(101).walletAddress)],
  ['the replaced wallets', () => wallets.previous(userId)],
  ['a private key', () => wallets.secretKey(userId)],
  ['what concerns a user', () => audit.listAbout(userId, { limit: 50 })],
  ['what is left to wrap anew', () => rewrapAll(dataKeyModel(connection), [master], (size) => Buffer.alloc(size))],
])('%s reads by an index, without sorting', async (_name, run) => {
  expectIndexed(await explained.plans(run));
});

test('what concerns a user comes newest first, and no more than asked for', async () => {
  const records = await audit.listAbout(userId, { limit: 1 });
  expect(records.map(({ action, object }) => ({ action, object }))).toEqual([
    { action: 'wallet-replaced', object: testWallet(100).walletAddress },
  ]);
  expect(await audit.listAbout(userId, { limit: 50 })).toHaveLength(2);
});
