import { expect, test } from 'vitest';
import { eventually, type TestContext, testContext } from '../testing/source-context.ts';
import { noAddress, poolAuthorityOf, pumpSwapProgram, wrappedSol } from './programs.ts';
import { chain, frame } from './testing/chain.ts';
import { encodePoolEvent, frameOf, logsOf } from './testing/encode.ts';
import { someMint, somePool } from './testing/events.ts';
import { poolAccount, poolBuy, poolCreation } from './testing/pool-events.ts';
import { solanaOnFakeNode } from './testing/started-source.ts';

const solana = solanaOnFakeNode();

/** Starts the source for a market that follows these coins; `asked` receives the mints that it asks about. */
async function start(coins: readonly string[], asked: string[] = []): Promise<TestContext> {
  const context: TestContext = {
    ...testContext(),
    async followed(mints) {
      asked.push(...mints);
      return new Set(mints.filter((mint) => coins.includes(mint)));
    },
  };
  await solana.start({ poolPauseMs: 5 }, context);
  await solana.live();
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
  await eventually(() => solana.node.subscriptions.some((text) => text.includes(pumpSwapProgram))).toBe(true);
  solana.node.send(poolFrame('a', 1, [encodePoolEvent(poolCreation()), encodePoolEvent(poolBuy())]));
  await eventually(() => context.ids()).toEqual(['a:1000', 'a:1001']);
  expect(context.observations).toMatchObject([{ kind: 'migrated' }, { kind: 'trade', venue: 'pool' }]);
  expect(solana.node.callsOf('getMultipleAccounts')).toEqual([]);
});

test('fetches a transaction of pools with truncated logs, twelve a minute', async () => {
  const logs = logsOf([encodePoolEvent(poolCreation()), encodePoolEvent(poolBuy())], pumpSwapProgram);
  const signatures = Array.from({ length: 14 }, (_, index) => `cut${index}`);
  chain(
    solana.node,
    signatures.map((signature, index) => ({ signature, slot: index + 1, logs })),
  );
  const context = await start([]);
  await eventually(() => solana.node.subscriptions.some((text) => text.includes(pumpSwapProgram))).toBe(true);
  for (const [index, signature] of signatures.entries()) {
    const raw = frameOf({ signature, slot: index + 1, logs: [...logs.slice(0, 2), 'Log truncated'] });
    solana.node.send(raw, pumpSwapProgram);
  }
  await eventually(() => context.ids().filter((id) => id.endsWith(':1001'))).toHaveLength(12);
  expect(solana.node.callsOf('getTransaction')).toHaveLength(12);
});

test('unknown pools are read from their accounts in one call', async () => {
  solana.node.on('getMultipleAccounts', () => ({
    result: { context: { slot: 1 }, value: [account(poolAuthorityOf(someMint)), null] },
  }));
  const asked: string[] = [];
  const context = await start([someMint], asked);
  solana.node.send(poolFrame('a', 1, [encodePoolEvent(poolBuy()), encodePoolEvent(poolBuy({ pool: noAddress }))]));
  await eventually(() => asked).toEqual([someMint, wrappedSol]);
  solana.node.send(poolFrame('b', 2, [encodePoolEvent(poolBuy())]));
  await eventually(() => context.ids()).toEqual(['b:1000']);
  expect(solana.node.callsOf('getMultipleAccounts').map(({ params }) => params[0])).toEqual([[somePool, noAddress]]);
});

test('pools of coins that the market does not follow are ignored', async () => {
  solana.node.on('getMultipleAccounts', () => ({
    result: { context: { slot: 1 }, value: [account(poolAuthorityOf(someMint))] },
  }));
  const asked: string[] = [];
  const context = await start([], asked);
  solana.node.send(poolFrame('a', 1, [encodePoolEvent(poolBuy())]));
  await eventually(() => asked).toEqual([someMint, wrappedSol]);
  solana.node.send(poolFrame('b', 2, [encodePoolEvent(poolBuy())]));
  solana.node.send(frame('c', 3));
  await eventually(() => context.ids()).toEqual(['c:0']);
  expect(solana.node.callsOf('getMultipleAccounts')).toHaveLength(1);
});
