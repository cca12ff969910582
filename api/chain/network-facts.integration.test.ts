import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR } from '../../common/time.ts';
import { createNetworkFacts, type NetworkFacts } from './network-facts.ts';
import { type FakeNode, startFakeNode } from './testing/fake-node.ts';

const AT = Date.parse('2026-11-28T08:00:00Z');
const NOT_FOUND = { error: { code: -32_601, message: 'Method not found' } };

let node: FakeNode;
let facts: NetworkFacts;
let now = AT;

beforeEach(async () => {
  now = AT;
  node = await startFakeNode();
  node.on('getRecentPerformanceSamples', () => ({
    result: [
      { slot: 900, numSlots: 292, numTransactions: 5, samplePeriodSecs: 60 },
      { slot: 600, numSlots: 296, numTransactions: 5, samplePeriodSecs: 60 },
    ],
  }));
  node.on('getMinimumBalanceForRentExemption', () => ({ result: 650_240 }));
  node.on('getAgGenesisCert', () => NOT_FOUND);
  facts = createNetworkFacts({
    url: node.rpcUrl,
    clock: { now: () => now },
    random: () => 0,
    log: { info() {}, warn() {} },
  });
});
afterEach(async () => {
  facts.stop();
  vi.useRealTimers();
  await node.close();
});

test('the node gives slot length and rent of a byte, each as of a time; what it does not know stays unknown', async () => {
  expect(facts.known()).toEqual({ slotMs: null, rentPerByte: null, isAlpenglow: null, versions: null });
  facts.start();
  await vi.waitFor(() => expect(facts.rentPerByte()).not.toBeNull());
  await vi.waitFor(() => expect(facts.slotMs()).not.toBeNull());
  expect(facts.known()).toEqual({
    slotMs: { value: 200, at: AT },
    rentPerByte: { value: 5_080, at: AT },
    isAlpenglow: null,
    versions: null,
  });
});

test.each([
  [null, false],
  [{ slot: 1 }, true],
])('the certificate of Alpenglow %j means that it is in force: %s', async (certificate, isActive) => {
  node.on('getAgGenesisCert', () => ({ result: certificate }));
  facts.start();
  await vi.waitFor(() => expect(facts.known().isAlpenglow).toEqual({ value: isActive, at: AT }));
});

test('facts are asked again each hour, and keep their last value while the node does not give them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  facts.start();
  const read = (calls: number) =>
    vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(0);
      expect(node.callsOf('getAgGenesisCert')).toHaveLength(calls);
    });
  await read(1);
  await vi.waitFor(() => expect(facts.rentPerByte()).toBe(5_080));
  await vi.waitFor(() => expect(facts.slotMs()).toBe(200));
  node.on('getMinimumBalanceForRentExemption', () => ({ result: 329_600 }));
  node.on('getRecentPerformanceSamples', () => NOT_FOUND);
  now = AT + HOUR;
  await vi.advanceTimersByTimeAsync(HOUR);
  await read(2);
  await vi.waitFor(() => expect(facts.known().rentPerByte).toEqual({ value: 2_575, at: now }));
  expect(facts.known().slotMs).toEqual({ value: 200, at: AT });
});

test('versions of transactions that were read are facts, too', () => {
  facts.sawVersion('legacy');
  facts.sawVersion(1);
  facts.sawVersion(1);
  expect(facts.known().versions).toEqual({ value: ['legacy', 1], at: AT });
});

test('without a node nothing is known', () => {
  const none = createNetworkFacts({
    url: null,
    clock: { now: () => AT },
    random: () => 0,
    log: { info() {}, warn() {} },
  });
  none.start();
  expect([none.slotMs(), none.rentPerByte()]).toEqual([null, null]);
});
