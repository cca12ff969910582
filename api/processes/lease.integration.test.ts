import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testConnection } from '../testing/database.ts';
import { createLease, holderMarket, holderUrl, type Lease, type LeaseTimes, type MarketFacts } from './lease.ts';

const connection = await testConnection();
const leases = connection.collection<{ _id: string; until: Date; holder: string; number: number }>('leases');
const log = pino({ level: 'silent' });
/** A lease that is renewed within any test, and one whose holder renews too late: as if it were frozen. */
const QUICK: LeaseTimes = { lease: 60_000, margin: 1_000, renew: 20, retry: 10 };
const FROZEN: LeaseTimes = { ...QUICK, renew: 3_600_000 };

const opened: Lease[] = [];
function process(times = QUICK, isAlone = false) {
  const lease = createLease({ connection, isAlone, log, times });
  opened.push(lease);
  return lease;
}

/** Ends the lease in the database, as time does. */
const expire = () => leases.updateOne({ _id: 'worker' }, { $set: { until: new Date(0) } });

beforeEach(() => leases.deleteMany({}));
afterEach(async () => {
  for (const lease of opened.splice(0)) await lease.release();
});

test('one holder at a time has the lease; the next one stands by, and names it [O9]', async () => {
  const [one, other] = [process(), process()];
  const standby: string[] = [];
  await one.acquire((holder) => standby.push(holder));
  expect([one.isHeld(), one.number(), standby]).toEqual([true, 1, []]);
  let hasTurn = false;
  const turn = other
    .acquire((holder) => standby.push(holder))
    .then(() => {
      hasTurn = true;
    });
  await expect.poll(() => standby).toEqual([expect.stringContaining(` ${globalThis.process.pid} `)]);
  const before = (await leases.findOne({ _id: 'worker' }))?.until.getTime() ?? 0;
  // The holder renews meanwhile.
  await expect.poll(async () => (await leases.findOne({ _id: 'worker' }))?.until.getTime()).toBeGreaterThan(before);
  expect([hasTurn, other.isHeld()]).toEqual([false, false]);
  await one.release();
  await turn;
  expect([one.isHeld(), other.isHeld(), other.number()]).toEqual([false, true, 2]);
});

test('is given to one of many that want it at once, new or over', async () => {
  for (let round = 0; round < 5; round += 1) {
    const all = Array.from({ length: 8 }, () => process(FROZEN));
    const ending = new AbortController();
    const turns = all.map((lease) => lease.acquire(() => {}, ending.signal).catch(() => {}));
    await Promise.race(turns);
    expect(all.filter((lease) => lease.isHeld())).toHaveLength(1);
    ending.abort();
    await Promise.all(turns);
    await expire();
  }
});

test('a holder that could not renew in time holds nothing, before another one may take it', async () => {
  const late = process({ lease: 60_000, margin: 59_990, renew: 3_600_000, retry: 3_600_000 });
  await late.acquire(() => {});
  await expect.poll(() => late.isHeld()).toBe(false);
  expect((await leases.findOne({ _id: 'worker' }))?.until.getTime()).toBeGreaterThan(Date.now());
});

test('a holder learns that another one has the lease, and does not take it back', async () => {
  const holder = process();
  await holder.acquire(() => {});
  const lost = new Promise<void>((resolve) => holder.onLost(resolve));
  await leases.updateOne({ _id: 'worker' }, { $set: { holder: 'elsewhere 2 b' } });
  await lost;
  expect(holder.isHeld()).toBe(false);
  expect(await leases.findOne({ _id: 'worker' })).toMatchObject({ holder: 'elsewhere 2 b', number: 1 });
});

test('a holder whose lease another one had meanwhile does not take it back when that one has ended', async () => {
  const holder = process({ ...QUICK, renew: 300 });
  await holder.acquire(() => {});
  await expire();
  const other = process(FROZEN);
  await other.acquire(() => {});
  await other.release();
  const lost = new Promise<void>((resolve) => holder.onLost(resolve));
  await lost;
  expect(holder.isHeld()).toBe(false);
  // Also a listener that comes later.
  await new Promise<void>((resolve) => holder.onLost(resolve));
  const next = process(FROZEN);
  await next.acquire(() => {});
  expect([next.isHeld(), next.number()]).toEqual([true, 3]);
});

test('a release takes it from no other holder', async () => {
  const [one, other] = [process(FROZEN), process(FROZEN)];
  await one.acquire(() => {});
  await expire();
  await other.acquire(() => {});
  await one.release();
  const third = process();
  const ending = new AbortController();
  let stood = false;
  const waiting = third.acquire(() => {
    stood = true;
    ending.abort();
  }, ending.signal);
  await expect(waiting).rejects.toThrow();
  expect([stood, other.isHeld(), third.isHeld()]).toEqual([true, true, false]);
});

test('is taken at once by a process that is proved to be alone', async () => {
  await process(FROZEN).acquire(() => {});
  const alone = process(QUICK, true);
  await alone.acquire(() => expect.unreachable());
  expect([alone.isHeld(), alone.number()]).toEqual([true, 2]);
});

test('goes on when its document was removed', async () => {
  const lease = process();
  lease.onLost(() => expect.unreachable());
  await lease.acquire(() => {});
  await leases.deleteMany({});
  await expect.poll(() => leases.countDocuments()).toBe(1);
  await expect.poll(() => lease.isHeld()).toBe(true);
});

test('the internal address of the holder is found while its lease lasts', async () => {
  expect(await holderUrl(connection)).toBeNull();
  const lease = process();
  await lease.acquire(() => {});
  expect(await holderUrl(connection)).toBeNull();
  await lease.publish('http://10.0.0.7:4000', () => ({ simulated: false, solUsd: null }));
  expect(await holderUrl(connection)).toBe('http://10.0.0.7:4000');
  await lease.release();
  expect(await holderUrl(connection)).toBeNull();
});

test('the facts of the market are stored with each renewal, and stay when the holder ends', async () => {
  expect(await holderMarket(connection)).toBeNull();
  const lease = process();
  await lease.acquire(() => {});
  const facts: MarketFacts = { simulated: true, solUsd: null };
  await lease.publish('http://10.0.0.7:4000', () => facts);
  expect(await holderMarket(connection)).toEqual(facts);
  // A text with a dollar sign is no expression of the database.
  facts.solUsd = { rate: 150, at: '2026-01-01T00:00:00.000Z', source: '$NOW' };
  await expect.poll(() => holderMarket(connection)).toEqual(facts);
  await lease.release();
  expect(await holderMarket(connection)).toEqual(facts);
});
