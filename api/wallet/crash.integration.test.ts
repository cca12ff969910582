import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { RECOVERY_DAYS } from '../../common/wallet/model.ts';
import type { Actor, Audit } from '../audit/service.ts';
import type { Keys } from '../keys/service.ts';
import { ensureIndexes } from '../platform/database.ts';
import { testConnection } from '../testing/database.ts';
import { testWallet } from '../testing/wallets.ts';
import { walletModels } from './model.ts';
import { createWallets, REPLACED_MAX, type Wallets } from './service.ts';
import { createWalletStore, type WalletStore } from './store.ts';

const connection = await testConnection();

const models = walletModels(connection);
await ensureIndexes(models.wallets);
await ensureIndexes(models.replaced);

const by: Actor = { user: { _id: new Types.ObjectId(), username: 'Somebody' }, address: '198.51.100.7' };
const audit: Audit = { record: async () => {}, listAbout: async () => [], list: async () => [] };
/** Seals by writing plain text: these tests are about where a key is, not how it is encrypted. */
const openKeys: Keys = {
  seal: async (_userId, _purpose, plain) => Buffer.from(plain).toString('base64'),
  open: async (_userId, _purpose, sealed) => Buffer.from(sealed, 'base64'),
};

/** In the future: MongoDB deletes records that have expired by the clock of the machine. */
let now = Date.UTC(2099, 10, 21);
const walletsOf = (store: WalletStore): Wallets =>
  createWallets({ store, keys: openKeys, audit, clock: { now: () => now } });

class Crash extends Error {}

/** A process that ends at its write of this number, before it is stored or before anybody learns that it is. */
function crashingStore(store: WalletStore, at: number, when: 'before' | 'after'): WalletStore {
  let writes = 0;
  async function write<Result>(work: () => Promise<Result>): Promise<Result> {
    writes += 1;
    if (writes === at && when === 'before') throw new Crash();
    const result = await work();
    if (writes === at) throw new Crash();
    return result;
  }
  return {
    ...store,
    swap: (present, next) => write(() => store.swap(present, next)),
    saveCopy: (copy) => write(() => store.saveCopy(copy)),
  };
}

/** The addresses whose keys the user can still get at, after any number of recoveries. */
async function reachable(userId: string): Promise<Set<string>> {
  const wallets = walletsOf(createWalletStore(models));
  const found = new Set<string>();
  const look = async () => {
    const { walletAddress, secretKey } = await wallets.secretKey(userId);
    expect(secretKey.toString('hex')).toBe(keyOf(walletAddress));
    found.add(walletAddress);
  };
  if ((await wallets.current(userId))?.hasKey) await look();
  for (const { _id } of await wallets.previous(userId)) {
    await wallets.recover(userId, _id.toHexString(), by);
    await look();
  }
  return found;
}

const [one, two, three] = [testWallet(1), testWallet(2), testWallet(3)];
const keyOf = (address: string) => [one, two, three].find(({ walletAddress }) => walletAddress === address)?.privateKey;

const crashes = [1, 2].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when })));

test.each(crashes)(
  'a crash $when write $at of a replacement loses no key, and the retry works',
  async ({ at, when }) => {
    const userId = new Types.ObjectId().toHexString();
    const store = createWalletStore(models);
    await walletsOf(store).save(userId, one, by);
    await expect(walletsOf(crashingStore(store, at, when)).save(userId, two, by)).rejects.toThrow(Crash);
    expect(await reachable(userId)).toContain(one.walletAddress);
    await walletsOf(store).save(userId, two, by);
    expect(await walletsOf(store).current(userId)).toEqual({ walletAddress: two.walletAddress, hasKey: true });
    expect(await reachable(userId)).toEqual(new Set([one.walletAddress, two.walletAddress]));
  },
);

test.each(crashes)('a crash $when write $at of a recovery loses no key, and the retry works', async ({ at, when }) => {
  const userId = new Types.ObjectId().toHexString();
  const store = createWalletStore(models);
  const wallets = walletsOf(store);
  await wallets.save(userId, one, by);
  await wallets.save(userId, two, by);
  const [previous] = await wallets.previous(userId);
  const id = previous?._id.toHexString() ?? '';
  await expect(walletsOf(crashingStore(store, at, when)).recover(userId, id, by)).rejects.toThrow(Crash);
  expect(await reachable(userId)).toEqual(new Set([one.walletAddress, two.walletAddress]));
});

test('a replacement that was begun and given up shows no second wallet, and the 30 days count from the real one', async () => {
  const userId = new Types.ObjectId().toHexString();
  const store = createWalletStore(models);
  const wallets = walletsOf(store);
  await wallets.save(userId, one, by);
  await expect(walletsOf(crashingStore(store, 1, 'after')).save(userId, two, by)).rejects.toThrow(Crash);
  expect(await wallets.current(userId)).toEqual({ walletAddress: one.walletAddress, hasKey: true });
  expect(await wallets.previous(userId)).toEqual([]);
  now += 29 * 86_400_000;
  await wallets.save(userId, two, by);
  const [{ expiresAt } = { expiresAt: new Date(0) }] = await wallets.previous(userId);
  expect(expiresAt.getTime() - now).toBe(RECOVERY_DAYS * 86_400_000);
});

/** A process that others overtake between the two steps of each of its first changes. */
function overtakenStore(store: WalletStore, others: readonly (() => Promise<unknown>)[]): WalletStore {
  const left = [...others];
  return {
    ...store,
    async swap(present, next) {
      await left.shift()?.();
      return store.swap(present, next);
    },
  };
}

/** Wallets of a process that others overtake, and the actions that it records. */
function overtakenBy(...others: (() => Promise<unknown>)[]) {
  const recorded: string[] = [];
  const record: Audit['record'] = async (action) => void recorded.push(action);
  const store = overtakenStore(createWalletStore(models), others);
  const wallets = createWallets({ store, keys: openKeys, audit: { ...audit, record }, clock: { now: () => now } });
  return { wallets, recorded };
}

test('the slower of two changes in two processes starts again from the result of the faster one, and is recorded once', async () => {
  const userId = new Types.ObjectId().toHexString();
  const faster = walletsOf(createWalletStore(models));
  await faster.save(userId, one, by);
  const { wallets, recorded } = overtakenBy(() => faster.save(userId, two, by));
  expect(await wallets.save(userId, three, by)).toMatchObject({ changed: true });
  expect(await faster.current(userId)).toEqual({ walletAddress: three.walletAddress, hasKey: true });
  expect(await reachable(userId)).toEqual(new Set([one, two, three].map(({ walletAddress }) => walletAddress)));
  expect(recorded).toEqual(['wallet-replaced']);
});

test('the slower of two equal changes in two processes finds the wallet as wanted', async () => {
  const userId = new Types.ObjectId().toHexString();
  const faster = walletsOf(createWalletStore(models));
  const { wallets } = overtakenBy(() => faster.save(userId, one, by));
  expect(await wallets.save(userId, one, by)).toMatchObject({ changed: false });
});

test('a change that is overtaken each time is refused, and no key is lost', async () => {
  const userId = new Types.ObjectId().toHexString();
  const faster = walletsOf(createWalletStore(models));
  await faster.save(userId, one, by);
  const others = [two, one, two].map((wallet) => () => faster.save(userId, wallet, by));
  const { wallets, recorded } = overtakenBy(...others);
  await expect(wallets.save(userId, three, by)).rejects.toMatchObject({ code: 'too-many-requests' });
  expect(await faster.current(userId)).toEqual({ walletAddress: two.walletAddress, hasKey: true });
  expect(await reachable(userId)).toEqual(new Set([one.walletAddress, two.walletAddress]));
  expect(recorded).toEqual(['wallet-replaced']);
});

test('a change of the user waits for no preparation, and the wallet that was not prepared for is not replaced', async () => {
  const userId = new Types.ObjectId().toHexString();
  const wallets = walletsOf(createWalletStore(models));
  await wallets.save(userId, one, by);
  const prepared: string[] = [];
  const replaced = wallets.save(userId, three, by, async (walletAddress) => {
    prepared.push(walletAddress);
    await wallets.save(userId, two, by);
  });
  await expect(replaced).rejects.toMatchObject({ code: 'too-many-requests' });
  expect(prepared).toEqual([one.walletAddress]);
  expect(await wallets.current(userId)).toEqual({ walletAddress: two.walletAddress, hasKey: true });
});

test('a full limit refuses a replacement before it is prepared', async () => {
  const userId = new Types.ObjectId().toHexString();
  const wallets = walletsOf(createWalletStore(models));
  for (let number = 0; number <= REPLACED_MAX; number += 1) await wallets.save(userId, testWallet(300 + number), by);
  const prepare = () => Promise.reject(new Error('must not be called'));
  await expect(wallets.save(userId, one, by, prepare)).rejects.toMatchObject({ code: 'limit-reached' });
});

test('the address of a wallet without a key is just replaced, and gets its key when it is saved with one', async () => {
  const userId = new Types.ObjectId().toHexString();
  const wallets = walletsOf(createWalletStore(models));
  await wallets.setAddress(userId, one.walletAddress, false, by);
  await wallets.setAddress(userId, two.walletAddress, false, by);
  expect(await wallets.previous(userId)).toEqual([]);
  await wallets.save(userId, two, by);
  expect(await wallets.current(userId)).toEqual({ walletAddress: two.walletAddress, hasKey: true });
  expect(await wallets.usersOf(two.walletAddress)).toContain(userId);
  expect(await wallets.usersOf(one.walletAddress)).not.toContain(userId);
});

test('the number of replaced keys per user is limited, and the current key is then not replaced', async () => {
  const userId = new Types.ObjectId().toHexString();
  const wallets = walletsOf(createWalletStore(models));
  for (let number = 0; number <= REPLACED_MAX; number += 1) await wallets.save(userId, testWallet(100 + number), by);
  await expect(wallets.save(userId, one, by)).rejects.toMatchObject({ code: 'limit-reached' });
  expect(await wallets.current(userId)).toMatchObject({ walletAddress: testWallet(100 + REPLACED_MAX).walletAddress });
  expect(await wallets.previous(userId)).toHaveLength(REPLACED_MAX);
});

test('reaching the limit does not keep the owner from recovering the own wallet', async () => {
  const userId = new Types.ObjectId().toHexString();
  const wallets = walletsOf(createWalletStore(models));
  await wallets.save(userId, one, by);
  for (let number = 0; number < REPLACED_MAX; number += 1) await wallets.save(userId, testWallet(200 + number), by);
  const own = (await wallets.previous(userId)).find(({ walletAddress }) => walletAddress === one.walletAddress);
  await wallets.recover(userId, own?._id.toHexString() ?? '', by);
  expect((await wallets.secretKey(userId)).secretKey.toString('hex')).toBe(one.privateKey);
  // That makes no room for more: taking back and saving in turns has an end as well.
  await expect(wallets.save(userId, two, by)).rejects.toMatchObject({ code: 'limit-reached' });
  await wallets.setAddress(userId, three.walletAddress, true, by);
  await expect(wallets.save(userId, two, by)).rejects.toMatchObject({ code: 'limit-reached' });
  await wallets.save(userId, one, by);
  expect(await models.replaced.countDocuments({ userId })).toBe(REPLACED_MAX + 1);
});

test('a change that can not be put on record is not made', async () => {
  const userId = new Types.ObjectId().toHexString();
  const store = createWalletStore(models);
  const wallets = walletsOf(store);
  await wallets.save(userId, one, by);
  await wallets.save(userId, two, by);
  const [previous] = await wallets.previous(userId);
  const record = async () => {
    throw new Crash();
  };
  const unheard = createWallets({ store, keys: openKeys, audit: { ...audit, record }, clock: { now: () => now } });
  await expect(unheard.save(userId, three, by)).rejects.toThrow(Crash);
  await expect(unheard.setAddress(userId, three.walletAddress, true, by)).rejects.toThrow(Crash);
  await expect(unheard.recover(userId, previous?._id.toHexString() ?? '', by)).rejects.toThrow(Crash);
  await expect(unheard.reveal(userId, by)).rejects.toThrow(Crash);
  expect(await wallets.current(userId)).toEqual({ walletAddress: two.walletAddress, hasKey: true });
});
