import { afterEach, beforeEach } from 'vitest';
import { type FakeNode, startFakeNode } from '../../../../chain/testing/fake-node.ts';
import { eventually, type TestContext, testContext } from '../../testing/source-context.ts';
import { pumpProgram } from '../programs.ts';
import { createSolana, type SolanaOptions } from '../solana.ts';

/** The time of the tests, epoch ms. */
export const now = 1_783_165_101_000;

/** A fake node for each test of a file, and the source that the test starts on it. */
export function solanaOnFakeNode() {
  let node: FakeNode;
  let source: ReturnType<typeof createSolana> | undefined;

  beforeEach(async () => {
    node = await startFakeNode();
    node.on('getSignaturesForAddress', () => ({ result: [] }));
    node.on('getAccountInfo', () => ({ result: { context: { slot: 1 }, value: null } }));
  });
  afterEach(async () => {
    await source?.stop();
    source = undefined;
    await node.close();
  });

  const state = () => source?.status().state;
  /** Subscriptions to pump.fun so far; each comes with one to PumpSwap. */
  const subscriptions = () => node.subscriptions.filter((text) => text.includes(pumpProgram));
  return {
    get node() {
      return node;
    },
    get source() {
      return source;
    },
    /** Replaces a node that the test has closed. */
    async replaceNode(): Promise<void> {
      node = await startFakeNode();
    },
    async start(options: Partial<SolanaOptions> = {}, context: TestContext = testContext()): Promise<TestContext> {
      source = createSolana({
        rpcUrl: node.rpcUrl,
        wsUrl: node.wsUrl,
        clock: { now: () => now },
        random: () => 0,
        rpcLimits: { perSecond: 1_000, burst: 1_000, retries: 2, retryBaseMs: 5 },
        socketTimes: { retryBaseMs: 20, retryMaxMs: 40 },
        // The frames of these tests do not continue each other's reserves.
        orderLimits: { waitMs: 0 },
        network: { slotMs: () => null, sawVersion() {} },
        ...options,
        gapLimits: { settleMs: 0, patience: { tries: 2, pauseMs: 5 }, ...options.gapLimits },
      });
      await source.start(context);
      return context;
    },
    state,
    live: () => eventually(state).toBe('live'),
    subscriptions,
    subscribedTimes: (times: number) => eventually(() => subscriptions().length).toBeGreaterThanOrEqual(times),
  };
}
