import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, startFakeNode } from '../../../chain/testing/fake-node.ts';
import { eventually, testContext } from '../testing/source-context.ts';
import { launchLab } from './decode/launchlab.ts';
import { createLaunchpadSource } from './launchpad-source.ts';
import { frameOf, logsOf } from './testing/encode.ts';
import { fixture } from './testing/events.ts';

let node: FakeNode;
let source: ReturnType<typeof createLaunchpadSource>;

beforeEach(async () => {
  node = await startFakeNode();
  node.on('getAccountInfo', () => ({ result: { context: { slot: 1 }, value: null } }));
  source = createLaunchpadSource(launchLab, {
    rpcUrl: node.rpcUrl,
    wsUrl: node.wsUrl,
    clock: { now: () => 1_785_400_002_000 },
    rpcLimits: { perSecond: 1_000, burst: 1_000, retries: 0 },
    patience: { tries: 1, pauseMs: 0 },
    network: { slotMs: () => null, sawVersion() {} },
  });
});
afterEach(async () => {
  await source.stop();
  await node.close();
});

const frame = (signature: string) => frameOf({ signature, slot: 1, logs: logsOf([], launchLab.program) });

test('fetches each transaction of the launchpad once and observes its events', async () => {
  const { transaction, meta, ...rest } = JSON.parse(fixture('getTransaction_launchlab_create_and_buy.json'));
  const message = { accountKeys: [], recentBlockhash: bs58.encode(Buffer.alloc(32)), ...transaction.message };
  const fetched = { ...rest, transaction: { signatures: ['a'], message }, meta: { ...balances, ...meta } };
  node.on('getTransaction', ([signature]) => ({ result: signature === 'a' ? fetched : null }));
  const context = testContext();
  await source.start(context);
  await eventually(() => source.status().state).toBe('live');
  expect(node.subscriptions[0]).toContain(launchLab.program);
  for (const signature of ['a', 'a', 'missing']) node.send(frame(signature));
  await eventually(() => context.observations.map(({ kind }) => kind)).toEqual(['listed', 'trade']);
  await eventually(() => source.detection?.()).toMatchObject({ transactionsLost: 1, decodeErrors: 0 });
  expect(node.callsOf('getTransaction').map(({ params }) => params[0])).toEqual(['a', 'missing']);
  expect(source.status().lastEventAt).toBe(1_785_400_002_000);
});

test('counts a transaction of an unreadable version apart from the lost ones', async () => {
  const message = 'Transaction version (3) is not supported by the requesting client.';
  node.on('getTransaction', () => ({ error: { code: -32_015, message } }));
  await source.start(testContext());
  await eventually(() => source.status().state).toBe('live');
  node.send(frame('a'));
  const counted = { transactionsLost: 0, transactionsUnreadable: 1, unreadableVersions: [3] };
  await eventually(() => source.detection?.()).toMatchObject(counted);
});

/** What web3.js requires of a transaction beside its instructions. */
const balances = { fee: 0, preBalances: [], postBalances: [], preTokenBalances: [] };
