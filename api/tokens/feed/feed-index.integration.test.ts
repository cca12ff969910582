import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { MINUTE } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { diffToken } from '../../../common/tokens/patch.ts';
import { createMemoryLog } from '../../../realtime/feed-log/memory.ts';
import { testConnection } from '../../testing/database.ts';
import { addressNumber, nothingLive, tokenRecord } from '../../testing/tokens.ts';
import { createListIndex } from '../list-index/list-index.ts';
import { tokenModels } from '../model.ts';
import { presentToken } from '../present.ts';
import type { TokenRecord } from '../record.ts';
import { createTokenQueries } from '../service.ts';
import { createFeedIndex } from './feed-index.ts';

const NOW = Date.UTC(2026, 8, 1, 12);
const clock = { now: () => NOW };
const log = pino({ level: 'silent' });
const connection = await testConnection({ monitorCommands: true });
const models = tokenModels(connection);
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await models.tokens.deleteMany({});
});

const record = (number: number, overrides: Partial<TokenRecord> = {}) =>
  tokenRecord(number, { createdAt: NOW - number * MINUTE, ...overrides });

/** Creates the index of a process without the market, and a worker that publishes to the same feed. */
function openBoth() {
  const feedLog = createMemoryLog({ clock });
  const worker = createListIndex();
  const published = new Map<string, Token>();
  const index = createFeedIndex({ tokens: models.tokens, feedLog, clock, log });
  closing.push(index.stop);
  const market = { ...nothingLive, solUsd: () => null, simulated: () => false };
  const queries = createTokenQueries({ models, index, market, clock });

  /** Publishes the state of a record; without a former state as a new token. */
  async function publish(next: TokenRecord, solUsd: number | null = null): Promise<void> {
    const token = presentToken(next);
    const before = published.get(token.address);
    const patch = before && diffToken(before, token, solUsd);
    worker.put(token, NOW);
    published.set(token.address, token);
    if (before === undefined) await feedLog.append([{ event: 'new-token', payload: { token } }]);
    else if (patch) await feedLog.append([{ event: 'token-updates', payload: { at: NOW, solUsd, patches: [patch] } }]);
  }

  async function list(filter?: 'runners') {
    const { records, total } = await queries.list({ sort: 'liquidity', filter });
    return { tokens: records.map((row) => index.current(presentToken(row))), total };
  }

  /** Returns the same list as the worker has it in memory. */
  function listOfWorker() {
    const { addresses, total } = worker.page(
      { sort: 'liquidity', order: 'desc', limit: 100 },
      { now: NOW, solUsd: null },
    );
    return { tokens: addresses.map((address) => published.get(address)), total };
  }
  return { feedLog, index, queries, publish, list, listOfWorker };
}

test('a list equals that of the worker, whose changes are published before, during and after the load', async () => {
  const { index, publish, list, listOfWorker } = openBoth();
  const lamports = (number: number) => number * 1_000_000_000;
  await models.tokens.insertMany([0, 1, 2, 3].map((number) => record(number)));
  for (const number of [0, 1, 2]) await publish(record(number));
  // Stored by no checkpoint yet.
  await publish(record(0, { version: 2, lastUpdated: NOW, liquidityLamports: lamports(5), holderCount: 7 }));
  index.start();
  await publish(record(1, { version: 2, lastUpdated: NOW, liquidityLamports: lamports(9), runner: true }));
  await publish(record(3));
  expect(await list()).toEqual(listOfWorker());
  await publish(
    record(2, { version: 2, lastUpdated: NOW, liquidityLamports: lamports(7), price: 0.000_000_1, marketCapUsd: 15 }),
    150,
  );
  await models.tokens.insertMany([record(4, { liquidityLamports: lamports(6) })]);
  await publish(record(4, { liquidityLamports: lamports(6) }));
  const { tokens, total } = await list();
  expect({ tokens, total }).toEqual(listOfWorker());
  expect([tokens.map(({ address }) => address), total]).toEqual([[1, 2, 4, 0, 3].map(addressNumber), 5]);
  expect((await list('runners')).total).toBe(1);
});

test('a removed token leaves the lists', async () => {
  const { index, feedLog, list } = openBoth();
  await models.tokens.insertMany([record(0), record(1)]);
  index.start();
  expect((await list()).total).toBe(2);
  await feedLog.append([{ event: 'tokens-removed', payload: { addresses: [addressNumber(0)] } }]);
  expect(await list()).toMatchObject({ total: 1, tokens: [{ address: addressNumber(1) }] });
  await feedLog.append([{ event: 'tokens-removed', payload: { all: true } }]);
  expect(await list()).toEqual({ total: 0, tokens: [] });
});

test('a new epoch of the feed loads the index again, without the changes of the former epoch', async () => {
  const { index, feedLog, publish, list } = openBoth();
  await models.tokens.insertMany([record(0)]);
  index.start();
  await publish(record(0));
  await publish(record(0, { version: 9, holderCount: 7 }));
  expect(await list()).toMatchObject({ tokens: [{ holderCount: 7 }] });
  await models.tokens.insertMany([record(1)]);
  expect((await list()).total).toBe(1);
  await feedLog.begin(() => true);
  expect(await list()).toMatchObject({ total: 2, tokens: [{ version: 1, holderCount: 1 }, { version: 1 }] });
});

test('an interruption that leaves the position of the feed loads nothing again', async () => {
  const { feedLog } = openBoth();
  const interruptions: (() => void)[] = [];
  const tail: typeof feedLog.tail = (next) => {
    interruptions.push(() => next.interrupted('too-old'));
    return feedLog.tail(next);
  };
  await models.tokens.insertMany([record(0)]);
  const index = createFeedIndex({ tokens: models.tokens, feedLog: { ...feedLog, tail }, clock, log });
  closing.push(index.stop);
  index.start();
  await index.ready();
  await models.tokens.insertMany([record(1)]);
  for (const interrupt of interruptions) interrupt();
  await index.ready();
  expect([interruptions.length, index.size]).toEqual([1, 1]);
  await feedLog.append([{ event: 'tokens-removed', payload: { addresses: [addressNumber(0)] } }]);
  for (const interrupt of interruptions) interrupt();
  await index.ready();
  expect(index.size).toBe(0);
});

test('the index keeps its tokens until those of a new epoch are loaded', async () => {
  const { index, feedLog } = openBoth();
  await models.tokens.insertMany([record(0), record(1)]);
  index.start();
  await index.ready();
  await models.tokens.deleteMany({ _id: addressNumber(1) });
  await feedLog.begin(() => true);
  expect(index.size).toBe(2);
  await index.ready();
  expect(index.size).toBe(1);
});

test('counts are those of the new epoch when it begins while the tokens are counted', async () => {
  const { index, feedLog, queries } = openBoth();
  await models.tokens.insertMany([record(0)]);
  index.start();
  await index.ready();
  await models.tokens.insertMany([record(1, { runner: true })]);
  const client = connection.getClient();
  const beginOnce = () => client.once('commandStarted', () => void feedLog.begin(() => true));
  beginOnce();
  expect(await queries.stats()).toMatchObject({ total: 2, runners: 1 });
  await models.tokens.insertMany([record(2, { runner: true })]);
  queries.recount();
  beginOnce();
  expect(await queries.facets({})).toMatchObject({ total: 3, matching: 3 });
});

test('a load that fails is repeated', async () => {
  const { feedLog, publish } = openBoth();
  await models.tokens.insertMany([record(0)]);
  await publish(record(0));
  let reads = 0;
  const since: typeof feedLog.since = async (cursor, limit) => {
    reads += 1;
    return reads === 1 ? { resync: 'too-old' } : feedLog.since(cursor, limit);
  };
  const index = createFeedIndex({ tokens: models.tokens, feedLog: { ...feedLog, since }, clock, log });
  closing.push(index.stop);
  index.start();
  await index.ready();
  expect([reads, index.size]).toEqual([2, 1]);
});
