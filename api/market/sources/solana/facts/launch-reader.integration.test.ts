import { PublicKey } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRpc, type Rpc } from '../../../../chain/rpc.ts';
import { type FakeNode, startFakeNode } from '../../../../chain/testing/fake-node.ts';
import type { Observation } from '../../observation.ts';
import { eventually, testContext } from '../../testing/source-context.ts';
import { createUnreadable, type Unreadable } from '../feed/unreadable.ts';
import { fixture } from '../testing/events.ts';
import { createLaunchReader } from './launch-reader.ts';

const NOW = 1_000_000;
const address = (number: number) => new PublicKey(Buffer.alloc(32, number)).toBase58();
/** Stands for the wallet that the transaction of the creation paid. */
const creation = address(50);
const [developer, payer, exchange, common, ...buyers] = Array.from({ length: 24 }, (_, index) => address(index + 1));

let node: FakeNode;
let rpc: Rpc;
let unreadable: Unreadable;
/** Number of transactions of each wallet, and who paid for its first one. */
let history: Record<string, { count: number; funder: string }>;

beforeEach(async () => {
  node = await startFakeNode();
  rpc = createRpc({
    url: node.rpcUrl,
    random: () => 0.5,
    limits: { perSecond: 10_000, burst: 10_000, retries: 1, retryBaseMs: 5 },
  });
  unreadable = createUnreadable();
  history = {};
  node.on('getSignaturesForAddress', ([wallet, options]) => {
    const { limit } = options as { limit: number };
    const count = Math.min(limit, history[String(wallet)]?.count ?? 0);
    const entry = (signature: string) => ({ signature, slot: 5, err: null, memo: null, blockTime: null });
    return { result: Array.from({ length: count }, (_, index) => entry(`${count - index} of ${String(wallet)}`)) };
  });
  node.on('getTransaction', ([signature]) => {
    const wallet = String(signature).split(' of ').at(-1) ?? '';
    const found = history[wallet];
    return { result: found === undefined ? null : transaction(String(signature), found.funder, wallet) };
  });
});
afterEach(async () => {
  unreadable.stop();
  rpc.stop();
  await node.close();
});

/** Returns a transfer of 1 SOL from `from` to `to`, as a node returns it without parsing. */
function transaction(signature: string, from: string, to: string): unknown {
  const { result } = JSON.parse(fixture('getTransaction_create_v2.json'));
  const header = { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 };
  const accountKeys = from === to ? [from] : [from, to];
  const message = { header, accountKeys, recentBlockhash: address(99), instructions: [] };
  const balances = { preBalances: [5_000_000_000, 0], postBalances: [3_999_995_000, 1_000_000_000] };
  return {
    ...result,
    version: 'legacy',
    transaction: { signatures: [signature], message },
    meta: { ...result.meta, ...balances, innerInstructions: [] },
  };
}

/** Reads a launch with these buyers so many times and returns the observations; `stops`: stops the reader at once. */
async function read(buyers: readonly string[], { launches = 1, stops = false } = {}): Promise<Observation[]> {
  const { log, observe, observations } = testContext();
  const reader = createLaunchReader({ rpc, clock: { now: () => NOW }, log, observe, unreadable });
  const launch = { address: 'coin', signature: `1 of ${creation}`, developer: new Set([developer ?? '']), buyers };
  reader.push(Array.from({ length: launches }, () => launch));
  if (stops) reader.stop();
  await eventually(() => reader.size()).toBe(0);
  return observations;
}

test('an unreadable transaction of a buyer leaves the payer known, and the funders unknown', async () => {
  const [fresh = '', newer = ''] = buyers;
  history = { [creation]: { count: 1, funder: payer ?? '' }, [fresh]: { count: 1, funder: developer ?? '' } };
  const error = { code: -32_015, message: 'Transaction version (2) is not supported by the requesting client.' };
  node.on('getTransaction', ([signature], nth) => {
    const wallet = String(signature).split(' of ').at(-1) ?? '';
    return nth === 1 ? { error } : { result: transaction(String(signature), history[wallet]?.funder ?? '', wallet) };
  });
  history[newer] = { count: 1, funder: common ?? '' };
  const [observed] = await read([newer, fresh]);
  expect(observed).toMatchObject({ facts: { feePayer: payer } });
  expect(observed).not.toHaveProperty('facts.funders');
  expect([unreadable.count(), unreadable.versions()]).toEqual([1, [2]]);
});

test('reads the fee payer and the funders of fresh buyers', async () => {
  const [fresh = '', old = '', self = '', none = ''] = buyers;
  history = {
    [creation]: { count: 1, funder: payer ?? '' },
    [fresh]: { count: 3, funder: developer ?? '' },
    [old]: { count: 100, funder: developer ?? '' },
    [self]: { count: 2, funder: self },
  };
  expect(await read([fresh, old, self, none])).toEqual([
    {
      kind: 'facts',
      source: 'rpc',
      at: NOW,
      receivedAt: NOW,
      address: 'coin',
      slot: null,
      facts: { feePayer: payer, funders: [{ wallet: fresh, funder: developer }] },
    },
  ]);
  // The oldest of its transactions is read.
  expect(node.callsOf('getTransaction').map(({ params }) => params[0])).toContain(`1 of ${fresh}`);
});

test('leaves out a common funder that serves the public, and keeps one that does not', async () => {
  for (const [index, wallet] of buyers.slice(0, 6).entries()) {
    history[wallet] = { count: 1, funder: (index < 3 ? exchange : common) ?? '' };
  }
  history[exchange ?? ''] = { count: 1_000, funder: '' };
  history[common ?? ''] = { count: 999, funder: '' };
  const observations = await read(buyers.slice(0, 6));
  const funders = observations.flatMap((one) => (one.kind === 'facts' ? (one.facts.funders ?? []) : []));
  expect(funders).toEqual(buyers.slice(3, 6).map((wallet) => ({ wallet, funder: common })));
});

test('asks for at most two calls a wallet, and for none about a wallet it knows', async () => {
  for (const wallet of buyers) history[wallet] = { count: 2, funder: developer ?? '' };
  await read(buyers, { launches: 2 });
  expect(node.callsOf('getSignaturesForAddress')).toHaveLength(buyers.length);
  expect(node.callsOf('getTransaction')).toHaveLength(buyers.length + 2);
});

test('a node that fails leaves the launch unread, and the next one is read', async () => {
  node.on('getTransaction', (_params, nth) =>
    nth === 0 ? { error: { code: -32_000, message: 'no' } } : { result: null },
  );
  expect(await read([], { launches: 2 })).toMatchObject([{ facts: { feePayer: null, funders: [] } }]);
});

test('observes nothing after stop', async () => {
  expect(await read([], { stops: true })).toEqual([]);
});
