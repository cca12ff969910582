import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, startFakeNode } from '../../../chain/testing/fake-node.ts';
import { eventually, type TestContext, testContext } from '../testing/source-context.ts';
import { noAddress, poolAuthorityOf, pumpSwapProgram, wrappedSol } from './programs.ts';
import { createSolana } from './solana.ts';
import { chain, frame } from './testing/chain.ts';
import { encodePoolEvent, frameOf, logsOf } from './testing/encode.ts';
import { someMint, somePool } from './testing/events.ts';
import { poolAccount, poolBuy, poolCreation } from './testing/pool-events.ts';

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

/** Starts the source for a market that follows these coins; `asked` receives the mints that it asks about. */
async function start(coins: readonly string[], asked: string[] = []): Promise<TestContext> {
  const context: TestContext = {
    ...testContext(),
    async followed(mints) {
      asked.push(...mints);
      return new Set(mints.filter((mint) => coins.includes(mint)));
    },
  };
  source = createSolana({
    rpcUrl: node.rpcUrl,
    wsUrl: node.wsUrl,
    clock: { now: () => 1_783_165_101_000 },
    rpcLimits: { perSecond: 1_000, burst: 1_000, retries: 2, retryBaseMs: 5 },
    poolLimits: { pauseMs: 5 },
    // No trade before these is observed.
    orderLimits: { waitMs: 0 },
  });
  await source.start(context);
  await eventually(() => source?.status().state).toBe('live');
  return context;
}

const poolFrame = (signature: string, slot: number, events: Buffer[]) =>
  frameOf({ signature, slot, logs: logsOf(events, pumpSwapProgram) });
const account = (creator: string) => ({
  data: [poolAccount({ creator }).toString('base64'), 'base64'],
  executable: false,
  lamports: 1,
  owner: pumpSwapProgram,
  rentEpoch: 0,
  space: 301,
});

test('pools are subscribed to, and observed from their creation on', async () => {
  const context = await start([]);
  await eventually(() => node.subscriptions.some((text) => text.includes(pumpSwapProgram))).toBe(true);
  node.send(poolFrame('a', 1, [encodePoolEvent(poolCreation()), encodePoolEvent(poolBuy())]));
  await eventually(() => context.ids()).toEqual(['a:1000', 'a:1001']);
  expect(context.observations).toMatchObject([{ kind: 'migrated' }, { kind: 'trade', venue: 'pool' }]);
  expect(node.callsOf('getMultipleAccounts')).toEqual([]);
});

test('fetches a transaction of pools with truncated logs, twelve a minute', async () => {
  const logs = logsOf([encodePoolEvent(poolCreation()), encodePoolEvent(poolBuy())], pumpSwapProgram);
  const signatures = Array.from({ length: 14 }, (_, index) => `cut${index}`);
  chain(
    node,
    signatures.map((signature, index) => ({ signature, slot: index + 1, logs })),
  );
  const context = await start([]);
  await eventually(() => node.subscriptions.some((text) => text.includes(pumpSwapProgram))).toBe(true);
  for (const [index, signature] of signatures.entries()) {
    const raw = frameOf({ signature, slot: index + 1, logs: [...logs.slice(0, 2), 'Log truncated'] });
    node.send(raw, pumpSwapProgram);
  }
  await eventually(() => context.ids().filter((id) => id.endsWith(':1001'))).toHaveLength(12);
  expect(node.callsOf('getTransaction')).toHaveLength(12);
});

test('unknown pools are read from their accounts in one call', async () => {
  node.on('getMultipleAccounts', () => ({
    result: { context: { slot: 1 }, value: [account(poolAuthorityOf(someMint)), null] },
  }));
  const asked: string[] = [];
  const context = await start([someMint], asked);
  node.send(poolFrame('a', 1, [encodePoolEvent(poolBuy()), encodePoolEvent(poolBuy({ pool: noAddress }))]));
  await eventually(() => asked).toEqual([someMint, wrappedSol]);
  node.send(poolFrame('b', 2, [encodePoolEvent(poolBuy())]));
  await eventually(() => context.ids()).toEqual(['b:1000']);
  expect(node.callsOf('getMultipleAccounts').map(({ params }) => params[0])).toEqual([[somePool, noAddress]]);
});

test('pools of coins that the market does not follow are ignored', async () => {
  node.on('getMultipleAccounts', () => ({
    result: { context: { slot: 1 }, value: [account(poolAuthorityOf(someMint))] },
  }));
  const asked: string[] = [];
  const context = await start([], asked);
  node.send(poolFrame('a', 1, [encodePoolEvent(poolBuy())]));
  await eventually(() => asked).toEqual([someMint, wrappedSol]);
  node.send(poolFrame('b', 2, [encodePoolEvent(poolBuy())]));
  node.send(frame('c', 3));
  await eventually(() => context.ids()).toEqual(['c:0']);
  expect(node.callsOf('getMultipleAccounts')).toHaveLength(1);
});
