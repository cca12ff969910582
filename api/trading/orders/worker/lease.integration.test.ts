import { beforeEach, expect, test } from 'vitest';
import { testConnection } from '../../../testing/database.ts';
import { createLease, hasEnded, holderName, LEASE_MS, leaseModel } from './lease.ts';

const connection = await testConnection();
let now = Date.UTC(2026, 10, 23);
const clock = { now: () => now };

beforeEach(() => leaseModel(connection).deleteMany({}));

const lease = (by: string) => createLease({ model: leaseModel(connection), id: 'trading', by, clock });

test('one holder at a time has the lease, and keeps it by renewing [O9]', async () => {
  const [one, other] = [lease('host 1 a'), lease('elsewhere 2 b')];
  expect([await one.renew(), await other.renew()]).toEqual([true, false]);
  expect([one.isHeld(), other.isHeld()]).toEqual([true, false]);
  now += LEASE_MS - 1;
  expect([await one.renew(), await other.renew()]).toEqual([true, false]);
  now += LEASE_MS - 1;
  expect(one.isHeld()).toBe(true);
});

test('ends by itself, and the next holder takes it', async () => {
  const [one, other] = [lease('host 1 a'), lease('elsewhere 2 b')];
  await one.renew();
  now += LEASE_MS;
  expect(one.isHeld()).toBe(false);
  now += 1;
  expect([await other.renew(), await one.renew()]).toEqual([true, false]);
});

test('is given to one of many that want it at once, new or over', async () => {
  for (let round = 0; round < 5; round += 1) {
    const all = Array.from({ length: 10 }, (_, at) => lease(`host ${at} ${round}`));
    const held = await Promise.all(all.map((one) => one.renew()));
    expect(held.filter(Boolean)).toHaveLength(1);
    now += LEASE_MS + 1;
  }
});

test('is free at once when its holder releases it, but not by the release of another one', async () => {
  const [one, other] = [lease('host 1 a'), lease('elsewhere 2 b')];
  await one.renew();
  await other.release();
  expect(await other.renew()).toBe(false);
  await one.release();
  expect([one.isHeld(), await other.renew()]).toEqual([false, true]);
});

test('is taken from an earlier process of this machine without waiting', async () => {
  const own = holderName('second');
  const [host = ''] = own.split(' ');
  await lease(`${host} ${process.pid} first`).renew();
  expect(await lease(own).renew()).toBe(true);
  // No process has an id beyond the largest one.
  expect(hasEnded(`${host} 99999999 first`, own)).toBe(true);
  expect(hasEnded(`${host} ${process.ppid} first`, own)).toBe(false);
  expect(hasEnded(`elsewhere ${process.pid} first`, own)).toBe(false);
  expect(hasEnded(own, own)).toBe(false);
});
