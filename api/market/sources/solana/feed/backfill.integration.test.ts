import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, startFakeNode } from '../../../../chain/testing/fake-node.ts';
import { eventually, type TestContext, testContext } from '../../testing/source-context.ts';
import { pumpProgram } from '../programs.ts';
import { createSolana, type SolanaOptions } from '../solana.ts';
import { chain, frame, onChain, transactionOf } from '../testing/chain.ts';

let node: FakeNode;
let source: ReturnType<typeof createSolana>;
let context: TestContext;

beforeEach(async () => {
  node = await startFakeNode();
  node.on('getSignaturesForAddress', () => ({ result: [] }));
  node.on('getAccountInfo', () => ({ result: { context: { slot: 1 }, value: null } }));
});
afterEach(async () => {
  await source.stop();
  await node.close();
});

/** Starts a live source that has received `a` in slot 10 and `b` in slot 11. */
async function start(backfillLimits: SolanaOptions['backfillLimits'] = {}): Promise<void> {
  context = testContext();
  source = createSolana({
    rpcUrl: node.rpcUrl,
    wsUrl: node.wsUrl,
    clock: { now: () => 1_783_165_101_000 },
    random: () => 0,
    rpcLimits: { perSecond: 1_000, burst: 1_000, retries: 1, retryBaseMs: 5 },
    socketTimes: { retryBaseMs: 10, retryMaxMs: 20 },
    orderLimits: { waitMs: 0 },
    backfillLimits: { settleMs: 0, patience: { tries: 1, pauseMs: 5 }, ...backfillLimits },
  });
  await source.start(context);
  await eventually(() => source.status().state).toBe('live');
  node.send(frame('a', 10));
  node.send(frame('b', 11));
  await eventually(() => context.ids()).toEqual(['a:0', 'b:0']);
}
const reconnect = async () => {
  const subscriptions = () => node.subscriptions.filter((text) => text.includes(pumpProgram)).length;
  const before = subscriptions();
  node.drop();
  await eventually(subscriptions).toBe(before + 1);
  await eventually(() => source.status().state).toBe('live');
};
const slotsMissed = () => source.detection?.().slotsMissed;
const logged = (text: string) => eventually(() => context.logged.join()).toContain(text);

test('misses no slot after a complete backfill', async () => {
  await start();
  chain(node, [onChain('a', 10), onChain('b', 11), onChain('c', 15), onChain('d', 20)]);
  await reconnect();
  await eventually(() => context.ids()).toEqual(['a:0', 'b:0', 'c:0', 'd:0']);
  await logged('"complete":true');
  expect(slotsMissed()).toBe(0);
});

test('misses the slots before the oldest listed transaction', async () => {
  await start({ pages: 1 });
  const listed = Array.from({ length: 1_000 }, (_, index) => ({
    signature: `m${index}`,
    slot: 30,
    err: index === 0 ? null : { InstructionError: [0, 'Custom'] },
    memo: null,
  }));
  node.on('getSignaturesForAddress', () => ({ result: listed }));
  node.on('getTransaction', ([signature]) => ({ result: transactionOf(onChain(String(signature), 30)) }));
  await reconnect();
  await logged('"complete":false');
  // Slots 11 to 29: the newest slot before the break may be incomplete.
  expect(slotsMissed()).toBe(19);
});

test('misses the slots of unavailable transactions, each once', async () => {
  await start({ transactions: 2 });
  chain(node, [onChain('c', 15), onChain('d', 15), onChain('e', 16), onChain('f', 17)]);
  const result = transactionOf(onChain('f', 17));
  node.on('getTransaction', ([signature]) => ({ result: signature === 'f' ? result : null }));
  await reconnect();
  await logged('"lost":3');
  expect(slotsMissed()).toBe(2);
});

test('counts a gap that cannot be listed up to the first live slot, however late the failure', async () => {
  await start();
  let respond = () => {};
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  node.on('getSignaturesForAddress', async () => {
    await responded;
    return { error: { code: -32_602, message: 'no' } };
  });
  await reconnect();
  node.send(frame('c', 21));
  node.send(frame('d', 500));
  respond();
  await logged('backfill failed');
  await eventually(() => context.ids()).toEqual(['a:0', 'b:0', 'c:0', 'd:0']);
  expect(slotsMissed()).toBe(10);
});

test('counts a gap that cannot be listed once the stream goes on', async () => {
  await start();
  node.on('getSignaturesForAddress', () => ({ error: { code: -32_602, message: 'no' } }));
  await reconnect();
  await logged('backfill failed');
  expect(slotsMissed()).toBe(0);
  node.send(frame('c', 21));
  await eventually(slotsMissed).toBe(10);
  expect(slotsMissed()).toBe(10);
});
