import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, startFakeNode } from '../../chain/testing/fake-node.ts';
import { nextAction } from '../orders/worker/next-action.ts';
import { attemptRecord, orderRecord, sentAttempt } from '../testing/order-record.ts';
import { createLook } from './look.ts';
import { createTradingNode, type TradingNode } from './trading-node.ts';

const LAST_VALID = 150;
const BLOCKS_OF_LAG = 150;
const attempt = sentAttempt({ signature: 'a', lastValidBlockHeight: LAST_VALID });

let node: FakeNode;
let trading: TradingNode;
/** The newest finalized block of the node that is asked for the height. */
let head = { height: LAST_VALID + 1, slot: 1_000 };

beforeEach(async () => {
  node = await startFakeNode();
  head = { height: LAST_VALID + 1, slot: 1_000 };
  node.on('getEpochInfo', () => ({
    result: { absoluteSlot: head.slot, blockHeight: head.height, epoch: 0, slotIndex: 0, slotsInEpoch: 432_000 },
  }));
  trading = createTradingNode({ url: node.rpcUrl, cluster: 'mainnet', random: () => 0.5 });
});
afterEach(async () => {
  trading.stop();
  await node.close();
});

const look = () => createLook({ node: trading, blocksOfLag: BLOCKS_OF_LAG, resultOf: () => null })([attempt]);
/** Has the node answer that it has no such transaction, at a slot. */
const missesAt = (slot: () => number) =>
  node.on('getSignatureStatuses', () => ({ result: { context: { slot: slot() }, value: [null] } }));

test('an attempt that a node misses is over at once when its answer is as new as the final height [O4]', async () => {
  missesAt(() => head.slot);
  expect(await look()).toMatchObject(new Map([['a', { outcome: 'expired' }]]));
  expect(node.callsOf('getSignatureStatuses').map(({ params }) => params[1])).toEqual([
    { searchTransactionHistory: false, minContextSlot: 1_000 },
    { searchTransactionHistory: true, minContextSlot: 1_000 },
  ]);
});

test('a node that ignores the slot and lags ends no attempt before the blocks of lag, so no second purchase is made [O4]', async () => {
  missesAt(() => head.slot - 1);
  head.height = LAST_VALID + BLOCKS_OF_LAG;
  expect(await look()).toEqual(new Map());
  const order = orderRecord({ status: 'sent', attempts: [attemptRecord({ lastValidBlockHeight: LAST_VALID })] });
  expect(nextAction(order, 60_000)).toEqual({ type: 'look' });
  head.height += 1;
  expect(await look()).toMatchObject(new Map([['a', { outcome: 'expired' }]]));
});

test('a node that does not know the field is asked without it, and its slot still counts [O4]', async () => {
  node.on('getSignatureStatuses', ([, options]) =>
    JSON.stringify(options).includes('minContextSlot')
      ? { error: { code: -32_602, message: 'Invalid params' } }
      : { result: { context: { slot: head.slot - 1 }, value: [null] } },
  );
  expect(await look()).toEqual(new Map());
});

test('a node that has not reached the slot yet counts as away [O4]', async () => {
  node.on('getSignatureStatuses', () => ({ error: { code: -32_016, message: 'Minimum context slot not reached' } }));
  await expect(look()).rejects.toMatchObject({ code: 'overloaded' });
});
