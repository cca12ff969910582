import { expect, test } from 'vitest';
import { eventually, type TestContext } from '../../testing/source-context.ts';
import type { SolanaOptions } from '../solana.ts';
import { chain, frame, onChain, transactionOf } from '../testing/chain.ts';
import { solanaOnFakeNode } from '../testing/started-source.ts';

const solana = solanaOnFakeNode();
let context: TestContext;

/** Starts a live source that has received `a` in slot 10 and `b` in slot 11. */
async function start(gapLimits: SolanaOptions['gapLimits'] = {}, options: Partial<SolanaOptions> = {}): Promise<void> {
  context = await solana.start({
    ...options,
    gapLimits: { patience: { tries: 1, pauseMs: 5 }, ...gapLimits },
  });
  await solana.live();
  solana.node.send(frame('a', 10));
  solana.node.send(frame('b', 11));
  await eventually(() => context.ids()).toEqual(['a:0', 'b:0']);
}
const reconnect = async () => {
  const before = solana.subscriptions().length;
  solana.node.drop();
  await eventually(() => solana.subscriptions().length).toBe(before + 1);
  await solana.live();
};
const slotsMissed = () => solana.source?.detection?.().slotsMissed;
const logged = (text: string) => eventually(() => context.logged.join()).toContain(text);

test('misses no slot after a complete backfill', async () => {
  await start();
  chain(solana.node, [onChain('a', 10), onChain('b', 11), onChain('c', 15), onChain('d', 20)]);
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
  solana.node.on('getSignaturesForAddress', () => ({ result: listed }));
  solana.node.on('getTransaction', ([signature]) => ({ result: transactionOf(onChain(String(signature), 30)) }));
  await reconnect();
  await logged('"complete":false');
  // Slots 11 to 29: the newest slot before the break may be incomplete.
  expect(slotsMissed()).toBe(19);
});

test('misses the slots of unavailable transactions, each once', async () => {
  await start({ transactions: 2 });
  chain(solana.node, [onChain('c', 15), onChain('d', 15), onChain('e', 16), onChain('f', 17)]);
  const result = transactionOf(onChain('f', 17));
  solana.node.on('getTransaction', ([signature]) => ({ result: signature === 'f' ? result : null }));
  await reconnect();
  await logged('"lost":3');
  expect(slotsMissed()).toBe(2);
});

test('counts an unreadable version apart, keeps the others, and reads it once the node can', async () => {
  await start({}, { unreadableRetryMs: 20 });
  const missed = [onChain('a', 10), onChain('b', 11), onChain('c', 15), onChain('d', 20)];
  chain(solana.node, missed);
  let isUpdated = false;
  const text = 'Transaction version (2) is not supported by the requesting client. Please try again.';
  solana.node.on('getTransaction', ([signature, options]) => {
    expect(options).toMatchObject({ maxSupportedTransactionVersion: 1 });
    const found = missed.find((one) => one.signature === signature);
    if (signature !== 'c' || isUpdated) return { result: found === undefined ? null : transactionOf(found) };
    return { error: { code: -32_015, message: text } };
  });
  await reconnect();
  await eventually(() => context.ids()).toEqual(['a:0', 'b:0', 'd:0']);
  const figures = () => solana.source?.detection?.();
  await logged('"lost":0,"unreadable":1');
  const counted = { slotsMissed: 0, transactionsLost: 0, transactionsUnreadable: 1, unreadableVersions: [2] };
  expect(figures()).toMatchObject(counted);
  isUpdated = true;
  await eventually(() => context.ids()).toEqual(['a:0', 'b:0', 'd:0', 'c:0']);
  await eventually(figures).toMatchObject({ transactionsUnreadable: 0 });
});

test('counts a gap that cannot be listed up to the first live slot, however late the failure', async () => {
  await start();
  let respond = () => {};
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  solana.node.on('getSignaturesForAddress', async () => {
    await responded;
    return { error: { code: -32_602, message: 'no' } };
  });
  await reconnect();
  solana.node.send(frame('c', 21));
  solana.node.send(frame('d', 500));
  respond();
  await logged('backfill failed');
  await eventually(() => context.ids()).toEqual(['a:0', 'b:0', 'c:0', 'd:0']);
  expect(slotsMissed()).toBe(10);
});

test('counts a gap that cannot be listed once the stream goes on', async () => {
  await start();
  solana.node.on('getSignaturesForAddress', () => ({ error: { code: -32_602, message: 'no' } }));
  await reconnect();
  await logged('backfill failed');
  expect(slotsMissed()).toBe(0);
  solana.node.send(frame('c', 21));
  await eventually(slotsMissed).toBe(10);
  expect(slotsMissed()).toBe(10);
});
